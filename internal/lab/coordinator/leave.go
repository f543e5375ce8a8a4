package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
