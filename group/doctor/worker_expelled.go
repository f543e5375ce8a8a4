package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
)

// workerExpelled: a worker's REST answers, and no member of the group has its URL. Health checks see a sound worker.
var workerExpelled = rule{"worker-expelled", Warning, 30 * time.Second, ofWorkers, func(v *view) []Finding {
	if v.round == nil {
		return nil
	}
	here := map[string]bool{}
	for _, w := range v.members {
		here[hostPort(w.URL)] = true
	}
	var out []Finding
	for _, address := range sortedKeys(v.rest) {
		r, id := v.rest[address], hostPort(address)
		if r.Root != "ok" || r.Closed || here[id] {
			continue
		}
		who, member, left, _ := v.absent(id, func(g *group.Gone) bool { return hostPort(g.URL) == id })
		if left.IsZero() || r.At.Before(left) { // never one of this group, or last asked while it still was
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s answers over REST, but is no member of the group", who),
			Why:   "It left, or its herder was away for longer than a poll or a session may take; its process looks healthy and runs nothing for the group, or old copies of what others run now.",
			Since: left,
			Evidence: []Evidence{
				{r.At, group.SourceREST, decode.Printable(address) + ": / is ok"},
				{left, group.SourceLog, who + " was last a member"},
			},
			Next: []string{
				"Look at that worker's log: \"poll timeout has expired\", or a connector that hangs (see worker-blocked).",
				"Restart it if it does not come back by itself.",
			},
		}
		if member != "" {
			f.Workers = []string{member}
		}
		if r.Herder != "" && r.Herder != "ok" {
			f.Evidence = append(f.Evidence, Evidence{r.At, group.SourceREST, "herder: " + decode.Printable(r.Herder)})
		}
		out = append(out, f)
	}
	return out
}}
