package actions_test

import (
	"strings"
	"testing"
	"time"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/internal/lab"
)

// Of several evictions each may go another way: what came is held against all that they can make together, round by round.
func TestEvictionsOneAfterTheOther(t *testing.T) {
	for seed := range uint64(6) {
		for _, who := range []string{"follower", "leader"} {
			onField(t, lab.Options{Seed: seed + 1}, func(f *field) {
				s := f.rest()
				w := f.worker(who)
				const times = 3
				x := f.workers.Evict(w, times)
				p, err := foresight.Foresee(s, x.Change)
				f.must(err)
				if p.Times != times {
					f.t.Errorf("it is foreseen for %d times", p.Times)
				}
				for _, o := range p.Outcomes {
					if len(o.Rounds) > 3 {
						f.t.Errorf("an outcome tells %d rounds, more than one eviction makes", len(o.Rounds))
					}
				}
				seen := act.Seen(s, x)
				f.act(x, nil)
				after, err := f.watch.Settled(f.t.Context(), time.Hour, seen)
				f.must(err)
				rounds := act.Since(after, act.Newest(s))
				o, diff := p.Compare(rounds)
				if o == nil || len(diff) > 0 {
					f.t.Fatalf("seed %d, %s: %d rounds came; otherwise than foreseen: %v", seed+1, who, len(rounds), diff)
				}
				if !strings.Contains(o.Name, "time") && !strings.Contains(o.Name, "once") {
					f.t.Errorf("the course is called %q", o.Name)
				}
				f.t.Logf("%s: %s", who, o.Name)
			})
		}
	}
}
