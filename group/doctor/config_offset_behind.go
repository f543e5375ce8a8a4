package doctor

import (
	"fmt"
	"time"

	"regroup/group"
)

// configOffsetBehind: a member that joined behind what the leader assigns at. It reads the config topic up to there before it
// starts anything that it was given; when it gets there exactly it does not join again, so what it starts is all that tells.
var configOffsetBehind = rule{"config-offset-behind", Warning, 30 * time.Second, ofRounds, func(v *view) []Finding {
	if v.lone() {
		return nil
	}
	r := v.round
	var out []Finding
	for _, w := range v.members {
		if w.ConfigOffset >= r.ConfigOffset || v.joining(w) { // one that joins again has read on, and is heard in the next round
			continue
		}
		waits := v.unstarted(w)
		if len(waits) == 0 && (w.ConfigOffset >= 0 || v.startedSince(w)) {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s is behind the group's configs, and starts nothing that it was given", name(w)),
			Why:   "A worker reads the config topic up to where the leader assigns before it starts what it was given. This one cannot read it, or reads very slowly.",
			Since: r.RecordedAt, Workers: []string{w.ID}, Units: v.unitsOf(waits),
			Evidence: []Evidence{{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s joined %s at config offset %d, the assignment is made at %d", name(w), called(r), w.ConfigOffset, r.ConfigOffset)}},
			Next: []string{
				"Look at that worker's log: \"Current config state offset … is behind group assignment\".",
				"Look at its way to the brokers, and at its right to read the config topic.",
			},
		}
		if len(waits) > 0 {
			f.Evidence = append(f.Evidence, v.evidence(waits)...)
		} else {
			f.Title = fmt.Sprintf("%s joined before it had read any config", name(w))
			f.Severity, f.Certainty = Info, Unknown
			f.Why = "Whether it has read the config topic since cannot be told: it was given nothing that it could have started."
			f.Sure = "The next round: it tells how far each worker has read."
		}
		if end := v.ConfigEnd(); end > 0 {
			f.Evidence = append(f.Evidence, Evidence{Source: group.SourceConfig, Text: fmt.Sprintf("the config topic ends at %d", end)})
		}
		out = append(out, f)
	}
	return out
}}

// unstarted are the units that a worker holds and has not started.
func (v *view) unstarted(w *group.Worker) []int {
	var out []int
	for _, i := range w.Holds {
		if v.Units[i].State == group.UnitStarting {
			out = append(out, i)
		}
	}
	return out
}

// startedSince says whether a worker said anything of a unit of its own since the newest round.
func (v *view) startedSince(w *group.Worker) bool {
	for _, i := range w.Holds {
		if v.Units[i].State == group.UnitRunning && !v.Units[i].Since.Before(v.round.RecordedAt) {
			return true
		}
	}
	return false
}
