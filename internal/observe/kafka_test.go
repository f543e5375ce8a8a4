package observe

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/group"
)

// newCluster starts an embedded broker.
func newCluster(t *testing.T, opts ...kfake.Opt) (*kfake.Cluster, Dial) {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, dialTo(c.ListenAddrs()...)
}

// newVirtual is newCluster on a network in memory, for a bubble of testing/synctest: an hour there passes in a moment.
func newVirtual(t *testing.T, opts ...kfake.Opt) (*kfake.Cluster, Dial) {
	t.Helper()
	vn := new(kfake.VirtualNetwork)
	c, dial := newCluster(t, append(opts, kfake.ListenFn(vn.Listen))...)
	return c, func(extra ...kgo.Opt) (*kgo.Client, error) {
		return dial(append(extra, kgo.Dialer(vn.DialContext))...)
	}
}

func dialTo(addrs ...string) Dial {
	return func(extra ...kgo.Opt) (*kgo.Client, error) {
		return kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(addrs...)}, extra...)...)
	}
}

func createTopic(t *testing.T, c *kfake.Cluster, name string, partitions int32, policy string) {
	t.Helper()
	if err := c.CreateTopic(name, partitions, map[string]string{"cleanup.policy": policy}); err != nil {
		t.Fatal(err)
	}
}

// write writes records where they say, in their order.
func write(t *testing.T, dial Dial, records ...Raw) {
	t.Helper()
	cl, err := dial(kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	var all []*kgo.Record
	for _, r := range records {
		all = append(all, &kgo.Record{Topic: r.Topic, Partition: r.Partition, Timestamp: r.At, Key: r.Key, Value: r.Value})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := cl.ProduceSync(ctx, all...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// gathered are facts as they come.
type gathered struct {
	mu    sync.Mutex
	facts []group.Fact
	wake  chan struct{}
}

func gather() *gathered { return &gathered{wake: make(chan struct{}, 1)} }

func (g *gathered) emit(f group.Fact, _ time.Time) {
	g.mu.Lock()
	g.facts = append(g.facts, f)
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// until waits until all that came fulfils ok.
func (g *gathered) until(t *testing.T, what string, ok func([]group.Fact) bool) {
	t.Helper()
	for {
		g.mu.Lock()
		done := ok(g.facts)
		g.mu.Unlock()
		if done {
			return
		}
		select {
		case <-g.wake:
		case <-t.Context().Done():
			t.Fatalf("never came: %s", what)
		case <-time.After(30 * time.Second):
			g.mu.Lock()
			for _, f := range g.facts {
				if r, ok := f.(group.SourceReport); ok {
					t.Logf("%s %s: %s %s", r.Source, r.Name, r.Health, r.Detail)
				}
			}
			g.mu.Unlock()
			t.Fatalf("never came: %s", what)
		}
	}
}

// reports are the last words of each source.
func reports(facts []group.Fact) map[group.Source]group.SourceReport {
	out := map[group.Source]group.SourceReport{}
	for _, f := range facts {
		if r, ok := f.(group.SourceReport); ok {
			out[r.Source] = r
		}
	}
	return out
}

// running starts Run and ends it with the test.
func running(t *testing.T, opt Options) *gathered {
	t.Helper()
	g := gather()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, opt, g.emit) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return g
}

// numbered are records that tell their own number.
func numbered(topic string, partitions int32, from, to int) (out []Raw) {
	for i := from; i < to; i++ {
		out = append(out, Raw{Topic: topic, Partition: int32(i) % partitions, Key: fmt.Appendf(nil, "k%d", i), Value: []byte("v"), At: time.UnixMilli(int64(i))})
	}
	return out
}
