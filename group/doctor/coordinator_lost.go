package doctor

import (
	"fmt"
	"slices"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// coordinatorLost: workers let go of what they held by themselves in this episode. A worker that cannot reach the
// coordinator for a heartbeat interval stops everything. Once all of it runs again this is history, and worth knowing.
var coordinatorLost = rule{"coordinator-lost", Critical, 0, ofRounds, func(v *view) []Finding {
	const most = 200
	if v.round == nil {
		return nil
	}
	f := Finding{
		Why: "A worker that cannot reach the coordinator for a heartbeat interval stops everything, and joins again with empty hands.",
		Next: []string{
			"Look at the broker that coordinates the group, and at the network to it, at that time.",
			"If only some workers let go, look at those: the others reached it.",
		},
		Certainty: Likely, Sure: "The workers' logs at that time: \"Group coordinator … is unavailable or invalid\".",
	}
	for i := v.At; i >= 0 && i > v.At-most && v.Rounds[i].EpisodeSeq == v.round.EpisodeSeq; i-- {
		r := v.Rounds[i]
		if r.Dropped == 0 {
			continue
		}
		for _, m := range v.Detail(i).Members {
			if m.Dropped > 0 && !restarted(r, m.ID) {
				f.Since, f.Units = r.RecordedAt, append(f.Units, m.LetGo...)
				f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s held %s and reported none of %s in %s",
					decode.Printable(m.Name), words.Count(m.Dropped, "unit"), is(m.Dropped, "it", "them"), called(r))})
				f.Workers = append(f.Workers, m.ID)
			}
		}
	}
	if len(f.Units) == 0 {
		return nil
	}
	slices.SortFunc(f.Units, group.Unit.Compare)
	f.Units = slices.Compact(f.Units)
	f.Title = fmt.Sprintf("workers let go of %s by themselves: they could not reach the coordinator", words.Count(len(f.Units), "unit"))
	if v.RoundSettled() && v.allRun(f.Units) {
		f.Severity = Info
		f.Title += "; all run again"
	}
	return []Finding{f}
}}

// restarted reports whether a member's process died in a round and was back within its session: it did not lose the coordinator.
func restarted(r *group.Round, member string) bool {
	return slices.ContainsFunc(r.Causes, func(c group.Cause) bool { return c.Kind == group.CauseWorkerRestarted && c.Worker == member })
}

// allRun says whether some units, sorted, are running or where their target state wants them.
func (v *view) allRun(units []group.Unit) bool {
	for i := range v.Units {
		u := &v.Units[i]
		if _, among := slices.BinarySearchFunc(units, u.Unit, group.Unit.Compare); !among {
			continue
		}
		switch u.State {
		case group.UnitRunning, group.UnitPaused, group.UnitStopped:
		case group.UnitUnknown: // no status topic: that somebody holds it is all that can be told
			if u.Worker < 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}
