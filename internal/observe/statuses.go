package observe

import (
	"context"

	"regroup/group"
)

// statusTopic reads all partitions of the group's status topic. Workers write it without transactions.
func statusTopic(ctx context.Context, s *source, named string) error {
	info, ok := statusKind.find(ctx, s, named)
	if !ok {
		return nil
	}
	s.rename(info.name)
	s.catchingUp("")
	s.settings(ctx, "status", info)
	s.read(ctx, &tail{topic: info.name, partition: -1, from: atStart}, false,
		func(r Raw) group.Fact { return r.StatusFact() })
	return nil
}
