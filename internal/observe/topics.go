package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"regroup/decode"
	"regroup/group"
)

// kind is a kind of internal topic: how to tell one by its records.
type kind struct {
	role         string // as in group.TopicSettings
	option       string // what names it on the command line
	onePartition bool
	// connector is what a key says: the connector it is about ("" for none), and whether the topic can hold such a key.
	connector func(key []byte) (name string, fits bool)
}

var (
	configKind = kind{"config", "--config-topic", true, func(key []byte) (string, bool) {
		c := decode.ParseConfigKey(key)
		if c.Kind == decode.ConfigConnector {
			return c.Connector, true
		}
		return "", c.Kind != decode.ConfigUnknown
	}}
	statusKind = kind{"status", "--status-topic", false, func(key []byte) (string, bool) {
		s := decode.ParseStatusKey(key)
		if s.Kind == decode.StatusOfUnit {
			return s.Unit.Connector, true
		}
		return "", s.Kind != decode.StatusUnknown
	}}
	offsetsKind = kind{"offsets", "--offsets-topic", false, offsetsKey}
)

// A look that found nothing is followed by another after a second, for rounds come in bursts, and statuses after their round;
// then after ever longer, until a round comes.
const (
	lookSoon = time.Second
	lookLate = 30 * time.Second
)

// find gives the group's topic of a kind: the one that is named, else the one whose records fit the group. It waits until
// there is one, and says what it waits for; false means that the context ended.
func (k kind) find(ctx context.Context, s *source, named string) (info topicInfo, ok bool) {
	if named != "" {
		s.rename(named)
		ok = s.until(ctx, func() (err error) {
			info, err = topic(ctx, s.cl, named)
			return err
		})
		return info, ok
	}
	for pause := lookSoon; ; {
		view, changed := s.out.view()
		final := view.told()
		if len(view.members()) > 0 || final { // a description is enough to find one, but not to say that there is none
			var l look
			if !s.until(ctx, func() (err error) {
				l, err = k.look(ctx, s.cl, &view)
				return err
			}) {
				return info, false
			}
			if t, why := k.take(ctx, s, &l, &view, final); t != nil {
				if why != "" {
					s.remark("%s", why)
				}
				return t.topicInfo, true
			}
			if final {
				if len(l.fit) == 0 && len(l.loose) == 1 {
					s.settings(ctx, k.role, l.loose[0].topicInfo) // they are what is wrong with it
				}
				l.hidden = k.hidden(ctx, s)
				s.working(l.nothing(k, s.opt.Group, &view))
				if !sleep(ctx, lookSoon) {
					return info, false
				}
			}
		}
		if !final {
			s.catchingUp("waiting for the group's newest round")
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-changed:
			pause = lookSoon
		case <-timer.C:
			pause = min(2*pause, lookLate)
		}
		timer.Stop()
		if ctx.Err() != nil {
			return info, false
		}
	}
}

// take gives the topic to read, and why it is that one; nil when none can be told apart yet. final: the group has said what it can.
func (k kind) take(ctx context.Context, s *source, l *look, view *roster, final bool) (*candidate, string) {
	var others []string
	if len(l.fit) > 1 || len(l.emptied) > 1 {
		if !final {
			return nil, "" // the log may tell them apart
		}
		others = groupNames(ctx, s.cl)
	}
	best, why := k.choose(l.fit, view, s.opt.Group, others)
	if best == nil && len(l.fit) > 1 && k.role == configKind.role {
		best, why = k.pair(l.fit, s.statusTopic(ctx, view, others))
	}
	if best != nil && l.rival(k, best, s.opt.Group) {
		return nil, ""
	}
	if best != nil && (!k.hasty(best, view, s.opt.Group, s.opt.Clock()) || len(l.fit) > 1) {
		return best, why
	}
	if len(l.fit)+len(l.loose)+len(l.denied)+len(l.unread) > 0 || !final {
		return nil, ""
	}
	if best, why = k.choose(l.emptied, view, s.opt.Group, others); best != nil {
		held, _ := view.holding()
		left := "none"
		if n := best.holds(held); n > 0 {
			left = fmt.Sprintf("%d of %d", n, len(held))
		}
		return best, strings.TrimPrefix(why+"; ", "; ") + "its records were deleted: it holds " + left + " of this group's connectors"
	}
	return nil, ""
}

