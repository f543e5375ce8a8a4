package coordinator

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

// state is what a group is doing; DescribeGroups shows its name.
type state string

const (
	empty      state = "Empty"
	preparing  state = "PreparingRebalance"  // waits for members to join
	completing state = "CompletingRebalance" // waits for the leader's assignments
	stable     state = "Stable"
)

type group struct {
	name         string
	state        state
	since        time.Time // of this state
	generation   int32
	protocolType string
	protocol     string
	leader       string
	members      map[string]*member
	table        int             // buckets of the broker's HashMap of members
	seq          int             // of the member that came last
	handshakes   map[string]bool // ids given out that have not come back
	unsynced     map[string]bool // members that have not asked for their assignment
	fresh        *freshness      // while a group that was empty waits for more members
	recorded     []byte          // the value of the last record
}

// freshness is how long a group that was empty may still wait.
type freshness struct {
	step, left time.Duration
	grown      bool // a member came during this step
}

type member struct {
	id, client, host   string
	seq                int
	spread             uint32
	session, rebalance time.Duration
	protocols          []kmsg.JoinGroupRequestProtocol
	assignment         []byte
	joining            *parkedJoin // its join waits for the others
	syncing            *parkedSync // its sync waits for the leader
}

type parkedJoin struct {
	ask Ask
	req *kmsg.JoinGroupRequest
}

type parkedSync struct {
	ask Ask
	req *kmsg.SyncGroupRequest
}

func newGroup(name string, now time.Time) *group {
	return &group{
		name: name, state: empty, since: now, table: firstTable, members: map[string]*member{},
		handshakes: map[string]bool{}, unsynced: map[string]bool{},
	}
}

func (g *group) key() []byte { return decode.AppendGroupKey(nil, g.name) }

func (g *group) enter(s state, now time.Time) { g.state, g.since = s, now }

func (g *group) add(m *member) {
	if len(g.members) == 0 {
		g.leader = m.id
	}
	g.seq++
	m.seq, m.spread = g.seq, spread(m.id)
	g.members[m.id] = m
	if len(g.members) > g.table*3/4 {
		g.table *= 2
	}
}

// remove forgets a member. When it led, the first of the others leads, whether it will join again or not.
func (g *group) remove(id string) {
	delete(g.members, id)
	delete(g.unsynced, id)
	if g.leader != id {
		return
	}
	g.leader = ""
	if left := g.inOrder(); len(left) > 0 {
		g.leader = left[0].id
	}
}

// electJoined makes sure that the leader is one who joined.
func (g *group) electJoined() {
	if m := g.members[g.leader]; m != nil && m.joining != nil {
		return
	}
	for _, m := range g.inOrder() {
		if m.joining != nil {
			g.leader = m.id
			return
		}
	}
}

func (g *group) allJoined() bool {
	for _, m := range g.members {
		if m.joining == nil {
			return false
		}
	}
	return len(g.handshakes) == 0
}

// patience is how long the group waits for a join or a sync: the longest that any member asked for.
func (g *group) patience() time.Duration {
	var longest time.Duration
	for _, m := range g.members {
		longest = max(longest, m.rebalance)
	}
	return longest
}

// supports says whether a member with these protocols can be in the group.
func (g *group) supports(protocolType string, protocols []kmsg.JoinGroupRequestProtocol) bool {
	if protocolType == "" || len(protocols) == 0 {
		return false
	}
	if len(g.members) == 0 {
		return true
	}
	return protocolType == g.protocolType && slices.ContainsFunc(protocols, func(p kmsg.JoinGroupRequestProtocol) bool {
		return g.common(p.Name)
	})
}

// common says whether every member speaks that protocol.
func (g *group) common(protocol string) bool {
	for _, m := range g.members {
		if !slices.ContainsFunc(m.protocols, func(p kmsg.JoinGroupRequestProtocol) bool { return p.Name == protocol }) {
			return false
		}
	}
	return true
}

// vote picks the protocol: each member votes for the first of its own list that all speak.
func (g *group) vote() string {
	votes := map[string]int{}
	for _, m := range g.members {
		for _, p := range m.protocols {
			if g.common(p.Name) {
				votes[p.Name]++
				break
			}
		}
	}
	best := ""
	for name, n := range votes {
		if n > votes[best] || n == votes[best] && name < best {
			best = name
		}
	}
	return best
}

// metadata is what the member said under a protocol.
func (m *member) metadata(protocol string) []byte {
	for _, p := range m.protocols {
		if p.Name == protocol {
			return p.Metadata
		}
	}
	return nil
}

// same says whether the member would say nothing new.
func (m *member) same(protocols []kmsg.JoinGroupRequestProtocol) bool {
	return slices.EqualFunc(m.protocols, protocols, func(a, b kmsg.JoinGroupRequestProtocol) bool {
		return a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata)
	})
}

// inOrder lists the members as a broker's HashMap of them does, the order in which they are recorded and in which the next
// leader is looked for: by bucket, within one by when they came. The table doubles past three quarters full and never shrinks.
func (g *group) inOrder() []*member {
	out := make([]*member, 0, len(g.members))
	for _, m := range g.members {
		out = append(out, m)
	}
	mask := uint32(g.table - 1)
	slices.SortFunc(out, func(a, b *member) int {
		return cmp.Or(cmp.Compare(a.spread&mask, b.spread&mask), cmp.Compare(a.seq, b.seq))
	})
	return out
}

const firstTable = 16

// spread is the hash that Java's HashMap files a string under.
func spread(s string) uint32 {
	h := uint32(decode.JavaHash(s))
	return h ^ h>>16
}

