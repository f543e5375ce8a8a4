package observe

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

// groupNames are the names of the cluster's Connect groups, as far as this user may list them.
func groupNames(ctx context.Context, cl *kgo.Client) (names []string) {
	list := kmsg.NewPtrListGroupsRequest()
	list.TypesFilter = []string{"classic"}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for _, shard := range cl.RequestSharded(ctx, list) {
		resp, ok := shard.Resp.(*kmsg.ListGroupsResponse)
		if shard.Err != nil || !ok || resp.ErrorCode != 0 {
			continue
		}
		for _, g := range resp.Groups {
			if g.ProtocolType == decode.ProtocolType {
				names = append(names, g.Group)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
