package lab

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/internal/lab/broker"
	"regroup/internal/lab/coordinator"
	"regroup/internal/lab/worker"
	"regroup/internal/taskgroup"
)

// Lab is a broker with a group of workers, until Close.
type Lab struct {
	opt    Options
	net    broker.Network
	broker *broker.Broker
	topics worker.Topics
	tasks  *taskgroup.Group
	http   *http.Client
	seeded chan struct{}

	mu     sync.Mutex
	fleet  map[string]*place
	order  []string // names in the order in which they came
	closed bool
	err    error
}

// Start gives a lab whose broker answers and whose workers have begun to join. Its connectors are created as soon as the
// workers take them: Ready waits for that.
func Start(ctx context.Context, opt Options) (*Lab, error) {
	if opt.Group == "" {
		opt.Group = "connect-lab"
	}
	l := &Lab{
		opt: opt, net: broker.Loopback(), fleet: map[string]*place{}, seeded: make(chan struct{}),
		topics: worker.Topics{Config: opt.Group + "-configs", Status: opt.Group + "-status", Offset: opt.Group + "-offsets"},
	}
	l.tasks, _ = taskgroup.New(context.WithoutCancel(ctx))
	if opt.Net != nil {
		l.net = *opt.Net
	}
	l.http = &http.Client{Transport: &http.Transport{DialContext: l.net.Dial}}
	name := opt.NewMember
	if name == nil {
		name = memberNames(opt.Seed)
	}
	var err error
	l.broker, err = broker.Start(ctx, broker.Options{Net: l.net, Groups: coordinator.Options{
		InitialDelay: opt.InitialDelay,
		MinSession:   opt.MinSession, Cleanup: opt.Cleanup, NewMember: name,
	}})
	if err != nil {
		return nil, err
	}
	if err := l.fill(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// fill makes the topics as Connect's first worker does, and the workers.
func (l *Lab) fill(ctx context.Context) error {
	compacted := map[string]string{"cleanup.policy": "compact"}
	for name, partitions := range map[string]int32{
		l.topics.Config: worker.ConfigPartitions,
		l.topics.Status: worker.StatusPartitions, l.topics.Offset: worker.OffsetPartitions,
	} {
		if err := l.broker.CreateTopic(ctx, name, partitions, compacted); err != nil {
			return err
		}
	}
	for range l.opt.Workers {
		if _, err := l.Add(ctx, WorkerOptions{}); err != nil {
			return err
		}
	}
	l.tasks.Run("the lab's connectors", func(ctx context.Context) {
		defer close(l.seeded)
		for _, c := range l.opt.Connectors {
			if err := l.Create(ctx, c); err != nil {
				l.fail(err)
				return
			}
		}
	})
	return nil
}

// memberNames appends to a client id what looks like a UUID: the same for the same seed, client and number of its members,
// whichever client comes first.
func memberNames(seed uint64) func(client string) string {
	came := map[string]uint64{}
	return func(client string) string {
		h := fnv.New64a()
		_, _ = h.Write([]byte(client)) // never fails
		came[client]++
		random := rand.New(rand.NewPCG(seed, h.Sum64()+came[client]))
		high, low := random.Uint64(), random.Uint64()
		return fmt.Sprintf("%s-%08x-%04x-4%03x-%04x-%012x", client, uint32(high>>32), uint16(high>>16), uint16(high)&0xfff,
			uint16(low>>48)&0x3fff|0x8000, low&0xffffffffffff)
	}
}

// Ready waits until the lab's connectors are created.
func (l *Lab) Ready(ctx context.Context) error {
	select {
	case <-l.seeded:
		return l.Err()
	case <-ctx.Done():
		return fmt.Errorf("the lab's connectors: %w", context.Cause(ctx))
	}
}

// Brokers are the addresses to begin at.
func (l *Lab) Brokers() []string { return []string{l.broker.Addr()} }

// Group is the group's id.
func (l *Lab) Group() string { return l.opt.Group }

// Topics are the group's internal topics.
func (l *Lab) Topics() worker.Topics { return l.topics }

// Dial makes a client of the lab's broker, also where the network is one in memory.
func (l *Lab) Dial(extra ...kgo.Opt) (*kgo.Client, error) {
	opts := append([]kgo.Opt{kgo.SeedBrokers(l.Brokers()...), kgo.Dialer(l.net.Dial), kgo.DisableClientMetrics()}, extra...)
	return kgo.NewClient(opts...)
}

// HTTP is a client that reaches the workers' REST interfaces.
func (l *Lab) HTTP() *http.Client { return l.http }

// BrokerAway takes the broker off the network, as one that died; BrokerBack brings it back with its log.
func (l *Lab) BrokerAway() { l.broker.Away() }

// BrokerBack ends BrokerAway.
func (l *Lab) BrokerBack() { l.broker.Back() }

func (l *Lab) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil && !l.closed {
		l.err = err
	}
}

// Err is what went wrong in the lab itself: a connector that could not be created, or a panic.
func (l *Lab) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	errs := []error{l.err, l.tasks.Err(), l.broker.Err()}
	for _, p := range l.fleet {
		if p.worker != nil {
			errs = append(errs, p.worker.Err())
		}
	}
	return errors.Join(errs...)
}

// Close ends everything, whatever is under way, and leaves nothing behind.
func (l *Lab) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	var workers []*worker.Worker
	for _, p := range l.fleet {
		if p.worker != nil {
			workers = append(workers, p.worker)
		}
	}
	l.mu.Unlock()
	errs := []error{l.tasks.Stop()}
	for _, w := range workers {
		errs = append(errs, w.Kill())
	}
	l.http.CloseIdleConnections()
	errs = append(errs, l.broker.Close())
	return errors.Join(errs...)
}

// pause waits for d, or for ctx.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
