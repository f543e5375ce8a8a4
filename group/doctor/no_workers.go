package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// noWorkers: connectors are configured, and no worker is in the group to run them. There is no grace, though a worker that restarts
// alone makes that so for the seconds that a JVM takes: nothing runs from the first of them on.
var noWorkers = rule{"no-workers", Critical, 0, ofRounds, func(v *view) []Finding {
	r := v.round
	at := v.byState[group.UnitUnassigned]
	if r == nil || !r.Empty() || len(at) == 0 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("the group has no workers: %s %s nowhere%s", words.Count(len(at), "configured unit"), is(len(at), "runs", "run"), v.UnlessStillRun(len(at))),
		Why:   "The last worker has left. The connectors stay configured in the group's topics, and the first worker that joins takes them all.",
		Since: r.RecordedAt, Units: v.unitsOf(at),
		Evidence: []Evidence{{r.RecordedAt, group.SourceLog, called(r) + " is empty; configured: " + some(v.unitsOf(at))}},
		Next: []string{
			fmt.Sprintf("Start a worker with group.id=%s and the same config, offset and status topics.", decode.Printable(v.Group)),
			"If workers do run, they are elsewhere: look in their properties for another group.id or bootstrap.servers, and in their logs for why they do not join.",
		},
	}
	for _, g := range r.Left {
		f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s left last; it had %s", decode.Printable(g.Name), words.Count(g.Held, "unit"))})
	}
	return []Finding{f}
}}
