package actions_test

import (
	"testing"
	"time"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/worker"
)

// A brand-new worker joins: nobody knows its member id before, and yet it comes as foreseen.
func TestABrandNewWorker(t *testing.T) {
	for _, protocol := range []worker.Protocol{worker.Sessioned, worker.Eager} {
		for seed := range uint64(4) {
			onField(t, lab.Options{Seed: seed + 1, Protocol: protocol}, func(f *field) {
				s := f.rest()
				x := f.lab.Adding(false)
				p, err := foresight.Foresee(s, x.Change)
				f.must(err)
				seen := act.Seen(s, x)
				f.act(x, nil)
				after, err := f.watch.Settled(f.t.Context(), time.Hour, seen)
				f.must(err)
				if o, diff := p.Compare(act.Since(after, act.Newest(s))); o == nil || len(diff) > 0 {
					f.t.Fatalf("%s, seed %d: otherwise than foreseen: %v; foreseen %v", protocol, seed+1, diff, p.Outcomes)
				}
			})
		}
	}
}

// While a delay runs it matters whether a worker that is added is in the group before its end: both ways are told, and each comes as
// it was told.
func TestANewWorkerWhileADelayRuns(t *testing.T) {
	for _, late := range []bool{false, true} {
		onField(t, lab.Options{}, func(f *field) {
			f.rest()
			f.act(f.workers.Stop(f.t.Context(), f.worker("follower")))
			_, err := f.watch.Until(f.t.Context(), "a delay", time.Minute, func(s *group.State) string {
				if s.Delay == nil {
					return "no delay runs"
				}
				return ""
			})
			f.must(err)
			before := f.watch.State()
			x := f.lab.Adding(false)
			join := x.Change.(foresight.Join)
			join.Starts = group.StartTimes{Times: group.Times{Low: time.Second, High: time.Hour}}
			p, err := foresight.Foresee(before, join)
			f.must(err)
			if len(p.Outcomes) != 2 || p.Outcomes[0].Exact() {
				f.t.Fatalf("one way is told of: %+v", p.Outcomes)
			}
			want := "it is in the group before the delay is over"
			if late {
				want = "it is in the group only after the delay"
				time.Sleep(before.Delay.Remaining + 5*time.Second)
			}
			f.act(x, nil)
			f.rest()
			o, diff := p.Compare(act.Since(f.watch.State(), act.Newest(before)))
			if o == nil || o.Name != want || len(diff) > 0 {
				f.t.Errorf("late %v: it came as %+v, %v", late, o, diff)
			}
		})
	}
}
