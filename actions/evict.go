package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	Watch *Watch
	// Reachers reach workers' processes, tried in this order; see Local, Commands.
	Reachers []Reacher
	// AtOnce: workers that are started join at once, as those of the lab do.
	AtOnce bool
}

// starts is how long a worker that is started now takes until it joins.
func (k *Workers) starts(s *group.State) group.StartTimes {
	if k.AtOnce || s == nil {
		return group.StartTimes{}
	}
	return s.StartTimes()
}

// returns bounds how long an evicted worker may take to come back: a heartbeat, and the join of everybody.
const returns = 2 * time.Minute

// Evict puts a worker out of the group, as often as told: it comes back by itself.
func (k *Workers) Evict(w group.Worker, times int) Action {
	x := Action{
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
			if err := leaveGroup(ctx, cl, k.Group, w.ID); err != nil {
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
		w, here := again(s, was)
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
	if err := byTheClock(ctx, quiet); err != nil {
		return now, err
	}
	if w, here := again(k.Watch.State(), was); here {
		now = w
	}
	return now, nil
}

// leaveGroup takes a member out of its group, whoever asks: the coordinator checks nothing but the id.
func leaveGroup(ctx context.Context, cl *kgo.Client, name, member string) error {
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
