package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
