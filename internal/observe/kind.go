package observe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
)

// KindError says that a group is not one of Connect workers, and what it is. Nothing may be done to such a group, nor be read
// of it as if its members were workers.
type KindError struct {
	Group string
	What  string // "a consumer group (…)"
}

func (e *KindError) Error() string {
	return fmt.Sprintf("group %s is %s, not a group of Connect workers", e.Group, e.What)
}

// kindTimeout is how long a command waits for the answer before it sets out: whoever observes the group asks again.
const kindTimeout = 3 * time.Second

// CheckKind asks the coordinator what kind a group is of: the error is a *KindError when it is none of Connect workers. A group
// that is not there, or that cannot be asked about, is no error: its sources say so.
func CheckKind(ctx context.Context, dial Dial, name string) error {
	opt := Options{Dial: dial}
	cl, err := opt.cluster()
	if err != nil {
		return nil // whoever observes the group says it
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(ctx, kindTimeout)
	defer cancel()
	ask := &describer{cl: cl, name: name}
	if _, err = ask.describe(ctx); err == nil {
		return nil
	}
	return kindError(ctx, cl, err)
}

// kindError is the *KindError in err, with the group's type where only a list of groups tells it; nil when there is none.
func kindError(ctx context.Context, cl *cluster, err error) error {
	var kind *KindError
	if !errors.As(err, &kind) {
		return nil
	}
	if kind.What == "" {
		kind = &KindError{kind.Group, newerKind(groupType(ctx, cl, kind.Group))}
	}
	return kind
}

// classicKind is what a classic group is by its protocol type; "" when it is of Connect workers, or when its members have not
// said yet.
func classicKind(protocolType string) string {
	switch protocolType {
	case decode.ProtocolType, "":
		return ""
	case "consumer":
		return `a consumer group (members speak "consumer")`
	}
	return fmt.Sprintf("a group whose members speak %q", protocolType)
}

// newerKind is what a group of a type that came after classic groups is.
func newerKind(kind string) string {
	switch kind = strings.ToLower(kind); kind {
	case "consumer":
		return "a consumer group (of the consumer rebalance protocol, KIP-848)"
	case "share", "streams":
		return "a " + kind + " group"
	}
	return "not a classic group"
}

// notClassic is the error of a group of a newer type, which the answer to DescribeGroups names in a message alone (since version
// 6); nil for others.
func notClassic(g *kmsg.DescribeGroupsResponseGroup) error {
	if g.ErrorCode == kerr.GroupIDNotFound.Code && g.ErrorMessage != nil && strings.Contains(*g.ErrorMessage, "not a classic group") {
		return &KindError{Group: g.Group}
	}
	return nil
}

// groupType is a group's type as brokers list it; "" when that is not to be had.
func groupType(ctx context.Context, cl *cluster, name string) string {
	for _, g := range allGroups(ctx, cl) {
		if g.Group == name {
			return g.GroupType
		}
	}
	return ""
}

// SeesAllGroups reports whether this user may describe the cluster, which shows every group on it; without that right brokers leave
// out of their lists what may not be described. True where a broker does not say (before 2.8), or does not answer.
func SeesAllGroups(ctx context.Context, dial Dial) bool {
	opt := Options{Dial: dial}
	cl, err := opt.cluster()
	if err != nil {
		return true
	}
	defer cl.Close()
	kresp, err := cl.any(ctx, func() kmsg.Request {
		req := kmsg.NewPtrDescribeClusterRequest()
		req.IncludeClusterAuthorizedOperations = true
		return req
	})
	if err != nil {
		return true
	}
	resp := kresp.(*kmsg.DescribeClusterResponse)
	if resp.ErrorCode != 0 {
		return resp.ErrorCode != kerr.ClusterAuthorizationFailed.Code
	}
	const notSaid = math.MinInt32
	return resp.ClusterAuthorizedOperations == notSaid || resp.ClusterAuthorizedOperations&(1<<kmsg.ACLOperationDescribe) != 0
}

// allGroups lists the cluster's groups of some types, or of all, as far as this user may list them and brokers answer.
func allGroups(ctx context.Context, cl *cluster, types ...string) []kmsg.ListGroupsResponseGroup {
	lists, _ := onEach(ctx, cl, func(ctx context.Context, id int32) []kmsg.ListGroupsResponseGroup {
		some, _ := cl.listGroups(ctx, id, types...)
		return some
	})
	return slices.Concat(lists...)
}

// groupNames are the names of the cluster's Connect groups.
func groupNames(ctx context.Context, cl *cluster) []string {
	names := connectGroups(allGroups(ctx, cl, "classic"))
	slices.Sort(names)
	return slices.Compact(names)
}

// How often other groups are looked at for workers that write to this group's topics, while there are such: soon at first, then
// seldom, for most are of workers that are long gone.
const (
	neighboursSoon = 30 * time.Second
	neighboursLate = 5 * time.Minute
)

// neighbours names the groups whose workers write to this group's status topic. Nothing is asked while all who do are known.
func neighbours(ctx context.Context, s *source) error {
	pause, authors := neighboursSoon, -1
	var told []group.OtherGroup
	for {
		view, changed := s.out.view()
		if view.told() && view.status != "" && view.status != group.HealthCatchingUp && len(view.authors) != authors {
			// Not at each change: to read the members' bytes at each round of a storm would cost too much.
			if authors >= 0 {
				pause = neighboursSoon
			}
			authors = len(view.authors)
			if strangers := view.strangers(); len(strangers) > 0 {
				told = s.lookAround(ctx, strangers, told)
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer.C:
			authors, pause = -1, min(2*pause, neighboursLate)
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it ends because it was told to
		}
	}
}

// strangers are the addresses that statuses name and no member of the newest round has.
func (r *roster) strangers() map[string]bool {
	urls, out := r.urls(), map[string]bool{}
	for at := range r.authors {
		if !slices.Contains(urls, at) {
			out[at] = true
		}
	}
	return out
}

// lookAround describes the cluster's other Connect groups and emits those with one of these workers, where that is news. One
// without a name ends each look: whoever waits for it need wait no longer.
func (s *source) lookAround(ctx context.Context, strangers map[string]bool, told []group.OtherGroup) []group.OtherGroup {
	lists, _ := onEach(ctx, s.cl, s.cl.connectGroups)
	var found []group.OtherGroup
	for _, o := range slices.Concat(lists...) {
		if o.Group != s.opt.Group && slices.ContainsFunc(o.Workers, func(at string) bool { return strangers[at] }) {
			o.At = s.opt.Clock()
			found = append(found, o)
		}
	}
	for _, o := range found {
		i := slices.IndexFunc(told, func(was group.OtherGroup) bool { return was.Group == o.Group })
		if i < 0 || told[i].State != o.State || !slices.Equal(told[i].Workers, o.Workers) {
			s.out.put(o)
		}
	}
	s.out.put(group.OtherGroup{At: s.opt.Clock()})
	return found
}

// connectGroups describes the Connect groups that one broker coordinates: their states and the addresses of their members.
func (c *cluster) connectGroups(ctx context.Context, id int32) (out []group.OtherGroup) {
	all, err := c.listGroups(ctx, id, "classic")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for names := range slices.Chunk(connectGroups(all), groupsAtOnce) {
		kresp, err := c.at(ctx, id, func() kmsg.Request {
			req := kmsg.NewPtrDescribeGroupsRequest()
			req.Groups = names
			return req
		})
		if err != nil {
			return out
		}
		for i := range kresp.(*kmsg.DescribeGroupsResponse).Groups {
			g := &kresp.(*kmsg.DescribeGroupsResponse).Groups[i]
			d, err := description(g)
			if err != nil || len(d.Members) == 0 {
				continue
			}
			out = append(out, group.OtherGroup{Group: g.Group, State: d.State, Workers: addressesOf(d.Members)})
		}
	}
	return out
}
