package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// unevenPerConnector: one worker has over half of a connector's tasks, and more than its share. Even in number, uneven in
// weight (KAFKA-17049).
var unevenPerConnector = rule{"uneven-per-connector", Info, time.Minute, ofRounds, func(v *view) []Finding {
	const least, shown = 4, 6
	if v.lone() || !v.RoundSettled() || len(v.members) < 2 {
		return nil
	}
	f := Finding{
		Why:   "The leader evens out numbers of units, not which connector they are of. Where one connector is heavy, its worker is too.",
		Since: v.round.RecordedAt,
		Next:  []string{"Compare what these tasks do with the load of that worker: if it is not the busy one, leave it.", "Else evict that worker: what it loses is dealt out again."},
	}
	found := 0
	held := make([]int, len(v.Workers))
	for from := 0; from < len(v.Units); {
		to, connector := from, v.Units[from].Unit.Connector
		clear(held)
		tasks, top := 0, 0
		for ; to < len(v.Units) && v.Units[to].Unit.Connector == connector; to++ {
			if u := &v.Units[to]; !u.Unit.IsInstance() {
				tasks++
				if u.Worker >= 0 {
					if held[u.Worker]++; held[u.Worker] > held[top] {
						top = u.Worker
					}
				}
			}
		}
		fair := (tasks + len(v.members) - 1) / len(v.members)
		if tasks >= least && 2*held[top] > tasks && held[top] > fair {
			found++
			if found <= shown {
				f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s: %d of %d tasks on %s", decode.Printable(connector), held[top], tasks, v.worker(top))})
				f.Units = append(f.Units, group.Unit{Connector: connector, Task: decode.Instance})
			}
		}
		from = to
	}
	if found == 0 {
		return nil
	}
	f.Title = fmt.Sprintf("%s %s most tasks on one worker", words.Count(found, "connector"), is(found, "has", "have"))
	return []Finding{f}
}}
