package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
)

// unitOrphaned: a status claims RUNNING on a worker that is not in the group. A killed worker writes nothing more, so its
// claims stay; one that was cut off may run its units still.
var unitOrphaned = rule{"unit-orphaned", Warning, 0, ofStatuses, func(v *view) []Finding {
	byWorker := map[string][]int{}
	for _, i := range v.orphaned {
		claims := v.Claims(i)
		if n := len(claims); n > 0 { // the newest one is what orphans it
			byWorker[claims[n-1].WorkerID] = append(byWorker[claims[n-1].WorkerID], i)
		}
	}
	var out []Finding
	for _, id := range sortedKeys(byWorker) {
		at := byWorker[id]
		who, member, since, session := v.absent(id)
		f := Finding{
			Title: fmt.Sprintf("%s %s to run on %s, which is not in the group", count(len(at), "unit"), is(len(at), "is said", "are said"), who),
			Why:   "The worker's last word was RUNNING. If its process is gone, nothing runs there and the status is only old; if it was cut off, it may run them still, beside the workers that get them.",
			Since: since, Units: v.unitsOf(at), Evidence: v.evidence(at), grace: session,
			Sure: fmt.Sprintf("Whether a worker process still runs at %s.", decode.Printable(id)),
			Next: []string{
				fmt.Sprintf("Look whether the process at %s still runs; if it does and does not come back by itself, stop it.", decode.Printable(id)),
				"If it is gone, do nothing: the status is overwritten when another worker starts the units.",
			},
		}
		if member != "" {
			f.Workers = []string{member}
		}
		if !since.IsZero() {
			f.Evidence = slices.Insert(f.Evidence, 0, Evidence{since, group.SourceLog, who + " left the group"})
		}
		out = append(out, f)
	}
	return out
}}

// absent tells of a worker that a status names by host:port: how it is called, and when it left.
func (v *view) absent(id string) (who, member string, left time.Time, session time.Duration) {
	const most = 2000
	who, session = decode.Printable(id), 10*time.Second
	for i := v.At; i >= 0 && i > v.At-most; i-- {
		for _, g := range v.Rounds[i].Left {
			if hostPort(g.URL) == id {
				return decode.Printable(g.Name), g.Member, v.Rounds[i].RecordedAt, v.SessionTimeout(g.Member)
			}
		}
	}
	return who, "", left, session
}
