package doctor

import (
	"fmt"
	"time"

	"regroup/group"
	"regroup/internal/words"
)

// unassignedStuck: work in nobody's hands and no delay that would give it out. KAFKA-15693 is the known way in: a delay of
// 0 with 3.4.0 to 3.5.1 or 3.6.0.
var unassignedStuck = rule{"unassigned-stuck", Critical, 5 * time.Second, ofRounds, func(v *view) []Finding {
	at := v.byState[group.UnitUnassigned]
	if len(at) == 0 || v.lone() {
		return nil
	}
	r := v.round
	f := Finding{
		Title: fmt.Sprintf("%s %s in nobody's hands and no delay runs", words.Count(len(at), "unit"), is(len(at), "is", "are")),
		Why:   "Nothing will start " + is(len(at), "it", "them") + " by itself: only another round gives work out.",
		Since: v.since(at), Units: v.unitsOf(at),
		Next: []string{
			"Make any round: evict a worker (it returns with its work in about 3 s), or change a connector's tasks.",
			"If the delay is 0 and workers are older than 3.5.2, or are 3.6.0, this is KAFKA-15693: upgrade, or set scheduled.rebalance.max.delay.ms above 0.",
		},
	}
	f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s: delay %d ms; configured and in nobody's hands: %s", called(r), r.DelayMs, some(f.Units))})
	f.Evidence = append(f.Evidence, v.leavers(at)...)
	f.Evidence = append(f.Evidence, v.evidence(at)...)
	return []Finding{f}
}}

// leavers tell whose some units were, as far as those workers are listed.
func (v *view) leavers(at []int) []Evidence {
	had := map[int32][]group.Unit{}
	for _, i := range at {
		had[v.Units[i].Last] = append(had[v.Units[i].Last], v.Units[i].Unit)
	}
	var out []Evidence
	for i := range v.Workers {
		w := &v.Workers[i]
		units := had[w.Worker]
		if len(units) == 0 {
			continue
		}
		what := name(w) + " left; it"
		if !w.Gone { // it is back, and without them
			what = name(w)
		}
		out = append(out, Evidence{v.leftAt(w.Worker), group.SourceLog, fmt.Sprintf("%s had %d of them: %s", what, len(units), some(units))})
	}
	return out
}

// leftAt is when a worker left last, as far as it is worth looking back.
func (v *view) leftAt(worker int32) (at time.Time) {
	const most = 2000
	for i := v.At; i >= 0 && i > v.At-most; i-- {
		for _, g := range v.Rounds[i].Left {
			if g.Worker == worker {
				return v.Rounds[i].RecordedAt
			}
		}
	}
	return at
}
