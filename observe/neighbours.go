package observe

import (
	"context"
	"slices"
)

// groupNames are the names of the cluster's Connect groups, as far as this user may list them and brokers answer.
func groupNames(ctx context.Context, cl *cluster) []string {
	lists, _ := onEach(ctx, cl, func(ctx context.Context, id int32) []string {
		names, _ := cl.groupNames(ctx, id)
		return names
	})
	names := slices.Concat(lists...)
	slices.Sort(names)
	return slices.Compact(names)
}
