package process

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"regroup/actions/act"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
)

// Workers does things to the workers of one group.
type Workers struct {
	Group string
	Dial  observe.Dial
	Watch *act.Watch
	// Reachers reach workers' processes, tried in this order; see Local, Commands.
	Reachers []Reacher
	// AtOnce: workers that are started join at once, as those of the lab do.
	AtOnce bool
}

// Starts is how long a worker that is started now takes until it joins.
func (k *Workers) Starts(s *group.State) group.StartTimes {
	if k.AtOnce || s == nil {
		return group.StartTimes{}
	}
	return s.StartTimes()
}

// returns bounds how long an evicted worker may take to come back: a heartbeat, and the join of everybody.
const returns = 2 * time.Minute

// Evict puts a worker out of the group, as often as told: it comes back by itself.
func (k *Workers) Evict(w group.Worker, times int) act.Action {
	x := act.Action{
		Verb: "evict", Target: w.Name, Destructive: true, Change: foresight.Evict{Worker: w.ID, Times: times},
		Harm: w.Name + " is put out of the group and comes back about 3 s later, with its work in hand",
	}
	switch s := k.Watch.State(); {
	case s != nil && s.Round() != nil && s.Round().Workers == 1:
		x.Harm = w.Name + " is the last worker: the group is empty until it is back about 3 s later"
	case s != nil && s.Round() != nil && s.Round().Mode == group.ModeEager:
		x.Harm = w.Name + " is put out of the group and comes back about 3 s later: under eager everybody stops everything for that"
	case w.Leader:
		x.Harm = w.Name + " leads: it is put out of the group, and others may be given its work before it is back"
	}
	x.Do = func(ctx context.Context, tell func(string)) (string, error) {
		cl, err := k.Dial()
		if err != nil {
			return "", err
		}
		defer cl.Close()
		for n := 1; ; n++ {
			tell(fmt.Sprintf("evicting %s (%s)", w.Name, w.ID))
			if err := LeaveGroup(ctx, cl, k.Group, w.ID); err != nil {
				return "", fmt.Errorf("after %d of %d evictions: %w", n-1, times, err)
			}
			if times == 1 {
				return "evicted " + w.ID, nil
			}
			if n == times {
				return fmt.Sprintf("evicted %d times", n), nil
			}
			if w, err = k.comesBack(ctx, w); err != nil {
				return "", fmt.Errorf("after %d of %d evictions: %w", n, times, err)
			}
		}
	}
	return x
}

// comesBack waits until a worker that was put out has another member id, in a group that stands and in which nobody is about to join
// again; and a heartbeat longer, in which everybody hears of its round.
func (k *Workers) comesBack(ctx context.Context, was group.Worker) (group.Worker, error) {
	var now group.Worker
	_, err := k.Watch.Until(ctx, was.Name+" to come back", returns, func(s *group.State) string {
		w, here := act.Again(s, was)
		switch {
		case !here:
			return "it is not there"
		case w.ID == was.ID:
			return "no round without it, or with it anew, was seen"
		case s.Phase != "" && s.Phase != "Stable":
			return "the group is " + s.Phase
		}
		if r := s.Round(); r != nil && !s.RoundSettled() && s.Delay == nil {
			return fmt.Sprintf("round %d is not the last", r.Generation)
		}
		now = w
		return ""
	})
	if err != nil {
		return now, err
	}
	if err := act.Sleep(ctx, act.Quiet); err != nil {
		return now, err
	}
	if w, here := act.Again(k.Watch.State(), was); here {
		now = w
	}
	return now, nil
}

// LeaveGroup takes a member out of its group, whoever asks: the coordinator checks nothing but the id.
func LeaveGroup(ctx context.Context, cl *kgo.Client, name, member string) error {
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.MemberID = name, member // before version 3 there is room for one
	m := kmsg.NewLeaveGroupRequestMember()
	m.MemberID, m.Reason = member, kmsg.StringPtr("evicted with regroup")
	req.Members = append(req.Members, m)
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return fmt.Errorf("group %s: leave for %s: %w", decode.Printable(name), decode.Printable(member), err)
	}
	code := resp.ErrorCode
	for _, m := range resp.Members {
		if code == 0 {
			code = m.ErrorCode
		}
	}
	err = kerr.ErrorForCode(code)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kerr.UnknownMemberID):
		return fmt.Errorf("member %s: the group knows it no more: it has left, or come back under another id", decode.Printable(member))
	case errors.Is(err, kerr.GroupAuthorizationFailed):
		return fmt.Errorf("group %s: not allowed: evicting needs Read on Group %s", decode.Printable(name), decode.Printable(name))
	}
	return fmt.Errorf("group %s: leave for %s: %w", decode.Printable(name), decode.Printable(member), err)
}

// Bounce ends a worker politely and starts it again after a while, as an upgrade does.
func (k *Workers) Bounce(ctx context.Context, w group.Worker, after time.Duration) (act.Action, error) {
	p, err := k.Reach(ctx, k.Watch.State(), w)
	if err != nil {
		return act.Action{}, err
	}
	return act.Action{
		Verb: "bounce", Target: w.Name, Destructive: true, Change: foresight.Stop{Worker: w.ID, Back: after, Starts: k.Starts(k.Watch.State())},
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
func (k *Workers) Again(ctx context.Context, w group.Worker) (act.Action, error) {
	if !w.Gone {
		return act.Action{}, fmt.Errorf("worker %s: it is in the group", decode.Printable(w.Name))
	}
	p, err := k.Reach(ctx, k.Watch.State(), w)
	if err != nil {
		return act.Action{}, err
	}
	return act.Action{
		Verb: "start", Target: w.Name, Change: foresight.Join{Client: w.Client, URL: w.URL, Starts: k.Starts(k.Watch.State())},
		Do: func(ctx context.Context, _ func(string)) (string, error) {
			return "started: " + p.String(), p.Again(ctx)
		},
	}, nil
}

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

// MaxDelay is how long lost work waits, as far as that is known.
func (k *Workers) MaxDelay(ctx context.Context, s *group.State) time.Duration {
	return foresight.MaxDelay(s, k.delaySource(ctx, s))
}
