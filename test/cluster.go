//go:build kafka && unix

package test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Cluster is a Rig of several brokers, or of a version that is set up in another way. Under KRaft the first one is the controller,
// too. Workers are told of all brokers, and internal topics have a copy on each.
type Cluster struct {
	*Rig
	Brokers []*Broker
	keeper  *process // ZooKeeper
}

// Broker is a broker's process, or the place where one ran.
type Broker struct {
	ID   int32
	Addr string

	rig     *Rig
	file    string // name of its properties, less the ending; its log has the same name
	process *process
}

const commonProperties = `log.dirs=%s
num.partitions=1
default.replication.factor=%[2]d
offsets.topic.num.partitions=4
offsets.topic.replication.factor=%[2]d
offsets.topic.segment.bytes=1073741824
transaction.state.log.num.partitions=4
transaction.state.log.replication.factor=%[2]d
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.leader.rebalance.enable=false
`

// StartCluster starts n brokers of a version for a test, and ends them with the test.
func StartCluster(t testing.TB, version string, n int) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	pom := "broker"
	if version[0] < '4' {
		pom = "broker-3"
	}
	libs, err := jars(ctx, pom, version)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "regroup-rig-") //nolint:usetesting // the logs outlive a test that fails
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{Rig: &Rig{dir: dir, libs: libs, groups: map[testing.TB]string{}, owned: map[string]bool{}}}
	t.Cleanup(func() { c.close(t) })
	zookeeper := strings.HasPrefix(version, "2.")
	shared, err := freePort() // the controller's, or ZooKeeper's
	if err != nil {
		t.Fatal(err)
	}
	if zookeeper {
		c.startKeeper(t, shared)
	}
	cluster := clusterID()
	var addrs []string
	for i := range n {
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		b := &Broker{ID: int32(i + 1), Addr: fmt.Sprintf("127.0.0.1:%d", port), rig: c.Rig, file: fmt.Sprintf("broker-%d", i+1)}
		config := fmt.Sprintf(commonProperties, c.path(b.file), n)
		switch {
		case zookeeper:
			config += fmt.Sprintf("broker.id=%d\nzookeeper.connect=127.0.0.1:%d\nlisteners=PLAINTEXT://%s\n", b.ID, shared, b.Addr)
		default:
			config += fmt.Sprintf("node.id=%d\ncontroller.quorum.voters=1@127.0.0.1:%d\ncontroller.listener.names=CONTROLLER\n"+
				"listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n", b.ID, shared)
			if i == 0 {
				config += fmt.Sprintf("process.roles=broker,controller\nlisteners=PLAINTEXT://%s,CONTROLLER://127.0.0.1:%d\nadvertised.listeners=PLAINTEXT://%[1]s\n", b.Addr, shared)
			} else {
				config += fmt.Sprintf("process.roles=broker\nlisteners=PLAINTEXT://%s\n", b.Addr)
			}
		}
		if err := os.WriteFile(c.path(b.file+".properties"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if !zookeeper {
			if err := c.format(b.file+".properties", cluster); err != nil {
				t.Fatal(err)
			}
		}
		c.Brokers, addrs = append(c.Brokers, b), append(addrs, b.Addr)
	}
	c.Addr = strings.Join(addrs, ",")
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i, b := range c.Brokers {
		wg.Go(func() { errs[i] = b.start(ctx) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *Cluster) startKeeper(t testing.TB, port int) {
	t.Helper()
	config := fmt.Sprintf("dataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\nmaxClientCnxns=0\n", c.path("zookeeper"), port)
	err := os.WriteFile(c.path("zookeeper.properties"), []byte(config), 0o600)
	if err == nil {
		c.keeper, err = launch("zookeeper", java("128m", c.libs, "org.apache.zookeeper.server.quorum.QuorumPeerMain", c.path("zookeeper.properties")), c.path("zookeeper.log"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c *Cluster) close(t testing.TB) {
	for _, b := range c.Brokers {
		if b.process != nil {
			_ = b.process.signal(syscall.SIGCONT)
			b.process.kill()
		}
	}
	if c.keeper != nil {
		c.keeper.kill()
	}
	if t.Failed() {
		t.Logf("the logs of brokers and workers are in %s", c.dir)
		return
	}
	os.RemoveAll(c.dir)
}

// Replicated are the settings of workers whose topics have a copy on each broker.
func (c *Cluster) Replicated() map[string]string {
	n := strconv.Itoa(len(c.Brokers))
	return map[string]string{"config.storage.replication.factor": n, "offset.storage.replication.factor": n, "status.storage.replication.factor": n}
}

func (b *Broker) start(ctx context.Context) error {
	p, err := launch("broker "+b.Addr, java("400m", b.rig.libs, "kafka.Kafka", b.rig.path(b.file+".properties")), b.rig.path(b.file+".log"))
	if err != nil {
		return err
	}
	b.process = p
	return answers(ctx, b.Addr, p, b.rig.path(b.file+".log"))
}

// Start brings it back with its data, on the same port.
func (b *Broker) Start(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.start(ctx); err != nil {
		t.Fatal(err)
	}
}

// Stop ends it politely: it gives its partitions to others first.
func (b *Broker) Stop(t testing.TB) {
	t.Helper()
	b.process.stop(t, syscall.SIGTERM)
}

// Kill ends it without a word.
func (b *Broker) Kill() { b.process.kill() }

// Signal sends it a signal that does not end it, as SIGSTOP.
func (b *Broker) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := b.process.signal(s); err != nil {
		t.Fatal(err)
	}
}

// ask uses a client of its own on some brokers, for what others may have learnt of the cluster is old.
func (c *Cluster) ask(t testing.TB, of []*Broker, f func(ctx context.Context, cl *kgo.Client) error) error {
	t.Helper()
	var addrs []string
	for _, b := range of {
		addrs = append(addrs, b.Addr)
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(addrs...), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	return f(ctx, cl)
}

// Coordinator is the broker that coordinates a group, as some brokers say; nil while they can't.
func (c *Cluster) Coordinator(t testing.TB, group string, of []*Broker) *Broker {
	t.Helper()
	var id int32
	if err := c.ask(t, of, func(ctx context.Context, cl *kgo.Client) error {
		found := kadm.NewClient(cl).FindGroupCoordinators(ctx, group)
		id = found[group].NodeID
		return cmp.Or(found.Error(), found[group].Err)
	}); err != nil {
		return nil
	}
	i := slices.IndexFunc(c.Brokers, func(b *Broker) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return c.Brokers[i]
}

// Others are the brokers but one.
func (c *Cluster) Others(b *Broker) []*Broker {
	return slices.DeleteFunc(slices.Clone(c.Brokers), func(o *Broker) bool { return o == b })
}

// WaitMoved waits until the others say that one of them coordinates the group, and gives that one.
func (c *Cluster) WaitMoved(t testing.TB, group string, from *Broker) *Broker {
	t.Helper()
	var now *Broker
	Until(t, fmt.Sprintf("another coordinator than broker %d", from.ID), func() (bool, string) {
		now = c.Coordinator(t, group, c.Others(from))
		return now != nil && now != from, fmt.Sprint(now)
	})
	return now
}

// Lead lets a broker lead the partition of __consumer_offsets that holds a group's records, by an assignment that names it first.
func (c *Cluster) Lead(t testing.TB, group string, leader *Broker) {
	t.Helper()
	Until(t, fmt.Sprintf("broker %d to coordinate %s", leader.ID, group), func() (bool, string) {
		err := c.ask(t, c.Brokers, func(ctx context.Context, cl *kgo.Client) error {
			adm := kadm.NewClient(cl)
			topics, err := adm.ListTopicsWithInternal(ctx, offsetsTopic)
			if err != nil {
				return err
			}
			n := partitionOf(group, len(topics[offsetsTopic].Partitions))
			p := topics[offsetsTopic].Partitions[n]
			if p.Leader == leader.ID {
				return nil
			}
			want := []int32{leader.ID}
			for _, b := range c.Others(leader) {
				want = append(want, b.ID)
			}
			if !slices.Equal(p.Replicas, want) {
				var req kadm.AlterPartitionAssignmentsReq
				req.Assign(offsetsTopic, n, want)
				answer, err := adm.AlterPartitionAssignments(ctx, req)
				return cmp.Or(err, answer.Error(), errors.New("assigned"))
			}
			var set kadm.TopicsSet
			set.Add(offsetsTopic, n)
			_, err = adm.ElectLeaders(ctx, kadm.ElectPreferredReplica, set)
			return cmp.Or(err, errors.New("elected"))
		})
		return err == nil && c.Coordinator(t, group, c.Brokers) == leader, fmt.Sprint(err)
	})
}
