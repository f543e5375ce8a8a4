package observe

import (
	"context"
	"strconv"
	"strings"

	"regroup/group"
)

// settings emits and returns what the broker tells of an internal topic. Whoever may not see a topic's settings gets the
// number of its partitions alone: that is no trouble worth telling.
func (s *source) settings(ctx context.Context, role string, info topicInfo) group.TopicSettings {
	f := group.TopicSettings{At: s.opt.Clock(), Role: role, Topic: info.name, Partitions: len(info.partitions), Replication: info.replication}
	if all, err := topicConfigs(ctx, s.cl, []string{info.name}, "cleanup.policy", "max.message.bytes"); err == nil {
		set := all[info.name]
		f.CleanupPolicy = set["cleanup.policy"]
		f.MaxMessageBytes, _ = strconv.Atoi(set["max.message.bytes"])
	}
	s.out.put(f)
	return f
}

// compacted says whether a cleanup policy keeps the newest record of every key, whatever its age.
func compacted(policy string) bool { return strings.TrimSpace(policy) == "compact" }

func (s *source) remarkPolicy(set group.TopicSettings) {
	if set.CleanupPolicy != "" && !compacted(set.CleanupPolicy) {
		s.remark("%s has cleanup.policy=%s: records will be deleted: set it to compact", set.Topic, set.CleanupPolicy)
	}
}
