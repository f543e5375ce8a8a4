package observe

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"regroup/group"
)

// settingsEvery is how often the settings of internal topics are read again: somebody may change them, or mend them.
const settingsEvery = 30 * time.Second

// internalTopic is a topic whose settings are followed: once it is, by topicSettings alone.
type internalTopic struct {
	source *source
	told   group.TopicSettings
}

// settings emits what the broker tells of an internal topic, and has it followed.
func (s *source) settings(ctx context.Context, role string, info topicInfo) {
	t := &internalTopic{source: s}
	t.read(ctx, role, info)
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.internal[role] = t
}

// read asks for a topic's settings and emits them where they are news. Whoever may not see them gets the number of partitions
// alone, and is told so by what would look at them.
func (t *internalTopic) read(ctx context.Context, role string, info topicInfo) {
	s := t.source
	f := group.TopicSettings{At: s.opt.Clock(), Role: role, Topic: info.name, Partitions: len(info.partitions), Replication: info.replication}
	if all, err := topicConfigs(ctx, s.cl, []string{info.name}, "cleanup.policy", "max.message.bytes"); err == nil {
		set, shown := all[info.name]
		f.Hidden = !shown
		f.CleanupPolicy = set["cleanup.policy"]
		f.MaxMessageBytes, _ = strconv.Atoi(set["max.message.bytes"])
	} else { // not to be had now: what is known of them stays
		f.CleanupPolicy, f.MaxMessageBytes = t.told.CleanupPolicy, t.told.MaxMessageBytes
	}
	was := t.told
	if was.At = f.At; was == f {
		return
	}
	t.told = f
	s.out.put(f)
	if s.source == group.SourceConfig || s.source == group.SourceStatus {
		s.remarkSetting(f.Topic, amiss(f))
	}
}

// amiss says what is wrong with the settings of a topic that is read; "" for nothing.
func amiss(set group.TopicSettings) string {
	var parts []string
	if set.Role == configKind.role && set.Partitions != 1 {
		parts = append(parts, fmt.Sprintf("%s has %d partitions: Connect wants one, or configs come in any order", set.Topic, set.Partitions))
	}
	if set.CleanupPolicy != "" && !compacted(set.CleanupPolicy) {
		parts = append(parts, fmt.Sprintf("%s has cleanup.policy=%s: records will be deleted: set it to compact", set.Topic, set.CleanupPolicy))
	}
	return strings.Join(parts, "; ")
}

// compacted says whether a cleanup policy keeps the newest record of every key, whatever its age.
func compacted(policy string) bool { return strings.TrimSpace(policy) == "compact" }

// topicSettings looks once for the topic of source connectors' offsets, for its settings alone, and reads the settings of all
// internal topics again and again.
func topicSettings(ctx context.Context, s *source) error {
	timer := time.NewTicker(settingsEvery)
	defer timer.Stop()
	for looked := false; ; {
		view, changed := s.out.view()
		if looked {
			changed = nil
		} else if held, _ := view.holding(); len(held) > 0 || s.opt.OffsetsTopic != "" {
			looked, changed = true, nil
			s.offsetsSettings(ctx, &view)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-timer.C:
			s.settingsAgain(ctx)
		}
	}
}

func (s *source) offsetsSettings(ctx context.Context, view *roster) {
	if named := s.opt.OffsetsTopic; named != "" {
		if info, err := topic(ctx, s.cl, named); err == nil {
			s.settings(ctx, offsetsKind.role, info)
		}
		return
	}
	if l, err := offsetsKind.look(ctx, s.cl, view); err == nil {
		if t, _ := offsetsKind.take(ctx, s, &l, view, true); t != nil {
			s.settings(ctx, offsetsKind.role, t.topicInfo)
		}
	}
}

// settingsAgain reads what is followed once more. An error is told by whoever reads the topic.
func (s *source) settingsAgain(ctx context.Context) {
	s.out.mu.Lock()
	followed := maps.Clone(s.out.internal)
	s.out.mu.Unlock()
	for role, t := range followed {
		if info, err := topic(ctx, s.cl, t.told.Topic); err == nil {
			t.read(ctx, role, info)
		}
	}
}
