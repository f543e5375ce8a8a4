package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// unitNotStarted: a living worker has had a unit for longer than a slow start takes and never said that it runs: the assignment
// says that all is well, and nothing is.
var unitNotStarted = rule{"unit-not-started", Warning, time.Minute, ofStatuses, func(v *view) []Finding {
	byWorker := map[int][]int{}
	for _, i := range v.Idle() {
		w := v.Units[i].Worker
		byWorker[w] = append(byWorker[w], i)
	}
	var out []Finding
	for _, w := range sortedKeys(byWorker) {
		at, who := byWorker[w], v.worker(w)
		stopped := 0
		for _, i := range at {
			if v.Units[i].State == group.UnitStopping {
				stopped++
			}
		}
		f := Finding{
			Title: fmt.Sprintf("%s has %s that it does not run", who, words.Count(len(at), "unit")),
			Why:   "It was given them and never said that it started them. A start that hangs, a task whose configs it cannot read, or a worker that stopped its work while the coordinator was away (before 2.6, KAFKA-9851) does that; the group itself sees nothing wrong.",
			Since: v.since(at), Units: v.unitsOf(at), Workers: []string{v.Workers[w].ID}, Evidence: v.evidence(at),
			Certainty: Likely, // a status can be late, or lost
			Sure:      fmt.Sprintf("A thread dump of %s: is there a thread task-thread-CONNECTOR-TASK, and what is it at?", who),
			Next: []string{
				fmt.Sprintf("Look at the log of %s for %s.", who, decode.Printable(v.Units[at[0]].Unit.String())),
				"Restart the unit (regroup connector restart NAME --tasks NUMBER). Where that brings nothing, restart the worker.",
			},
		}
		if stopped == len(at) {
			f.Title = fmt.Sprintf("%s stopped %s that it still has, and has not started %s again", who, words.Count(len(at), "unit"), is(len(at), "it", "them"))
			f.Why = "It said that it stopped them, and no round took them from it: nothing will start them by itself."
		}
		out = append(out, f)
	}
	return out
}}
