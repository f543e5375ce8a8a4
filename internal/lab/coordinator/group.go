package coordinator

import (
	"bytes"
	"slices"
	"time"

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
