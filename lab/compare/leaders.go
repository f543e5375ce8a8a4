package compare

import (
	"fmt"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/assign"
)

// tellLeader: a new leader takes what nobody reports for new work, also what its predecessor had, and what waited.
func (r *Run) tellLeader() string {
	var out []string
	gone := map[string]bool{}
	given, leaders, waiting := 0, []string{}, 0
	var sooner time.Duration
	for i, round := range r.Rounds() {
		prev := r.Before(i)
		if round.Mode != group.ModeCooperative || prev == nil || prev.Mode != group.ModeCooperative || !has(round, group.CauseLeaderChanged) || round.Delayed > 0 || round.Started == 0 {
			continue
		}
		for _, g := range round.Left {
			if g.Member == prev.Leader {
				leaders = append(leaders, g.Name)
				gone[g.Name] = true
			}
		}
		given += round.Started
		if prev.Delayed > 0 {
			waiting += prev.Delayed
			sooner = time.Duration(prev.DelayMs)*time.Millisecond - round.RecordedAt.Sub(prev.RecordedAt)
		}
	}
	if given == 0 {
		return ""
	}
	out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it remembers nothing of what others held: it took %s that nobody reported for new work and gave them out at once, without any delay.", list(leaders), plural(given, "unit")))
	if waiting > 0 {
		out = append(out, fmt.Sprintf("So it did with %s for which a delay ran, %s before its end.", plural(waiting, "unit"), Short(max(sooner, 0))))
	}
	taken := 0
	for _, round := range r.Rounds() {
		for _, c := range round.Causes {
			if c.Kind == group.CauseWorkerReturned && gone[c.Name] {
				taken += round.Stopped
			}
		}
	}
	if taken > 0 {
		out = append(out, fmt.Sprintf("Once it was back, %s for it: workers that had stayed stopped them.", was(taken)+" taken back"))
	}
	if r.Mode.rules == assign.Proposed && waiting == 0 {
		out = append(out, "The proposal would have it honour a delay that runs; none ran.")
	}
	return strings.Join(out, " ")
}

func (r *Run) tellHonoured() string {
	for _, d := range r.delays() {
		if d.newLeader == "" || d.forgotten {
			continue
		}
		return fmt.Sprintf("The leader left while the delay ran. %s leads after it and lets the delay run on, for its predecessor's units too: %s waited, and nobody that stayed stopped any.", d.newLeader, plural(d.units, "unit"))
	}
	return ""
}
