package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
