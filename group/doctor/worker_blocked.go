package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
)

// workerBlocked: / answers, and what needs the herder does not. One connector that hangs in start, stop or validation holds
// up the thread that does all else.
var workerBlocked = rule{"worker-blocked", Warning, 30 * time.Second, ofREST, func(v *view) []Finding {
	var out []Finding
	for _, w := range v.members {
		r, asked := v.rest[w.URL]
		if !asked || !r.Stuck() {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s answers, but its herder does not", name(w)),
			Why:   "One thread joins the group, starts and stops units and answers most requests. A connector that hangs in start, stop or validation holds it up, and with it the whole worker; past rebalance.timeout.ms the group goes on without it.",
			Since: v.RESTSince(r.URL), Workers: []string{w.ID},
			Evidence: []Evidence{
				{r.At, group.SourceREST, fmt.Sprintf("%s: / is ok", decode.Printable(r.URL))},
				{r.At, group.SourceREST, fmt.Sprintf("%s: herder: %s", decode.Printable(r.URL), decode.Printable(r.Herder))},
			},
			Next: []string{
				"Read that answer: from 3.7 on it names what the herder is doing, and since when.",
				"Take a thread dump there (jstack): DistributedHerder stands in the connector that blocks.",
				"Mend or pause that connector, then restart the worker.",
			},
		}
		for _, i := range w.Holds {
			if s := v.Units[i].State; s == group.UnitStarting || s == group.UnitStopping {
				f.Units = append(f.Units, v.Units[i].Unit)
			}
		}
		if len(f.Units) > 0 {
			f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, "given to it, and neither started nor stopped: " + some(f.Units)})
		}
		out = append(out, f)
	}
	return out
}}
