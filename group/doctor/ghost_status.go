package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// ghostStatus: statuses of units that are neither held nor configured: tasks of a connector that has fewer now, or of one
// that is gone (KAFKA-9472). REST and other tools list them; nothing runs.
var ghostStatus = rule{"ghost-status", Info, time.Minute, need{group.SourceLog, group.SourceStatus, group.SourceConfig}, func(v *view) []Finding {
	const shown = 6
	ghosts := v.Ghosts()
	if len(ghosts) == 0 || v.lone() {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("the status topic tells of %s that %s not configured", words.Count(len(ghosts), "unit"), is(len(ghosts), "is", "are")),
		Why:   "Connectors that were deleted, or that have fewer tasks now, leave statuses behind (KAFKA-9472). REST lists them; nothing runs there.",
		Next:  []string{"Ignore them; do not alarm on them.", "They go when a connector of that name and size runs again, or by a tombstone in the status topic."},
	}
	for i, g := range ghosts {
		f.Units, f.Since = append(f.Units, g.Unit), earliest(f.Since, g.Since)
		if i < shown {
			f.Evidence = append(f.Evidence, Evidence{g.At, group.SourceStatus, fmt.Sprintf("%s: %s on %s", decode.Printable(g.Unit.String()), decode.Printable(g.State), decode.Printable(g.WorkerID))})
		}
	}
	return []Finding{f}
}}
