package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// delayIllFitting: workers that left came back far sooner, or later, than the delay. Sooner: a worker that really dies keeps
// its work waiting for long. Later: its work moves away and back each time.
var delayIllFitting = rule{"delay-ill-fitting", Info, 0, ofRounds, func(v *view) []Finding {
	const least, shown = 3, 6
	away, delay := v.returns()
	if len(away) < least || delay == 0 {
		return nil
	}
	lengths := make([]time.Duration, len(away))
	late := 0
	for i, a := range away {
		if lengths[i] = a.took; a.took > delay {
			late++
		}
	}
	slices.Sort(lengths)
	longest, median := lengths[len(lengths)-1], lengths[len(lengths)/2]
	f := Finding{Since: away[least-1].back}
	switch {
	case 2*late > len(away):
		fits := roundUp(longest + longest/4)
		f.Title = fmt.Sprintf("the delay of %s is too short: workers come back after %s", words.Rough(delay), words.Rough(median))
		f.Why = "Their work is given away before they are back, and moves twice for each restart."
		f.Next = []string{fmt.Sprintf("scheduled.rebalance.max.delay.ms=%d would fit what was seen.", fits.Milliseconds())}
	case late == 0 && delay > 4*longest && delay-longest > 30*time.Second:
		fits := roundUp(2 * longest)
		f.Title = fmt.Sprintf("the delay of %s is long: workers were back within %s", words.Rough(delay), words.Rough(longest))
		f.Why = "A worker that does not come back keeps its work waiting for the whole delay."
		f.Next = []string{fmt.Sprintf("scheduled.rebalance.max.delay.ms=%d would still be twice the longest absence seen.", fits.Milliseconds())}
	default:
		return nil
	}
	f.Certainty, f.Sure = Likely, "More returns: this is judged by "+words.Count(len(away), "return")+"."
	for _, a := range away[max(0, len(away)-shown):] {
		f.Evidence = append(f.Evidence, Evidence{a.back, group.SourceLog, fmt.Sprintf("%s was away for %s", decode.Printable(a.name), words.Rough(a.took))})
	}
	f.Evidence = append(f.Evidence, Evidence{Source: group.SourceLog, Text: "the longest delay that was ordered: " + words.Rough(delay)})
	return []Finding{f}
}}

type absence struct {
	name string
	back time.Time
	took time.Duration
}

// returns are the newest absences that ended, oldest first, and the longest delay ordered for one.
func (v *view) returns() (out []absence, delay time.Duration) {
	const most = 2000
	left := map[string]time.Time{}
	for i := max(0, v.At-most); i <= v.At; i++ {
		r := v.Rounds[i]
		for _, g := range r.Left {
			left[g.Name] = r.RecordedAt
		}
		if r.Delayed > 0 {
			delay = max(delay, time.Duration(r.DelayMs)*time.Millisecond)
		}
		if r.Mode != group.ModeCooperative { // eager, or nobody there: no delay runs
			clear(left)
			continue
		}
		for _, c := range r.Causes {
			if at, ok := left[c.Name]; ok && c.Kind == group.CauseWorkerReturned {
				out = append(out, absence{c.Name, r.RecordedAt, r.RecordedAt.Sub(at)})
				delete(left, c.Name)
			}
		}
	}
	return out, delay
}

// roundUp makes a duration one that a person would set.
func roundUp(d time.Duration) time.Duration {
	for _, step := range []time.Duration{5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute} {
		if d <= 10*step {
			return (d + step - 1).Truncate(step)
		}
	}
	return (d + 5*time.Minute - 1).Truncate(5 * time.Minute)
}
