package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// delayRunning: a worker left and its units wait for it to come back.
var delayRunning = rule{"delay-running", Info, 0, ofRounds, func(v *view) []Finding {
	d := v.Delay
	if d == nil || d.Backoff || v.round.Empty() {
		return nil
	}
	at := v.byState[group.UnitDelayed]
	f := Finding{Since: v.since(at), Units: v.unitsOf(at)}
	var gone []*group.Worker
	for i := range v.Workers {
		if w := &v.Workers[i]; w.Gone && w.Wait > 0 {
			gone = append(gone, w)
		}
	}
	f.Workers = idsOf(gone)
	waits := fmt.Sprintf("%s %s", words.Count(d.Units, "unit"), is(d.Units, "waits", "wait"))
	left := fmt.Sprintf("for %s more", words.Rough(d.Remaining))
	if d.Remaining == 0 {
		left = "though the delay is over"
	}
	f.Title = fmt.Sprintf("%s %s", waits, left)
	if len(gone) > 0 {
		f.Title = fmt.Sprintf("%s left; %s %s", namesOf(gone), waits, left)
	}
	back := v.backWithinSession()
	if len(gone) == 0 && len(back) > 0 {
		f.Title = fmt.Sprintf("%s died and %s back; %s %s", namesOf(back), is(len(back), "is", "are"), waits, left)
		f.Workers = idsOf(back)
	}
	f.Why = "Work of a worker that left is kept for it for scheduled.rebalance.max.delay.ms. It runs nowhere meanwhile. If the worker is back in time it gets the work back; else the others do."
	f.Evidence = append(f.Evidence, v.leavers(at)...)
	f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s orders a delay of %s; in nobody's hands: %s", called(v.round), words.Rough(d.Total), some(f.Units))})
	rounds, exact := v.Coming()
	for _, c := range rounds {
		for _, w := range c.Workers {
			if len(w.Start) > 0 {
				f.Evidence = append(f.Evidence, Evidence{c.At, group.SourceLog, fmt.Sprintf("then %s gets %s", decode.Printable(w.Name), some(w.Start))})
			}
		}
		if len(c.Workers) > 0 {
			break
		}
	}
	if !exact && !v.Past {
		f.Sure = "Who gets them: the leader's mind is not known yet."
	}
	f.Next = []string{"Wait, or bring the worker back: then it gets its work again.", "If it will not come back, nothing but the end of the delay, or another leader, gives its work out sooner."}
	if len(gone) == 0 && len(back) > 0 {
		f.Why = "A process that died wrote nothing to the status topic, and the new one joined with nothing: the leader takes its units for lost, and keeps them for scheduled.rebalance.max.delay.ms. They run nowhere meanwhile."
		f.Next = []string{
			fmt.Sprintf("Wait: the end of the delay gives them out again, to %s too.", namesOf(back)),
			fmt.Sprintf("Find out what ended %s: an out-of-memory kill, a probe that fails, a kill without a TERM before it.", namesOf(back)),
		}
	}
	return []Finding{f}
}}

// backWithinSession are the workers of this episode whose processes died and were back before their sessions were over.
func (v *view) backWithinSession() []*group.Worker {
	var out []*group.Worker
	for i := v.At; i >= 0 && v.Rounds[i].EpisodeSeq == v.round.EpisodeSeq; i-- {
		for j := range v.Workers {
			if w := &v.Workers[j]; restarted(v.Rounds[i], w.ID) {
				out = append(out, w)
			}
		}
	}
	return out
}
