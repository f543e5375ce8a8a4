package doctor

import (
	"fmt"

	"regroup/group"
	"regroup/internal/words"
)

// backoffDelay: a delay for which nothing waits: since 3.4 a leader spaces revocations that follow each other, and announces
// that pause as a delay (KAFKA-12495).
var backoffDelay = rule{"backoff-delay", Info, 0, ofRounds, func(v *view) []Finding {
	d := v.Delay
	if d == nil || !d.Backoff || d.Remaining == 0 || v.round.Empty() {
		return nil
	}
	return []Finding{{
		Title:    fmt.Sprintf("the leader pauses for %s; nothing waits for it", words.Rough(d.Total)),
		Why:      "Shares are uneven, but the leader has just taken units away. It spaces revocations that follow each other by a growing pause, and announces that as a delay: it looks as if a worker were lost.",
		Since:    v.round.RecordedAt,
		Evidence: []Evidence{{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s orders a delay of %s, and every configured unit is in somebody's hands", called(v.round), words.Rough(d.Total))}},
		Next:     []string{"Do nothing: the next round evens out more."},
	}}
}}