// record is the value that a broker writes of the group as it stands, with these assignments by member.
func (g *group) record(assignments map[string][]byte) []byte {
	r := decode.GroupRecord{ProtocolType: g.protocolType, Generation: g.generation, Protocol: g.protocol, StateAt: g.since}
	if len(g.members) > 0 {
		r.Leader = g.leader
	}
	for _, m := range g.inOrder() {
		r.Members = append(r.Members, decode.Member{
			ID: m.id, Client: m.client, Host: m.host, RebalanceTimeout: m.rebalance,
			SessionTimeout: m.session, Subscription: m.metadata(g.protocol), Assignment: assignments[m.id],
		})
	}
	return decode.AppendGroupRecord(nil, r)
}

// load makes the group of a record: stable or empty, its members with their whole session before them.
func (c *Coordinator) load(now time.Time, name string, value []byte) *group {
	r, err := decode.ParseGroupRecord(value)
	if err != nil {
		return newGroup(name, now) // our own record; cannot be
	}
	g := newGroup(name, now)
	g.recorded, g.since = value, r.StateAt
	g.generation, g.protocolType, g.protocol = r.Generation, r.ProtocolType, r.Protocol
	for _, m := range r.Members {
		g.add(&member{
			id: m.ID, client: m.Client, host: m.Host, session: m.SessionTimeout, rebalance: m.RebalanceTimeout,
			protocols: []kmsg.JoinGroupRequestProtocol{{Name: r.Protocol, Metadata: m.Subscription}}, assignment: m.Assignment,
		})
		c.due.set(now.Add(m.SessionTimeout), timer{sessionTimer, name, m.ID})
	}
	if len(g.members) > 0 {
		g.leader, g.state = r.Leader, stable
	} else {
		c.cleanLater(now, g)
	}
	return g
}

// errorSince is the first version of DescribeGroups that says of an unknown group that it is unknown.
const errorSince = 6

// describe shows groups as brokers of 4.x do: outside Stable a member's assignment is its last one, which says nothing.
func (c *Coordinator) describe(req *kmsg.DescribeGroupsRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.DescribeGroupsResponse) //nolint:forcetypeassert // kmsg's own pair
	for _, name := range req.Groups {
		rg := kmsg.NewDescribeGroupsResponseGroup()
		rg.Group, rg.State = name, "Dead"
		if g := c.groups[name]; g != nil {
			g.describe(&rg)
		} else if req.Version >= errorSince {
			rg.ErrorCode = kerr.GroupIDNotFound.Code
			rg.ErrorMessage = kmsg.StringPtr("Group " + name + " not found.")
		}
		resp.Groups = append(resp.Groups, rg)
	}
	return resp
}

func (g *group) describe(rg *kmsg.DescribeGroupsResponseGroup) {
	rg.State, rg.ProtocolType = string(g.state), g.protocolType
	if g.state == stable {
		rg.Protocol = g.protocol
	}
	for _, m := range g.inOrder() {
		rm := kmsg.NewDescribeGroupsResponseGroupMember()
		rm.MemberID, rm.ClientID, rm.ClientHost, rm.MemberAssignment = m.id, m.client, m.host, m.assignment
		if g.state == stable {
			rm.ProtocolMetadata = m.metadata(g.protocol)
		}
		rg.Members = append(rg.Members, rm)
	}
}

const groupType = "Classic"

// list shows the groups that pass the filters, which fold case as brokers do.
func (c *Coordinator) list(req *kmsg.ListGroupsRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.ListGroupsResponse) //nolint:forcetypeassert // kmsg's own pair
	wanted := func(filter []string, word string) bool {
		return len(filter) == 0 || slices.ContainsFunc(filter, func(f string) bool { return strings.EqualFold(f, word) })
	}
	for _, name := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[name]
		if !wanted(req.StatesFilter, string(g.state)) || !wanted(req.TypesFilter, groupType) {
			continue
		}
		rg := kmsg.NewListGroupsResponseGroup()
		rg.Group, rg.ProtocolType, rg.GroupState, rg.GroupType = name, g.protocolType, string(g.state), groupType
		resp.Groups = append(resp.Groups, rg)
	}
	return resp
}

func (c *Coordinator) delete(req *kmsg.DeleteGroupsRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.DeleteGroupsResponse) //nolint:forcetypeassert // kmsg's own pair
	for _, name := range req.Groups {
		rg := kmsg.NewDeleteGroupsResponseGroup()
		rg.Group = name
		switch g := c.groups[name]; {
		case g == nil:
			rg.ErrorCode = kerr.GroupIDNotFound.Code
		case g.state != empty:
			rg.ErrorCode = kerr.NonEmptyGroup.Code
		default:
			c.forget(g)
		}
		resp.Groups = append(resp.Groups, rg)
	}
	return resp
}

// cleanLater has an empty group deleted at the next cycle of cleaning: a Connect group has no offsets to keep it.
func (c *Coordinator) cleanLater(now time.Time, g *group) {
	next := now.Sub(c.first).Truncate(c.opt.Cleanup) + c.opt.Cleanup
	c.due.set(c.first.Add(next), timer{kind: cleanupTimer, group: g.name})
}

func (c *Coordinator) cleanup(g *group) {
	if g.state == empty && len(g.handshakes) == 0 {
		c.forget(g)
	}
}

// forget writes the tombstone. A group of that name that comes later begins at generation 0.
func (c *Coordinator) forget(g *group) {
	c.due.stop(timer{kind: cleanupTimer, group: g.name})
	delete(c.groups, g.name)
	c.write(g, nil, nil)
}
