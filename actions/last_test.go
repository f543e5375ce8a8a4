package actions_test

import (
	"testing"
	"time"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/lab"
)

// Ending the last worker foresees what then runs nowhere, and the cost of that grows; one that comes back is waited for. Nobody else is
// there who could be given its work: an eviction goes one way alone. What is foreseen of the crash is what comes.
func TestEndOfTheLastWorker(t *testing.T) {
	onField(t, lab.Options{}, func(f *field) {
		for range 2 {
			f.act(f.workers.Stop(f.t.Context(), f.worker("follower")))
			f.rest()
		}
		w := f.worker("leader")
		for _, c := range []struct {
			change  foresight.Change
			warns   string
			growing bool
			rounds  int
		}{
			{foresight.Stop{Worker: w.ID}, w.Name + " is the last worker: 15 units run nowhere until a worker joins", true, 1},
			{foresight.Crash{Worker: w.ID}, w.Name + " is the last worker: 15 units run nowhere until a worker joins", true, 1},
			{foresight.Stop{Worker: w.ID, Back: time.Minute}, w.Name + " is the last worker: 15 units run nowhere until it is back", false, 2},
			{foresight.Evict{Worker: w.ID}, w.Name + " is the last worker: the group is empty until it is back", false, 2},
			{foresight.Freeze{Worker: w.ID, For: time.Minute}, w.Name + " is the last worker: the group is empty until it is back", false, 2},
		} {
			p, err := foresight.Foresee(f.watch.State(), c.change)
			f.must(err)
			o := p.Outcomes[0]
			if len(o.Warnings) != 1 || o.Warnings[0] != c.warns || o.Cost.Growing != c.growing || len(o.Rounds) != c.rounds {
				t.Errorf("%T: %q, growing %v, %d rounds; want %q, %v, %d", c.change, o.Warnings, o.Cost.Growing, len(o.Rounds), c.warns, c.growing, c.rounds)
			}
			if _, evicts := c.change.(foresight.Evict); evicts && len(p.Outcomes) != 1 {
				t.Errorf("an eviction that nobody else sees goes %d ways", len(p.Outcomes))
			}
		}
		crash := foresight.Crash{Worker: w.ID}
		p, err := foresight.Foresee(f.watch.State(), crash)
		f.must(err)
		seq := act.Newest(f.watch.State())
		f.act(f.workers.Kill(f.t.Context(), w))
		s, err := f.watch.Until(f.t.Context(), "the group to notice", time.Minute, func(s *group.State) string {
			if s.Round().Empty() {
				return ""
			}
			return "a worker is in the group"
		})
		f.must(err)
		if diff := foresight.Compare(p.Outcomes[0].Rounds, act.Since(s, seq)); len(diff) > 0 {
			t.Errorf("foreseen and not what came: %v", diff)
		}
		if v := s.Verdict; v.Word != "EMPTY" || !v.Nowhere || v.Rank() >= 0 {
			t.Errorf("after it: %+v", v)
		}
	})
}
