package coordinator

import (
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

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
