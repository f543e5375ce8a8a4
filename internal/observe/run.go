package observe

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/group"
	"regroup/internal/taskgroup"
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
	all, ctx := taskgroup.New(ctx)
	for i, src := range sources {
		s := begun[i]
		if s == nil {
			continue
		}
		s.fail = all.Fail
		all.Go("source "+string(src.name), func(context.Context) error {
			defer s.cl.Close()
			return src.run(ctx, s)
		})
	}
	all.Go("actions", func(context.Context) error {
		actionsDone(ctx, opt.Done, out)
		return nil
	})
	return all.Wait()
}

// sleep waits for d and says whether the context still stands.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Dial makes a Kafka client. Options given to it come after its own, and win.
type Dial func(extra ...kgo.Opt) (*kgo.Client, error)

// Options say what to observe, and how.
type Options struct {
	Group string
	Dial  Dial

	// ConfigTopic and StatusTopic are the group's topics where they are known; "" lets them be found.
	ConfigTopic, StatusTopic string
	// OffsetsTopic is looked at for its settings alone.
	OffsetsTopic string

	// Since bounds what is shown: the log is read from there, and as far before it as it takes to find a record of the
	// group, so that the present is known however old it is. Zero: from the log's beginning.
	Since    time.Time
	Ring     int           // rounds kept, as in group.Options
	MaxDelay time.Duration // as in group.Options

	REST *REST // how workers are asked; nil: they are not

	// Done brings what this program does to the group; nil: it does nothing.
	Done <-chan group.Action

	Clock func() time.Time // nil: time.Now
	// Raw sees every record that becomes a fact, before the fact is emitted; its bytes must not be changed. Nil: nobody.
	Raw func(Raw)
}

func (o *Options) fill() error {
	if o.Group == "" {
		return errors.New("no group is named")
	}
	if o.Dial == nil {
		return errors.New("no way to reach a broker is given")
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return nil
}

func (o *Options) model() *group.Model {
	return group.New(group.Options{Group: o.Group, Ring: o.Ring, Since: o.Since, MaxDelay: o.MaxDelay})
}

// cluster gives the brokers, through clients that fail soon and say why: trying again is the sources' own task, because only they
// can tell people about it. One cluster a source, for a long poll holds up whatever else its connection asks of that broker.
func (o *Options) cluster() (*cluster, error) {
	return openCluster(func(extra ...kgo.Opt) (*kgo.Client, error) {
		return o.Dial(append([]kgo.Opt{
			kgo.DisableClientMetrics(), // else Close waits a second for a broker that is gone
			kgo.RequestRetries(1),
			kgo.RetryTimeout(requestTimeout),
			kgo.DialTimeout(dialTimeout),
			kgo.RequestTimeoutOverhead(requestTimeout),
			kgo.MetadataMinAge(100 * time.Millisecond),
		}, extra...)...)
	})
}

const (
	dialTimeout    = 3 * time.Second
	requestTimeout = 5 * time.Second
)
