package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
