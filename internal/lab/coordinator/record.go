package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

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
