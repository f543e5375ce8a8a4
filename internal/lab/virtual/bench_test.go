package virtual_test

import (
	"fmt"
	"testing"
	"time"

	"regroup/actions/exercise"

	"regroup/group"
	"regroup/internal/lab/virtual"
)

// The budget for both modes of a rolling restart of 20 workers and 2,000 tasks, printed, is a second (DESIGN.md, section 11).
func BenchmarkRollingRestart(b *testing.B) {
	for _, eager := range []bool{true, false} {
		b.Run(fmt.Sprint("eager=", eager), func(b *testing.B) {
			for b.Loop() {
				opt := options(20, 4, 2000)
				opt.Eager = eager
				played(b, opt, "rolling-restart")
			}
		})
	}
}

func options(workers, connectors, tasks int) virtual.Options {
	opt := virtual.Options{
		Workers: workers, Delay: 20 * time.Second, Seed: 1, InitialDelay: 3 * time.Second,
		Start: 30 * time.Millisecond, Stop: 15 * time.Millisecond,
	}
	for i := range connectors {
		opt.Connectors = append(opt.Connectors, virtual.Connector{Name: fmt.Sprintf("sink-%d", i+1), Tasks: tasks / connectors})
	}
	return opt
}

// played is the group after an exercise, and when that began.
func played(tb testing.TB, opt virtual.Options, name string) (*group.State, time.Time) {
	tb.Helper()
	model := group.New(group.Options{Group: "connect-virtual", MaxDelay: opt.Delay})
	s := virtual.New(opt, model.Apply)
	if err := s.Begin(); err != nil {
		tb.Fatal(err)
	}
	b, err := exercise.FindBuiltin(name)
	if err != nil {
		tb.Fatal(err)
	}
	ex, err := b.Exercise(model.State(s.Now()), exercise.Choice{Pause: 8 * time.Second})
	if err != nil {
		tb.Fatal(err)
	}
	from := s.Now()
	p := s.Play()
	for _, step := range ex.Steps {
		if err := p.Step(step); err != nil {
			tb.Fatal(err)
		}
	}
	st := model.State(s.Now())
	for _, r := range st.Rounds {
		st.Cost(r)
	}
	return st, from
}
