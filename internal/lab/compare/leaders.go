package compare

import (
	"fmt"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
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
		if led := leftLeading(round, prev); led != "" {
			leaders = append(leaders, led)
			gone[led] = true
		}
		given += round.Started
		if prev.Delayed > 0 {
			waiting += prev.Delayed
			sooner = time.Duration(prev.DelayMs)*time.Millisecond - round.RecordedAt.Sub(prev.RecordedAt)
		}
	}
	if given == 0 || r.honours() && r.maxDelay == 0 {
		return "" // as proposed and without a delay, it is no other than any worker's loss
	}
	out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it remembers nothing: %s that nobody reported %s new work to it, given out at once.",
		list(leaders), words.Plural(given, "unit"), wasWere(given)))
	if waiting > 0 {
		out = append(out, fmt.Sprintf("So it did with %s for which a delay ran, %s before its end.", words.Plural(waiting, "unit"), Short(max(sooner, 0))))
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
		out = append(out, fmt.Sprintf("Once it was back, those that had stayed stopped %s for it.", words.Plural(taken, "unit")))
	}
	if r.honours() {
		out = append(out, "The proposal cannot help it: it was new to the group itself.")
	}
	return strings.Join(out, " ")
}

// honours says whether a new leader has its predecessor's work wait.
func (r *Run) honours() bool { return !r.Mode.eager && r.Mode.rules == assign.Proposed }

// leftLeading is who led the round before and left in this one.
func leftLeading(round, prev *group.Round) string {
	for _, g := range round.Left {
		if g.Member == prev.Leader {
			return g.Name
		}
	}
	return ""
}

// tellHonoured: what the proposal's new leader lets wait.
func (r *Run) tellHonoured() string {
	if !r.honours() {
		return ""
	}
	var out []string
	for _, d := range r.delays() {
		switch {
		case d.forgotten:
		case d.newLeader != "":
			out = append(out, fmt.Sprintf("The leader left while the delay ran. %s leads after it and lets the delay run on, for its predecessor's units too: %s waited.", d.newLeader, words.Plural(d.units, "unit")))
		case d.led != "":
			out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it knows who that was and what was configured: %s that nobody reported %s lost to it, not new, and waited as any other worker's do.", d.led, words.Plural(d.units, "unit"), wasWere(d.units)))
		}
	}
	return strings.Join(out, " ")
}
