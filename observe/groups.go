package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
)

// GroupSummary is what one DescribeGroups answer says of a Connect group. No generation: that is in the log alone.
type GroupSummary struct {
	Group        string
	State        string // Kafka's word
	Protocol     string // "" unless Stable
	Mode         group.Mode
	Workers      int
	Connectors   int // that members hold
	Tasks        int // that members hold
	DelayMs      int32
	Error        int16 // 1: the leader could not assign, for workers' configs differ
	Leader       string
	LeaderURL    string
	ConfigOffset int64 // -1 when not known
	Duplicated   int   // units that two members report
	Unreadable   int   // members whose bytes could not be read
	Coordinator  string
}

// NotShown is a group, or a part of the cluster, of which nothing can be said.
type NotShown struct {
	Group string // "" when it is a broker that did not answer
	Why   string // one line: what, why, what to do
}

const groupsAtOnce = 100 // described in one request

// Groups lists the cluster's Connect groups by ListGroups and DescribeGroups alone, sorted by name. The error says that
// nothing could be listed at all.
func Groups(ctx context.Context, dial Dial) ([]GroupSummary, []NotShown, error) {
	opt := Options{Dial: dial}
	cl, err := opt.client()
	if err != nil {
		return nil, nil, err
	}
	defer cl.Close()

	list := kmsg.NewPtrListGroupsRequest()
	list.TypesFilter = []string{"classic"} // brokers fold case, not everything that speaks their protocol does
	ask, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var names []string
	var hidden []NotShown
	answered := false
	var last error
	for _, shard := range cl.RequestSharded(ask, list) {
		err := shard.Err
		if err == nil {
			resp := shard.Resp.(*kmsg.ListGroupsResponse)
			if err = kerr.ErrorForCode(resp.ErrorCode); err == nil {
				answered = true
				for _, g := range resp.Groups {
					if g.ProtocolType == decode.ProtocolType {
						names = append(names, g.Group)
					}
				}
				continue
			}
		}
		_, why := diagnose(&resource{"cluster", "", "Describe", err})
		hidden = append(hidden, NotShown{Why: fmt.Sprintf("broker %d did not list its groups: %s", shard.Meta.NodeID, why)})
		last = errors.New(why)
	}
	if !answered {
		if ctx.Err() != nil {
			last = context.Cause(ctx)
		}
		return nil, hidden, fmt.Errorf("groups: %w", cmp.Or(last, errors.New("no broker answered")))
	}
	slices.Sort(names)
	names = slices.Compact(names)

	var out []GroupSummary
	for chunk := range slices.Chunk(names, groupsAtOnce) {
		some, without := summaries(ctx, cl, chunk)
		out, hidden = append(out, some...), append(hidden, without...)
	}
	slices.SortFunc(out, func(a, b GroupSummary) int { return cmp.Compare(a.Group, b.Group) })
	return out, hidden, nil
}

// summaries describes some groups. Each lies at a coordinator of its own, and each may fail alone.
func summaries(ctx context.Context, cl *kgo.Client, names []string) (out []GroupSummary, hidden []NotShown) {
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = names
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	hide := func(name string, err error) {
		_, why := diagnose(err)
		hidden = append(hidden, NotShown{name, why})
	}
	for _, shard := range cl.RequestSharded(ctx, req) {
		if shard.Err != nil {
			for _, name := range shard.Req.(*kmsg.DescribeGroupsRequest).Groups {
				hide(name, &resource{"group", name, "Describe", shard.Err})
			}
			continue
		}
		for i := range shard.Resp.(*kmsg.DescribeGroupsResponse).Groups {
			g := &shard.Resp.(*kmsg.DescribeGroupsResponse).Groups[i]
			d, err := description(g)
			switch {
			case err != nil:
				hide(g.Group, err)
			case d.State == "Dead": // deleted since it was listed
			default:
				if shard.Meta.Host != "" {
					d.Coordinator = fmt.Sprintf("%s:%d", shard.Meta.Host, shard.Meta.Port)
				}
				out = append(out, Summarize(g.Group, d))
			}
		}
	}
	return out, hidden
}

// Summarize counts what a description says. Outside Stable brokers of 4.x send old assignments: nothing is counted then.
func Summarize(name string, d group.Description) GroupSummary {
	s := GroupSummary{Group: name, State: d.State, Workers: len(d.Members), ConfigOffset: -1, Coordinator: d.Coordinator}
	if d.State != "Stable" {
		return s
	}
	s.Protocol, s.Mode = d.Protocol, group.ModeCooperative
	if d.Protocol == decode.ProtocolEager {
		s.Mode = group.ModeEager
	}
	held, reporters := map[group.Unit]bool{}, map[group.Unit]int{}
	for _, m := range d.Members {
		sub, err := decode.ParseSubscription(m.Subscription)
		a, errA := decode.ParseAssignment(m.Assignment)
		if err != nil || errA != nil {
			s.Unreadable++
			continue
		}
		if a != nil {
			s.Leader, s.LeaderURL = a.Leader, a.LeaderURL
			s.DelayMs, s.Error = max(s.DelayMs, a.DelayMs), max(s.Error, a.Error)
			s.ConfigOffset = max(s.ConfigOffset, a.ConfigOffset)
			for _, u := range unitsAfter(sub, a) {
				held[u] = true
			}
		}
		if sub.Allocation != nil && s.Mode == group.ModeCooperative {
			for _, u := range decode.Units(sub.Allocation.Assigned) {
				reporters[u]++
			}
		}
	}
	for u := range held {
		if u.IsInstance() {
			s.Connectors++
		} else {
			s.Tasks++
		}
	}
	for _, n := range reporters {
		if n > 1 {
			s.Duplicated++
		}
	}
	return s
}
