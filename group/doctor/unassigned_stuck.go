package doctor

import (
	"fmt"
	"time"

	"regroup/group"
)

// unassignedStuck: work in nobody's hands and no delay that would give it out. KAFKA-15693 is the known way in: a delay of
// 0 with 3.4.0 to 3.5.1 or 3.6.0.
var unassignedStuck = rule{"unassigned-stuck", Critical, 5 * time.Second, func(s *group.State) []Finding {
	at := inState(s, group.UnitUnassigned)
	r := s.Round()
	if len(at) == 0 || r == nil || r.Empty() {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("%s %s in nobody's hands and no delay runs", count(len(at), "unit"), is(len(at), "is", "are")),
		Why:   "Nothing will start them by itself: only another round gives them out.",
		Units: unitsOf(s, at), Evidence: evidence(s, at),
		Next: []string{"Make any round: evict a worker (it returns with its work in about 3 s), or change a connector's tasks.",
			"If the delay is 0 and workers are older than 3.5.2 or are 3.6.0, this is KAFKA-15693: upgrade, or set scheduled.rebalance.max.delay.ms above 0."},
	}
	for _, i := range at {
		f.Since = since(f.Since, s.Units[i].Since)
	}
	f.Evidence = append(f.Evidence, Evidence{At: r.RecordedAt, Source: group.SourceLog, Text: fmt.Sprintf("round %d: delay %d ms, nothing revoked", r.Generation, r.DelayMs)})
	return []Finding{f}
}}
