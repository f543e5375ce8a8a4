package observe

import (
	"context"

	"regroup/group"
)

// configTopic reads the group's config topic, every record of it, committed: exactly-once workers write it in transactions.
func configTopic(ctx context.Context, s *source, named string) error {
	info, ok := configKind.find(ctx, s, named)
	if !ok {
		return nil
	}
	s.rename(info.name)
	s.catchingUp("")
	s.settings(ctx, "config", info)
	s.read(ctx, &tail{topic: info.name, partition: -1, from: atStart, committed: true}, true,
		func(r Raw) group.Fact { return r.ConfigFact() })
	return nil
}
