package compare

import (
	"fmt"

	"regroup/group"
	"regroup/internal/words"
)

// What there is to say of groups at the edges: without units, without a delay, with a single worker.

func (r *Run) tellNothing() string {
	for _, round := range r.State.Rounds {
		if round.Units > 0 {
			return ""
		}
	}
	return "There are no units, so no round moves any."
}

func (r *Run) tellNoRound() string {
	if r.Sum.Rounds > 0 {
		return ""
	}
	return "No worker and no connector came or went, and no tasks were written anew: the group did not rebalance."
}

// tellAlone: the only worker of a group leaves.
func (r *Run) tellAlone() string {
	for i, round := range r.Rounds() {
		if !round.Empty() || len(round.Left) == 0 || round.Left[0].Held == 0 {
			continue
		}
		who, n := round.Left[0].Name, round.Left[0].Held
		text := fmt.Sprintf("%s was alone. While it is gone nobody leads, lets a delay run or could be given its %s", who, words.Plural(n, "unit"))
		if i+1 == len(r.Rounds()) {
			return text + "."
		}
		if r.Rounds()[i+1].Started == 0 {
			return text + "; it came back with all of them in hand."
		}
		return text + "; back again, it is given all of them at once."
	}
	return ""
}

// tellNoDelay: with a delay of 0, work of a worker that left goes to the others in that very round. Of a leader without memory that
// is told elsewhere.
func (r *Run) tellNoDelay() string {
	if r.Mode.eager || r.maxDelay > 0 {
		return ""
	}
	var whose []string
	gone := map[string]bool{}
	given, taken := 0, 0
	for i, round := range r.Rounds() {
		prev := r.Before(i)
		if prev != nil && !round.Empty() && round.Mode == group.ModeCooperative && prev.Mode == group.ModeCooperative {
			led := leftLeading(round, prev)
			for _, g := range round.Left {
				if g.Held > 0 && (g.Name != led || r.honours()) {
					given += g.Held
					whose = append(whose, g.Name)
					gone[g.Name] = true
				}
			}
		}
		for _, c := range round.Causes {
			if c.Kind == group.CauseWorkerReturned && gone[c.Name] && round.Duplicated == 0 {
				taken += round.Stopped
			}
		}
	}
	if given == 0 {
		return ""
	}
	text := fmt.Sprintf("Nothing waits: %s of %s went to others as soon as the group had noticed.", words.Plural(given, "unit"), list(whose))
	if taken > 0 {
		text += fmt.Sprintf(" Once who had left was back, %s, by workers that had stayed.", was(taken)+" stopped for it")
	}
	return text
}
