package observe

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// allGroups lists the cluster's groups of some types, or of all, as far as this user may list them and brokers answer.
func allGroups(ctx context.Context, cl *cluster, types ...string) []kmsg.ListGroupsResponseGroup {
	lists, _ := onEach(ctx, cl, func(ctx context.Context, id int32) []kmsg.ListGroupsResponseGroup {
		some, _ := cl.listGroups(ctx, id, types...)
		return some
	})
	return slices.Concat(lists...)
}

// groupNames are the names of the cluster's Connect groups.
func groupNames(ctx context.Context, cl *cluster) []string {
	names := connectGroups(allGroups(ctx, cl, "classic"))
	slices.Sort(names)
	return slices.Compact(names)
}
