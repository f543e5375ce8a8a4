package lab

import (
	"context"
	"fmt"

	"regroup/actions/process"

	"regroup/decode"
	"regroup/group"
)

// Reacher reaches the lab's workers as others reach processes: found by client id, which here nobody shares.
func (l *Lab) Reacher() process.Reacher { return reacher{l} }

type reacher struct{ lab *Lab }

func (r reacher) Reach(_ context.Context, s *group.State, w group.Worker) (process.Process, error) {
	for _, m := range r.lab.Workers() {
		if m.Name == w.Client && m.URL == w.URL && s.Group == r.lab.Group() {
			return simulated{r.lab, m.Name}, nil
		}
	}
	return nil, fmt.Errorf("worker %s: it is none of the lab's", decode.Printable(w.Name))
}

// simulated is a worker of the lab.
type simulated struct {
	lab  *Lab
	name string
}

func (p simulated) String() string { return "the simulated worker " + p.name }

func (p simulated) Terminate(ctx context.Context) error { return p.lab.Stop(ctx, p.name) }

func (p simulated) Kill(context.Context) error { return p.lab.Kill(p.name) }

func (p simulated) Freeze(context.Context) (thaw func() error, err error) {
	return func() error { return p.lab.Wake(p.name) }, p.lab.Freeze(p.name)
}

func (p simulated) Again(ctx context.Context) error { return p.lab.Return(ctx, p.name) }
