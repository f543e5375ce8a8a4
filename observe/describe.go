package observe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
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
	for {
		var d group.Description
		if !s.until(ctx, func() (err error) {
			d, err = describe(ctx, s.cl, s.opt.Group)
			return err
		}) {
			return nil
		}
		d.At = s.opt.Clock()
		s.out.put(d)
		s.working(standing(s.opt.Group, d))
		if !s.pause(ctx, d.State) {
			return nil
		}
	}
}

// standing is the health of a group that could be described.
func standing(name string, d group.Description) (group.Health, string) {
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

// errNotConnect says that a group is of another kind.
var errNotConnect = errors.New("not a group of Connect workers")

// describe asks the coordinator for one group. A group that it does not know is Dead, for every version of the request.
func describe(ctx context.Context, cl *kgo.Client, name string) (group.Description, error) {
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = []string{name}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	shards := cl.RequestSharded(ctx, req)
	if len(shards) != 1 {
		return group.Description{}, fmt.Errorf("group %s: %d answers to one question", name, len(shards))
	}
	if err := shards[0].Err; err != nil {
		return group.Description{}, &resource{"group", name, "Describe", err}
	}
	resp := shards[0].Resp.(*kmsg.DescribeGroupsResponse)
	if len(resp.Groups) != 1 {
		return group.Description{}, fmt.Errorf("group %s: %d groups in the broker's answer", name, len(resp.Groups))
	}
	d, err := description(&resp.Groups[0])
	m := shards[0].Meta
	if m.Host != "" {
		d.Coordinator = fmt.Sprintf("%s:%d", m.Host, m.Port)
	}
	return d, err
}

// description reads one group of an answer.
func description(g *kmsg.DescribeGroupsResponseGroup) (group.Description, error) {
	if g.ErrorCode == kerr.GroupIDNotFound.Code { // since version 6; a group of the newer kinds gets it too, with a message
		if g.ErrorMessage != nil && strings.Contains(*g.ErrorMessage, "not a classic group") {
			return group.Description{}, &resource{"group", g.Group, "Describe", fmt.Errorf("%w: %s", errNotConnect, *g.ErrorMessage)}
		}
		return group.Description{State: "Dead"}, nil
	}
	if err := about("group", g.Group, "Describe", g.ErrorCode); err != nil {
		return group.Description{}, err
	}
	if g.ProtocolType != decode.ProtocolType && g.ProtocolType != "" {
		return group.Description{}, &resource{"group", g.Group, "Describe", fmt.Errorf("%w: its members speak %q", errNotConnect, g.ProtocolType)}
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
