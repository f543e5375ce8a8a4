package observe

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/taskgroup"
)

const (
	movingPoll = 500 * time.Millisecond
	restPoll   = 5 * time.Second
	// settling is how long after a group record the group is taken to be moving still: a second round follows revocations.
	settling = 3 * time.Second
)

// describing polls the coordinator with DescribeGroups: it knows the states between records.
func describing(ctx context.Context, s *source) error {
	s.rename(s.opt.Group)
	ask := &describer{cl: s.cl, name: s.opt.Group}
	for {
		var d group.Description
		var refused error
		if !s.until(ctx, func() (err error) {
			d, err = ask.describe(ctx)
			if refused = kindError(ctx, s.cl, err); refused != nil {
				err = nil // trying again changes nothing
			}
			return err
		}) {
			return nil
		}
		if refused != nil {
			return refused
		}
		d.At = s.opt.Clock()
		s.out.put(d)
		s.working(described(s.opt.Group, d))
		if !s.pause(ctx, d.State) {
			return nil
		}
	}
}

// described is the health of a group that could be described.
func described(name string, d group.Description) (group.Health, string) {
	if d.State == "Dead" {
		return group.HealthMissing, fmt.Sprintf("there is no group %s at the broker: check its name with `regroup groups`, or start a worker", name)
	}
	return group.HealthOK, ""
}

// pause waits for the next poll: soon while the group moves, and at once when its log says that it begins to.
func (s *source) pause(ctx context.Context, state string) bool {
	for begun := s.opt.Clock(); ; {
		view, changed := s.out.view()
		now := s.opt.Clock()
		wait := restPoll
		if state != "Stable" && state != "Empty" && state != "Dead" || now.Sub(view.movedAt) < settling {
			wait = movingPoll
		}
		if wait -= now.Sub(begun); wait <= 0 {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-changed:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return false
		}
	}
}

// describer asks a group's coordinator. It remembers which broker that is for as long as it answers.
type describer struct {
	cl   *cluster
	name string
	at   *peer
}

// lookAgain is how long the coordinator may be silent before the others are asked whether it still is the coordinator.
const lookAgain = time.Second

// describe asks the coordinator for one group. A group that it does not know is Dead, for every version of the request.
func (d *describer) describe(ctx context.Context) (group.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for stale := d.at != nil; ; stale = false {
		if d.at == nil {
			var err error
			if d.at, err = d.cl.coordinator(ctx, d.name); err != nil {
				return group.Description{}, &resource{"group", d.name, "Describe", err}
			}
		}
		at := d.at
		desc, err := d.answer(ctx)
		if err == nil {
			desc.Coordinator = at.addr
			return desc, nil
		}
		if errors.Is(err, errMoved) {
			continue
		}
		d.at = nil
		if !stale || ctx.Err() != nil || !goneCoordinator(err) {
			return desc, err
		}
	}
}

// errMoved says that a request went to a broker that is the right one no more.
var errMoved = errors.New("another broker took over")

// goneCoordinator reports whether an error can come of asking a broker that coordinates the group no more.
func goneCoordinator(err error) bool {
	var of *peerError
	return errors.As(err, &of) || errors.Is(err, kerr.NotCoordinator) || errors.Is(err, kerr.CoordinatorNotAvailable)
}

// answer asks the broker that is taken for the coordinator. While it is silent the others are asked: a broker that froze, or
// whose machine is gone, says nothing of its end, and its partitions are led by another long before a request times out.
func (d *describer) answer(ctx context.Context) (desc group.Description, err error) {
	all, inner := taskgroup.New(ctx)
	defer func() {
		all.Cancel()
		err = errors.Join(err, all.Wait())
	}()
	type result struct {
		desc group.Description
		err  error
	}
	answered, at := make(chan result, 1), d.at
	all.Go("describing "+d.name, func(context.Context) error {
		desc, err := d.cl.describe(inner, at, d.name)
		answered <- result{desc, err}
		return nil
	})
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		select {
		case r := <-answered:
			return r.desc, r.err
		case <-inner.Done():
			return desc, &resource{"group", d.name, "Describe", context.Cause(inner)}
		case <-again.C:
			look, cancel := context.WithTimeout(inner, lookAgain)
			now, err := d.cl.coordinator(look, d.name)
			cancel()
			if err == nil && now != at {
				d.at = now
				return desc, errMoved
			}
		}
	}
}

// describe asks one broker for one group.
func (c *cluster) describe(ctx context.Context, p *peer, name string) (group.Description, error) {
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = []string{name}
	kresp, err := c.ask(ctx, p, req)
	if err != nil {
		return group.Description{}, &resource{"group", name, "Describe", err}
	}
	resp := kresp.(*kmsg.DescribeGroupsResponse)
	if len(resp.Groups) != 1 {
		return group.Description{}, fmt.Errorf("group %s: %d groups in the broker's answer", name, len(resp.Groups))
	}
	return description(&resp.Groups[0])
}

// description reads one group of an answer.
func description(g *kmsg.DescribeGroupsResponseGroup) (group.Description, error) {
	if err := notClassic(g); err != nil {
		return group.Description{}, err
	}
	if g.ErrorCode == kerr.GroupIDNotFound.Code { // since version 6
		return group.Description{State: "Dead"}, nil
	}
	if err := about("group", g.Group, "Describe", g.ErrorCode); err != nil {
		return group.Description{}, err
	}
	if what := classicKind(g.ProtocolType); what != "" {
		return group.Description{}, &KindError{g.Group, what}
	}
	d := group.Description{State: g.State, Protocol: g.Protocol}
	for _, m := range g.Members {
		member := decode.Member{ID: m.MemberID, Client: m.ClientID, Host: m.ClientHost, Subscription: m.ProtocolMetadata, Assignment: m.MemberAssignment}
		if m.InstanceID != nil {
			member.InstanceID = *m.InstanceID
		}
		d.Members = append(d.Members, member)
	}
	return d, nil
}
