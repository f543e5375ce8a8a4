package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
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

// Verdict is as much of one as one description allows. That nothing is unassigned it cannot see, nor whether a delay
// that was announced still runs: such verdicts are likely, not seen.
func (g *GroupSummary) Verdict() group.Verdict {
	switch {
	case g.State == "Empty":
		return group.Verdict{Word: group.VerdictEmpty, Sentence: "No worker is in the group. What is configured runs nowhere.", Nowhere: true}
	case g.State != "Stable":
		return group.Verdict{Word: group.VerdictRebalancing, Sentence: "A join runs; nobody knows yet who gets what."}
	case g.Error != 0:
		return group.Verdict{Word: group.VerdictStuck, Likely: true, Sentence: "Workers' configs differ; the leader decided nothing."}
	case g.DelayMs > 0:
		d := time.Duration(g.DelayMs) * time.Millisecond
		return group.Verdict{Word: group.VerdictDelayed, Likely: true, Sentence: fmt.Sprintf("The last round announced a delay of %s.", d)}
	case g.Duplicated > 0:
		return group.Verdict{Word: group.VerdictDuplicated, Sentence: words.Count(g.Duplicated, "unit") + " reported by two workers."}
	}
	return group.Verdict{Word: group.VerdictSettled, Likely: true, Sentence: fmt.Sprintf("%s hold %s and %s.", words.Count(g.Workers, "worker"),
		words.Count(g.Connectors, "connector"), words.Count(g.Tasks, "task"))}
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
	cl, err := opt.cluster()
	if err != nil {
		return nil, nil, err
	}
	defer cl.Close()
	lists, err := onEach(ctx, cl, cl.groups)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, nil, fmt.Errorf("groups: %w", err)
	}
	var out []GroupSummary
	var hidden []NotShown
	var last error
	for _, l := range lists {
		if l.err == nil {
			out, hidden = append(out, l.groups...), append(hidden, l.hidden...)
			continue
		}
		_, why := diagnose(&resource{"cluster", "", "Describe", l.err})
		hidden = append(hidden, NotShown{Why: fmt.Sprintf("broker %d did not list its groups: %s", l.broker, why)})
		last = errors.New(why)
	}
	if !slices.ContainsFunc(lists, func(l listed) bool { return l.err == nil }) {
		if ctx.Err() != nil {
			last = context.Cause(ctx)
		}
		return nil, hidden, fmt.Errorf("groups: %w", cmp.Or(last, errors.New("no broker answered")))
	}
	// A group that moves just now is listed by two brokers.
	slices.SortStableFunc(out, func(a, b GroupSummary) int { return cmp.Compare(a.Group, b.Group) })
	out = slices.CompactFunc(out, func(a, b GroupSummary) bool { return a.Group == b.Group })
	return out, hidden, nil
}

// listed is what one broker says of the groups that it coordinates.
type listed struct {
	broker int32
	groups []GroupSummary
	hidden []NotShown
	err    error // it listed none
}

// groups asks one broker for its groups, and describes them there: a broker lists those that it coordinates.
func (c *cluster) groups(ctx context.Context, id int32) (l listed) {
	l.broker = id
	all, err := c.listGroups(ctx, id, "classic")
	if err != nil {
		l.err = err
		return l
	}
	names := connectGroups(all)
	for chunk := range slices.Chunk(names, groupsAtOnce) {
		c.summaries(ctx, id, chunk, &l)
	}
	return l
}

// listGroups lists the groups of some types, or of all, that one broker coordinates, as far as this user may list them.
func (c *cluster) listGroups(ctx context.Context, id int32, types ...string) ([]kmsg.ListGroupsResponseGroup, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	kresp, err := c.at(ctx, id, func() kmsg.Request {
		req := kmsg.NewPtrListGroupsRequest()
		req.TypesFilter = types // brokers fold case, not everything that speaks their protocol does
		return req
	})
	if err != nil {
		return nil, err
	}
	resp := kresp.(*kmsg.ListGroupsResponse)
	return resp.Groups, kerr.ErrorForCode(resp.ErrorCode)
}

// connectGroups are the names of the Connect groups among those that a broker listed.
func connectGroups(all []kmsg.ListGroupsResponseGroup) (names []string) {
	for _, g := range all {
		if g.ProtocolType == decode.ProtocolType {
			names = append(names, g.Group)
		}
	}
	return names
}

// summaries describes some groups of one coordinator. Each may fail alone.
func (c *cluster) summaries(ctx context.Context, id int32, names []string, l *listed) {
	hide := func(name string, err error) {
		_, why := diagnose(err)
		l.hidden = append(l.hidden, NotShown{name, why})
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	kresp, err := c.at(ctx, id, func() kmsg.Request {
		req := kmsg.NewPtrDescribeGroupsRequest()
		req.Groups = names
		return req
	})
	if err != nil {
		for _, name := range names {
			hide(name, &resource{"group", name, "Describe", err})
		}
		return
	}
	at, err := c.node(ctx, id)
	if err != nil {
		at = &peer{}
	}
	for i := range kresp.(*kmsg.DescribeGroupsResponse).Groups {
		g := &kresp.(*kmsg.DescribeGroupsResponse).Groups[i]
		d, err := description(g)
		if errors.Is(err, kerr.NotCoordinator) { // it moved since it was listed
			moved := &describer{cl: c, name: g.Group}
			d, err = moved.describe(ctx)
		}
		switch {
		case err != nil:
			hide(g.Group, err)
		case d.State == "Dead": // deleted since it was listed
		default:
			d.Coordinator = cmp.Or(d.Coordinator, at.addr)
			l.groups = append(l.groups, Summarize(g.Group, d))
		}
	}
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
