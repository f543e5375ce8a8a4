package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/internal/lab/coordinator"
	"regroup/internal/taskgroup"
)

// The coordinator's own topic, as brokers make it.
const (
	OffsetsTopic      = "__consumer_offsets"
	OffsetsPartitions = 50
)

// Options of a Broker.
type Options struct {
	Net    Network
	Groups coordinator.Options
}

// Broker runs until Close.
type Broker struct {
	net     Network
	groups  *groups
	front   *front
	cluster *kfake.Cluster
	log     *kgo.Client
	addr    string
	tasks   *taskgroup.Group
}

// Start gives a broker that answers.
func Start(ctx context.Context, opt Options) (*Broker, error) {
	c, _ := taskgroup.New(context.WithoutCancel(ctx))
	b := &Broker{net: opt.Net, groups: newGroups(opt.Groups, c), tasks: c}
	settings := []kfake.Opt{
		kfake.NumBrokers(1), kfake.ListenFn(b.listenOnce),
		kfake.GroupMinSessionTimeout(time.Millisecond),
	}
	if port := opt.Net.Port(); port != 0 {
		settings = append(settings, kfake.Ports(port))
	}
	cluster, err := kfake.NewCluster(settings...)
	if err != nil {
		_ = b.tasks.Stop()
		return nil, fmt.Errorf("broker: %w", err)
	}
	b.cluster = cluster
	b.addr = cluster.ListenAddrs()[0] // never again: kfake's methods block for ever once it is closed
	b.log, err = kgo.NewClient(kgo.SeedBrokers(b.addr), kgo.Dialer(b.front.dialInner), kgo.ClientID("broker"),
		kgo.ProducerLinger(0), kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.DisableClientMetrics(), kgo.ProducerBatchMaxBytes(maxFrame/2), kgo.BrokerMaxWriteBytes(maxFrame))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("broker: %w", err), b.Close())
	}
	// Not compacted: kfake's compaction leaves but the last batch, where a broker would not have compacted anything yet.
	if err := b.CreateTopic(ctx, OffsetsTopic, OffsetsPartitions, map[string]string{"kfake.is_internal": "true"}); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.tasks.Run("broker: group records", func(ctx context.Context) { b.groups.write(ctx, b.log) })
	return b, nil
}

// Addr is host:port.
func (b *Broker) Addr() string { return b.addr }

// CreateTopic makes a topic, or finds it made.
func (b *Broker) CreateTopic(ctx context.Context, name string, partitions int32, settings map[string]string) error {
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, partitions, 1
	for k, v := range settings {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = k, kmsg.StringPtr(v)
		topic.Configs = append(topic.Configs, c)
	}
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Topics = append(req.Topics, topic)
	resp, err := req.RequestWith(ctx, b.log)
	if err != nil {
		return fmt.Errorf("topic %s: %w", name, err)
	}
	for _, t := range resp.Topics {
		if err := kerr.ErrorForCode(t.ErrorCode); err != nil && t.ErrorCode != kerr.TopicAlreadyExists.Code {
			return fmt.Errorf("topic %s: %w", name, err)
		}
	}
	return nil
}

// Away takes the broker off the network, as one that died: connections break and no timer runs.
func (b *Broker) Away() {
	b.groups.stop()
	b.front.setAway(true)
}

// Back brings it back with what its log says of its groups.
func (b *Broker) Back() {
	b.groups.start()
	b.front.setAway(false)
}

// Close ends everything. Its error is a panic in one of the broker's goroutines.
func (b *Broker) Close() error {
	b.groups.stop()
	if b.log != nil {
		b.tasks.Cancel()
		b.log.Close()
	}
	b.cluster.Close()
	return b.tasks.Stop()
}

// Err is a panic in one of the broker's goroutines.
func (b *Broker) Err() error { return b.tasks.Err() }

// Network is where a lab's listeners are: real sockets on loopback, or pipes in memory for tests in virtual time.
type Network struct {
	Listen func(network, address string) (net.Listener, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	// port gives the port to listen at, 0 where the system picks one.
	port func() int
}

// Loopback is 127.0.0.1, with ports that the system picks.
func Loopback() Network {
	return Network{
		Listen: net.Listen,
		Dial:   (&net.Dialer{}).DialContext,
		port:   func() int { return 0 },
	}
}

// Virtual is a network in memory; its ports count up from 9092.
func Virtual() Network {
	v := &kfake.VirtualNetwork{}
	var mu sync.Mutex
	next := 9091
	return Network{Listen: v.Listen, Dial: v.DialContext, port: func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next
	}}
}

// Port gives the port to listen at.
func (n Network) Port() int { return n.port() }
