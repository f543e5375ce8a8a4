package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// unitOrphaned: a status claims RUNNING on a worker that is not in the group. A killed worker writes nothing more, so its
// claims stay; one that was cut off may run its units still.
var unitOrphaned = rule{"unit-orphaned", Warning, 0, ofStatuses, func(v *view) []Finding {
	type absentee struct {
		id     string // worker_id
		author int32
	}
	byWorker := map[absentee][]int{}
	for _, i := range v.orphaned {
		claims := v.Claims(i)
		n := len(claims)
		if n > 0 && v.strange(claims[n-1].WorkerID) { // see topics-shared
			continue
		}
		if n > 0 { // the newest one is what orphans it
			who := absentee{claims[n-1].WorkerID, claims[n-1].Author}
			byWorker[who] = append(byWorker[who], i)
		}
	}
	var out []Finding
	order := slices.SortedFunc(maps.Keys(byWorker), func(a, b absentee) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.author, b.author)) })
	for _, gone := range order {
		at := byWorker[gone]
		who, member, since, session := v.absent(gone.id, func(g *group.Gone) bool { return g.Worker == gone.author })
		f := Finding{
			Title: fmt.Sprintf("%s %s to run on %s, which is not in the group", words.Count(len(at), "unit"), is(len(at), "is said", "are said"), who),
			Why:   "The worker's last word was RUNNING. If its process is gone, nothing runs there and the status is only old; if it was cut off, it may run them still, beside the workers that get them.",
			Since: since, Units: v.unitsOf(at), Evidence: v.evidence(at), grace: session,
			Sure: fmt.Sprintf("Whether the worker process%s still runs.", where(gone.id, who)),
			Next: []string{
				fmt.Sprintf("Look whether the process%s still runs; if it does and does not come back by itself, stop it.", where(gone.id, who)),
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

// where is the place of a worker's process: its address, where a worker id has one.
func where(id, who string) string {
	if w := decode.ParseWorkerID(id); w.Address != "" {
		return " at " + decode.Printable(w.Address)
	}
	return " of " + who
}

// absent tells of a worker that is not in the group: how it is called, and when it left.
func (v *view) absent(id string, is func(*group.Gone) bool) (who, member string, left time.Time, session time.Duration) {
	const most = 2000
	who, session = decode.Printable(id), 10*time.Second
	for i := v.At; i >= 0 && i > v.At-most; i-- {
		for _, g := range v.Rounds[i].Left {
			if is(&g) {
				return decode.Printable(g.Name), g.Member, v.Rounds[i].RecordedAt, v.SessionTimeout(g.Member)
			}
		}
	}
	return who, "", left, session
}
