package observe

import (
	"context"
	"time"

	"regroup/group"
)

// Run emits the facts of all sources until ctx ends, then returns nil; an error means that the options are no good or that
// this program has a bug. emit is called by one goroutine at a time, with the observer's clock; what it takes long for, the
// sources wait for.
func Run(ctx context.Context, opt Options, emit func(f group.Fact, seen time.Time)) error {
	if err := opt.fill(); err != nil {
		return err
	}
	out := newStream(&opt, emit)
	sources := []struct {
		name  group.Source
		title string
		run   func(context.Context, *source) error
	}{
		{group.SourceLog, LogTopic, coordinatorLog},
		{group.SourceDescribe, opt.Group, describing},
		{group.SourceConfig, opt.ConfigTopic, func(ctx context.Context, s *source) error {
			return configTopic(ctx, s, opt.ConfigTopic)
		}},
		{group.SourceStatus, opt.StatusTopic, func(ctx context.Context, s *source) error {
			return statusTopic(ctx, s, opt.StatusTopic)
		}},
		{group.SourceREST, "", workersREST},
		{"", "", topicSettings}, // tells no health of its own
		{"", "", neighbours},    // neither
	}
	begun := make([]*source, len(sources))
	for i, src := range sources {
		if src.name == group.SourceREST && opt.REST == nil {
			continue
		}
		var err error
		if begun[i], err = begin(&opt, out, src.name, src.title); err != nil {
			for _, s := range begun[:i] {
				if s != nil {
					s.cl.Close()
				}
			}
			return err
		}
	}
	for _, s := range begun {
		if s != nil && s.source != "" && s.source != group.SourceREST {
			s.catchingUp("") // nobody takes what the first facts tell for all there is
		}
	}
	crew, ctx := newCrew(ctx)
	for i, src := range sources {
		s := begun[i]
		if s == nil {
			continue
		}
		s.fail = crew.fail
		crew.spawn("source "+string(src.name), func() error {
			defer s.cl.Close()
			return src.run(ctx, s)
		})
	}
	crew.spawn("actions", func() error {
		actionsDone(ctx, opt.Done, out)
		return nil
	})
	return crew.wait()
}
