package actions_test

import (
	"testing"
	"time"

	"regroup/actions"
	"regroup/lab"
	"regroup/lab/worker"
)

// A brand-new worker joins: nobody knows its member id before, and yet it comes as foreseen.
func TestABrandNewWorker(t *testing.T) {
	for _, protocol := range []worker.Protocol{worker.Sessioned, worker.Eager} {
		for seed := range uint64(4) {
			onField(t, lab.Options{Seed: seed + 1, Protocol: protocol}, func(f *field) {
				s := f.rest()
				x := f.lab.Adding(false)
				p, err := actions.Foresee(s, x.Change)
				f.must(err)
				seen := actions.Seen(s, x)
				f.act(x, nil)
				after, err := f.watch.Settled(f.t.Context(), time.Hour, seen)
				f.must(err)
				if o, diff := p.Compare(actions.Since(after, actions.Newest(s))); o == nil || len(diff) > 0 {
					f.t.Fatalf("%s, seed %d: otherwise than foreseen: %v; foreseen %v", protocol, seed+1, diff, p.Outcomes)
				}
			})
		}
	}
}
