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

func (c *Coordinator) sync(now time.Time, ask Ask, req *kmsg.SyncGroupRequest) {
	g, m, code := c.known(req.Group, req.MemberID, req.Generation)
	switch {
	case code != 0:
	case req.ProtocolType != nil && *req.ProtocolType != g.protocolType, req.Protocol != nil && *req.Protocol != g.protocol:
		code = kerr.InconsistentGroupProtocol.Code
	case g.state == preparing:
		code = kerr.RebalanceInProgress.Code
	case g.state == empty:
		code = kerr.UnknownMemberID.Code
	}
	if code != 0 {
		c.reply(ask, syncResponse(req, code))
		return
	}
	delete(g.unsynced, m.id)
	if g.state == stable {
		c.hear(now, g, m)
		c.reply(ask, g.synced(m, req))
		return
	}
	c.due.stop(timer{sessionTimer, g.name, m.id})
	m.syncing = &parkedSync{ask, req}
	if m.id == g.leader {
		c.record(g, req)
	}
}

// record writes what the leader decided, before anyone hears of it.
func (c *Coordinator) record(g *group, req *kmsg.SyncGroupRequest) {
	told := make(map[string][]byte, len(req.GroupAssignment))
	for _, a := range req.GroupAssignment {
		told[a.MemberID] = a.MemberAssignment
	}
	generation := g.generation
	c.write(g, g.record(told), func(now time.Time, code int16) {
		if c.groups[g.name] != g || g.state != completing || g.generation != generation {
			return // another join came in between: the record stays, the generation was never stable
		}
		if code != 0 {
			for _, m := range g.members {
				m.assignment = nil
			}
			c.answerSyncs(now, g, code)
			c.prepare(now, g)
			return
		}
		for id, m := range g.members {
			m.assignment = told[id]
		}
		c.answerSyncs(now, g, 0)
		g.enter(stable, now)
	})
}

// answerSyncs answers those who wait for their assignment, and begins to listen for their heartbeats again.
func (c *Coordinator) answerSyncs(now time.Time, g *group, code int16) {
	for _, m := range g.inOrder() {
		parked := m.syncing
		if parked == nil {
			continue
		}
		m.syncing = nil
		c.hear(now, g, m)
		if code != 0 {
			c.reply(parked.ask, syncResponse(parked.req, code))
			continue
		}
		c.reply(parked.ask, g.synced(m, parked.req))
	}
}

func (g *group) synced(m *member, req *kmsg.SyncGroupRequest) *kmsg.SyncGroupResponse {
	resp := syncResponse(req, 0)
	resp.ProtocolType, resp.Protocol = kmsg.StringPtr(g.protocolType), kmsg.StringPtr(g.protocol)
	resp.MemberAssignment = m.assignment
	return resp
}

func syncResponse(req *kmsg.SyncGroupRequest, code int16) *kmsg.SyncGroupResponse {
	resp := req.ResponseKind().(*kmsg.SyncGroupResponse) //nolint:forcetypeassert // kmsg's own pair
	resp.ErrorCode = code
	return resp
}

// leaveManySince is the first version of LeaveGroup that names members in a list: anybody may name anybody.
const leaveManySince = 3

func (c *Coordinator) leave(now time.Time, ask Ask, req *kmsg.LeaveGroupRequest) {
	resp := req.ResponseKind().(*kmsg.LeaveGroupResponse) //nolint:forcetypeassert // kmsg's own pair
	g := c.groups[req.Group]
	if g == nil {
		resp.ErrorCode = kerr.UnknownMemberID.Code
		c.reply(ask, resp)
		return
	}
	ids := []string{req.MemberID}
	if req.Version >= leaveManySince {
		ids = ids[:0]
		for _, m := range req.Members {
			ids = append(ids, m.MemberID)
		}
	}
	gone := false
	for _, id := range ids {
		code := kerr.UnknownMemberID.Code
		if m := g.members[id]; m != nil {
			code, gone = 0, true
			c.drop(g, m)
		} else if g.handshakes[id] {
			code = 0
			delete(g.handshakes, id)
			c.due.stop(timer{sessionTimer, g.name, id})
		}
		if req.Version < leaveManySince {
			resp.ErrorCode = code
			continue
		}
		rm := kmsg.NewLeaveGroupResponseMember()
		rm.MemberID, rm.ErrorCode = id, code
		resp.Members = append(resp.Members, rm)
	}
	c.reply(ask, resp)
	if gone || g.state == preparing {
		c.rebalanceOrComplete(now, g)
	}
}

// heartbeat is how a member learns of a rebalance that others began.
func (c *Coordinator) heartbeat(now time.Time, ask Ask, req *kmsg.HeartbeatRequest) {
	resp := req.ResponseKind().(*kmsg.HeartbeatResponse) //nolint:forcetypeassert // kmsg's own pair
	g, m, code := c.known(req.Group, req.MemberID, req.Generation)
	if resp.ErrorCode = code; code == 0 {
		c.hear(now, g, m)
		if g.state == preparing {
			resp.ErrorCode = kerr.RebalanceInProgress.Code
		}
	}
	c.reply(ask, resp)
}

// hear gives a member a whole session again, unless it waits for us.
func (c *Coordinator) hear(now time.Time, g *group, m *member) {
	if m.joining == nil && m.syncing == nil {
		c.due.set(now.Add(m.session), timer{sessionTimer, g.name, m.id})
	}
}

// expire drops a member that was not heard of for its session, or an id that never came back.
func (c *Coordinator) expire(now time.Time, g *group, id string) {
	if g.handshakes[id] {
		delete(g.handshakes, id)
		if g.state == preparing {
			c.completeIfJoined(now, g)
		}
		return
	}
	if m := g.members[id]; m != nil {
		c.drop(g, m)
		c.rebalanceOrComplete(now, g)
	}
}

// drop removes a member and tells it if it waits.
func (c *Coordinator) drop(g *group, m *member) {
	c.due.stop(timer{sessionTimer, g.name, m.id})
	if m.joining != nil {
		c.refuseJoin(m.joining.ask, m.joining.req, kerr.UnknownMemberID.Code)
	}
	if m.syncing != nil {
		c.reply(m.syncing.ask, syncResponse(m.syncing.req, kerr.UnknownMemberID.Code))
	}
	g.remove(m.id)
}
