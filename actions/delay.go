package actions

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"regroup/actions/foresight"
	"regroup/group"
)

// settingsReader is a Reacher that can also read how a worker was set up, where it runs.
type settingsReader interface {
	// MaxDelay is the worker's scheduled.rebalance.max.delay.ms. No process is touched for it.
	MaxDelay(ctx context.Context, s *group.State, w group.Worker) (time.Duration, error)
}

// MaxDelay reads it from the properties file that a worker of this machine was started with.
func (l Local) MaxDelay(ctx context.Context, s *group.State, w group.Worker) (time.Duration, error) {
	p, err := l.find(ctx, s, w)
	if err != nil {
		return 0, err
	}
	if p.delay < 0 {
		return 0, fmt.Errorf("process %d: %s cannot be read", p.pid, delayKey)
	}
	return p.delay, nil
}

// lookTime bounds how long a worker's settings are looked for.
const lookTime = 5 * time.Second

// maxLooked bounds how many workers are asked.
const maxLooked = 4

// delayOf is what workers of this machine are set up with: the leader's, whose it is to apply it, else another's. from is whose
// it is; "" where it cannot be read from here.
func (k *Workers) delayOf(ctx context.Context, s *group.State) (d time.Duration, from string, leads bool) {
	here, err := thisMachine()
	if err != nil {
		return 0, "", false
	}
	var near []group.Worker
	for _, w := range s.Workers {
		if addr, err := netip.ParseAddr(strings.TrimPrefix(w.Host, "/")); err == nil && !w.Gone && here[addr.Unmap()] {
			near = append(near, w)
		}
	}
	slices.SortStableFunc(near, func(a, b group.Worker) int {
		switch {
		case a.Leader == b.Leader:
			return 0
		case a.Leader:
			return -1
		}
		return 1
	})
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	for _, w := range near[:min(len(near), maxLooked)] {
		for _, r := range k.Reachers {
			settings, ok := r.(settingsReader)
			if !ok {
				continue
			}
			if d, err := settings.MaxDelay(ctx, s, w); err == nil {
				return d, w.Name, w.Leader
			}
		}
	}
	return 0, "", false
}

// Foresee says what a change means for the group from its present state on. A delay that was never seen in it is looked up
// where a worker runs on this machine.
func (k *Workers) Foresee(ctx context.Context, s *group.State, c foresight.Change) (*foresight.Preview, error) {
	return foresight.ForeseeWith(s, c, k.delaySource(ctx, s))
}

func (k *Workers) delaySource(ctx context.Context, s *group.State) foresight.DelaySource {
	return func() (time.Duration, string, bool) { return k.delayOf(ctx, s) }
}

// maxDelay is how long lost work waits, as far as that is known.
func (k *Workers) maxDelay(ctx context.Context, s *group.State) time.Duration {
	return foresight.MaxDelay(s, k.delaySource(ctx, s))
}
