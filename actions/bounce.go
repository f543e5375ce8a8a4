package actions

import (
	"context"
	"fmt"
	"time"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
)

// Bounce ends a worker politely and starts it again after a while, as an upgrade does.
func (k *Workers) Bounce(ctx context.Context, w group.Worker, after time.Duration) (Action, error) {
	p, err := k.reach(ctx, k.Watch.State(), w)
	if err != nil {
		return Action{}, err
	}
	return Action{
		Verb: "bounce", Target: w.Name, Destructive: true, Change: foresight.Stop{Worker: w.ID, Back: after, Starts: k.starts(k.Watch.State())},
		Harm: fmt.Sprintf("%s is asked to end, and started again after %s", p, after),
		Do: func(ctx context.Context, tell func(string)) (answer string, err error) {
			if err := p.Terminate(ctx); err != nil {
				return "", err
			}
			tell(fmt.Sprintf("%s has ended; it starts again in %s", p, after))
			timer := time.NewTimer(after)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
				return "", fmt.Errorf("%s is ended and was not started again: %w", p, ctx.Err())
			}
			return "started again: " + p.String(), p.Again(ctx)
		},
	}, nil
}

// Again starts a worker that has left, with the name and the URL that it had.
func (k *Workers) Again(ctx context.Context, w group.Worker) (Action, error) {
	if !w.Gone {
		return Action{}, fmt.Errorf("worker %s: it is in the group", decode.Printable(w.Name))
	}
	p, err := k.reach(ctx, k.Watch.State(), w)
	if err != nil {
		return Action{}, err
	}
	return Action{
		Verb: "start", Target: w.Name, Change: foresight.Join{Client: w.Client, URL: w.URL, Starts: k.starts(k.Watch.State())},
		Do: func(ctx context.Context, _ func(string)) (string, error) {
			return "started: " + p.String(), p.Again(ctx)
		},
	}, nil
}
