package lab

import (
	"context"

	"regroup/actions/act"

	"regroup/actions/foresight"
)

// Adding starts one more worker of the lab: one like the others, or, old, one that knows eager alone and takes everyone there.
func (l *Lab) Adding(old bool) act.Action {
	l.mu.Lock()
	name := l.freeName()
	l.mu.Unlock()
	opt := WorkerOptions{Name: name}
	x := act.Action{Verb: "add", Target: name, Change: foresight.Join{Client: name, Eager: old}}
	if old {
		opt = OldWorker(name)
		x.Destructive, x.Harm = true, name+" knows eager alone: while it is in the group, every round stops every unit"
	}
	x.Do = func(ctx context.Context, _ func(string)) (string, error) {
		_, err := l.Add(ctx, opt)
		return name + " is started", err
	}
	return x
}