// statusTopic is the name of the group's status topic: as it was given, else the one that goes best with the group; "" when none does.
func (s *source) statusTopic(ctx context.Context, view *roster, others []string) string {
	if s.opt.StatusTopic != "" {
		return s.opt.StatusTopic
	}
	l, err := statusKind.look(ctx, s.cl, view)
	if err != nil {
		return ""
	}
	best, _ := statusKind.choose(l.fit, view, s.opt.Group, others)
	if best == nil {
		return ""
	}
	return best.name
}

// hidden reports whether this user may not see the topic whose name goes with the group's by the usual convention: a broker leaves
// out of its list of topics what may not be described, and does not tell such a topic from one that is not there.
func (k kind) hidden(ctx context.Context, s *source) bool {
	usual := map[string]string{configKind.role: "-configs", statusKind.role: "-status", offsetsKind.role: "-offsets"}
	_, err := topic(ctx, s.cl, s.opt.Group+usual[k.role])
	return errors.Is(err, kerr.TopicAuthorizationFailed)
}

// look is what a look at all topics brought.
type look struct {
	fit     []*candidate
	loose   []*candidate // would fit, were they compacted
	emptied []*candidate // would fit, were their records not deleted
	denied  []string     // this user may not read them, and one of them may be it
	hidden  bool         // this user may not see a topic of the usual name, if there is one
	unread  []*candidate // a broker that leads them does not answer, and one of them may be it
	silence error        // why one of these brokers was not understood
}

// leaveUnread notes a topic that cannot be looked at because of one broker.
func (l *look) leaveUnread(c *candidate, why error) {
	l.unread = append(l.unread, c)
	l.silence = cmp.Or(l.silence, why)
}

// likely are the unread topics that are compacted, as the group's own should be; all when none is.
func (l *look) likely() []*candidate {
	compacted := slices.DeleteFunc(slices.Clone(l.unread), func(c *candidate) bool { return !c.compacted })
	if len(compacted) == 0 {
		return l.unread
	}
	return compacted
}

// rival reports whether a topic that could not be read goes better with the group's name than the one that fits.
func (l *look) rival(k kind, best *candidate, name string) bool {
	return slices.ContainsFunc(l.unread, func(c *candidate) bool {
		return c.compacted && k.namedFor(c.name, name) > k.namedFor(best.name, name)
	})
}

// nothing says why no topic was taken.
func (l look) nothing(k kind, name string, view *roster) (group.Health, string) {
	held, _ := view.holding()
	switch {
	case len(l.unread) > 0:
		_, why := diagnose(l.silence)
		return group.HealthUnreachable, fmt.Sprintf("no topic that could be read is surely the %s topic (%s names it), and %s could not be read: %s",
			k.role, k.option, list(topicNames(l.likely()), 3), why)
	case len(l.fit) > 1:
		return group.HealthAmbiguous, fmt.Sprintf("%s all fit group %s: choose with %s", strings.Join(topicNames(l.fit), ", "), name, k.option)
	case len(l.fit) == 1:
		return group.HealthMissing, fmt.Sprintf("%s has statuses of connectors of these names, but none by group %s: waiting for its first, or name the topic with %s",
			l.fit[0].name, name, k.option)
	case len(l.loose) > 0:
		return group.HealthMissing, fmt.Sprintf("%s fits but is not compacted, so its records will be deleted: set cleanup.policy=compact, or name it with %s",
			strings.Join(topicNames(l.loose), ", "), k.option)
	case len(l.denied) > 0:
		which := "one of which may be"
		if len(l.denied) == 1 {
			which = "which may be"
		}
		return group.HealthDenied, fmt.Sprintf("no right to read %s, %s the %s topic: needs Read on Topic, and %s names it",
			list(l.denied, 3), which, k.role, k.option)
	case len(view.members()) == 0:
		return group.HealthMissing, fmt.Sprintf("the %s topic is not known, for no round of group %s with workers was seen: name it with %s", k.role, name, k.option)
	case l.hidden:
		return group.HealthDenied, fmt.Sprintf("no topic that this user may see can be group %s's %s topic: needs Describe and Read on Topic; %s names it",
			name, k.role, k.option)
	case len(held) == 0:
		return group.HealthMissing, fmt.Sprintf("group %s runs no connectors, so nothing tells its %s topic apart yet: name it with %s", name, k.role, k.option)
	}
	if len(l.emptied) > 1 {
		return group.HealthAmbiguous, fmt.Sprintf("%s lost their records, and one of them may be group %s's: choose with %s",
			strings.Join(topicNames(l.emptied), ", "), name, k.option)
	}
	return group.HealthMissing, fmt.Sprintf("no topic's records fit group %s's connectors: name the %s topic with %s", name, k.role, k.option)
}

func list(names []string, most int) string {
	slices.Sort(names)
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

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
