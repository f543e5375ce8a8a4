package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// handshakeSince is the first version of JoinGroup in which a new member is given its id first and has to come again.
const handshakeSince = 4

func (c *Coordinator) join(now time.Time, ask Ask, from Client, req *kmsg.JoinGroupRequest) {
	if session := millis(req.SessionTimeoutMillis); session < c.opt.MinSession || session > c.opt.MaxSession {
		c.refuseJoin(ask, req, kerr.InvalidSessionTimeout.Code)
		return
	}
	g := c.groups[req.Group]
	switch {
	case req.Group == "":
		c.refuseJoin(ask, req, kerr.InvalidGroupID.Code)
	case g == nil && req.MemberID != "":
		c.refuseJoin(ask, req, kerr.UnknownMemberID.Code)
	case g != nil && !g.supports(req.ProtocolType, req.Protocols):
		c.refuseJoin(ask, req, kerr.InconsistentGroupProtocol.Code)
	case req.MemberID == "":
		c.joinNew(now, ask, from, req)
	case g.handshakes[req.MemberID]:
		c.admit(now, g, ask, from, req, req.MemberID)
	case g.members[req.MemberID] == nil:
		c.refuseJoin(ask, req, kerr.UnknownMemberID.Code)
	default:
		c.joinAgain(now, g, g.members[req.MemberID], ask, req)
	}
}

// joinNew makes the group when there is none: its record says generation 0 and nobody.
func (c *Coordinator) joinNew(now time.Time, ask Ask, from Client, req *kmsg.JoinGroupRequest) {
	g := c.groups[req.Group]
	if g == nil {
		g = newGroup(req.Group, now)
		c.groups[req.Group] = g
		c.write(g, g.record(nil), nil)
		c.cleanLater(now, g)
	}
	id := c.opt.NewMember(from.ID)
	if req.Version < handshakeSince {
		c.admit(now, g, ask, from, req, id)
		return
	}
	g.handshakes[id] = true
	c.due.set(now.Add(millis(req.SessionTimeoutMillis)), timer{sessionTimer, g.name, id})
	resp := joinResponse(req)
	resp.MemberID, resp.ErrorCode = id, kerr.MemberIDRequired.Code
	c.reply(ask, resp)
}

// admit takes in a member that has its id.
func (c *Coordinator) admit(now time.Time, g *group, ask Ask, from Client, req *kmsg.JoinGroupRequest, id string) {
	delete(g.handshakes, id)
	if len(g.members) == 0 {
		g.protocolType = req.ProtocolType
	}
	if g.fresh != nil {
		g.fresh.grown = true
	}
	g.add(&member{id: id, client: from.ID, host: from.Host})
	c.park(g.members[id], ask, req)
	c.due.set(now.Add(newMemberPatience), timer{sessionTimer, g.name, id})
	c.rebalanceOrComplete(now, g)
}

// joinAgain: who has nothing new to say disturbs nobody, except for the leader, whose join is how a Connect worker asks for
// new assignments.
func (c *Coordinator) joinAgain(now time.Time, g *group, m *member, ask Ask, req *kmsg.JoinGroupRequest) {
	quiet := m.same(req.Protocols) && (g.state == completing || g.state == stable && m.id != g.leader)
	if quiet {
		c.hear(now, g, m)
		c.reply(ask, g.joined(m, req))
		return
	}
	c.due.stop(timer{sessionTimer, g.name, m.id}) // while it waits in the join it is heard enough
	c.park(m, ask, req)
	c.rebalanceOrComplete(now, g)
}

// park keeps a join until the others have joined. An older one of the same member is answered: its connection is gone.
func (c *Coordinator) park(m *member, ask Ask, req *kmsg.JoinGroupRequest) {
	if m.joining != nil {
		c.refuseJoin(m.joining.ask, m.joining.req, kerr.UnknownMemberID.Code)
	}
	m.joining = &parkedJoin{ask, req}
	m.protocols = req.Protocols
	m.session = millis(req.SessionTimeoutMillis)
	m.rebalance = m.session
	if req.Version >= 1 {
		m.rebalance = millis(req.RebalanceTimeoutMillis)
	}
}

func (c *Coordinator) refuseJoin(ask Ask, req *kmsg.JoinGroupRequest, code int16) {
	resp := joinResponse(req)
	resp.ErrorCode, resp.MemberID = code, req.MemberID
	c.reply(ask, resp)
}

func joinResponse(req *kmsg.JoinGroupRequest) *kmsg.JoinGroupResponse {
	resp := req.ResponseKind().(*kmsg.JoinGroupResponse) //nolint:forcetypeassert // kmsg's own pair
	resp.Default()
	resp.Generation = -1
	return resp
}

// joined is what a member hears when its join is complete; the leader hears what everyone says.
func (g *group) joined(m *member, req *kmsg.JoinGroupRequest) *kmsg.JoinGroupResponse {
	resp := joinResponse(req)
	resp.Generation, resp.LeaderID, resp.MemberID = g.generation, g.leader, m.id
	resp.ProtocolType, resp.Protocol = kmsg.StringPtr(g.protocolType), kmsg.StringPtr(g.protocol)
	if m.id != g.leader || g.state != completing {
		return resp
	}
	for _, other := range g.inOrder() {
		rm := kmsg.NewJoinGroupResponseMember()
		rm.MemberID, rm.ProtocolMetadata = other.id, other.metadata(g.protocol)
		resp.Members = append(resp.Members, rm)
	}
	return resp
}

func millis(ms int32) time.Duration { return time.Duration(ms) * time.Millisecond }
