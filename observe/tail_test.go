package observe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
)

// tailing follows a topic and keeps the keys it gave, by partition.
type tailing struct {
	mu   sync.Mutex
	keys map[int32][]string
	n    int
	lost []string
	*tail
	*gathered
}

func follow(t *testing.T, dial Dial, tl *tail) *tailing {
	t.Helper()
	opt := Options{Group: "g", Dial: dial}
	if err := opt.fill(); err != nil {
		t.Fatal(err)
	}
	g := gather()
	out := newStream(&opt, g.emit)
	s, err := begin(&opt, out, group.SourceStatus, tl.topic)
	if err != nil {
		t.Fatal(err)
	}
	f := &tailing{keys: map[int32][]string{}, tail: tl, gathered: g}
	tl.cl = s.cl
	tl.each = func(p int32, r record) {
		f.mu.Lock()
		f.keys[p] = append(f.keys[p], string(r.key))
		f.n++
		f.mu.Unlock()
		g.emit(nil, time.Time{})
	}
	tl.lost = func(format string, args ...any) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.lost = append(f.lost, fmt.Sprintf(format, args...))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); tl.follow(ctx, s.reporter) }()
	t.Cleanup(func() { cancel(); <-done; s.cl.Close() })
	return f
}

func (f *tailing) have(t *testing.T, n int) {
	t.Helper()
	f.gathered.until(t, fmt.Sprintf("%d records", n), func([]group.Fact) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.n >= n
	})
}

// once says whether each record came once and in order.
func (f *tailing) once(t *testing.T, want []Raw) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	by := map[int32][]string{}
	for _, r := range want {
		by[r.Partition] = append(by[r.Partition], string(r.Key))
	}
	for p, keys := range by {
		if !slices.Equal(f.keys[p], keys) {
			t.Errorf("partition %d: got %d records, want %d; or in another order", p, len(f.keys[p]), len(keys))
		}
	}
}

// TestTailThroughMoves: leaders move, brokers come and go; each record is given once, in its partition's order.
func TestTailThroughMoves(t *testing.T) { synctest.Test(t, tailThroughMoves) }

func tailThroughMoves(t *testing.T) {
	c, dial := newVirtual(t, kfake.NumBrokers(3), kfake.Ports(9001, 9002, 9003), kfake.SeedTopics(4, "t"))
	all := numbered("t", 4, 0, 400)
	write(t, dial, all...)
	f := follow(t, dial, &tail{topic: "t", partition: -1, from: atStart})
	f.have(t, 400)
	for round := range 8 {
		switch round {
		case 2:
			if _, _, err := c.AddNode(-1, 9004); err != nil {
				t.Fatal(err)
			}
		case 5:
			if err := c.RemoveNode(1); err != nil {
				t.Fatal(err)
			}
		}
		c.ShufflePartitionLeaders()
		more := numbered("t", 4, 400+round*40, 440+round*40)
		write(t, dial, more...)
		all = append(all, more...)
		f.have(t, len(all))
	}
	f.once(t, all)
	if len(f.lost) > 0 {
		t.Errorf("lost: %q", f.lost)
	}
}

// TestTailFollows: answer after answer brings one record; none of that is trouble.
func TestTailFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial := newVirtual(t, kfake.SeedTopics(1, "t"))
		f := follow(t, dial, &tail{topic: "t", partition: -1, from: atStart})
		all := numbered("t", 1, 0, 30)
		for i := range all {
			write(t, dial, all[i])
			f.have(t, i+1)
			time.Sleep(time.Second) // less than an idle fetch waits: no empty answer in between
		}
		f.once(t, all)
		f.gathered.mu.Lock()
		defer f.gathered.mu.Unlock()
		if told := reports(f.facts); len(told) > 0 {
			t.Errorf("told %v", told)
		}
	})
}

// TestTailThroughRestart: the broker goes away with its connections and comes back with its data on the same port.
func TestTailThroughRestart(t *testing.T) {
	dir := t.TempDir()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, "t"), kfake.DataDir(dir))
	if err != nil {
		t.Fatal(err)
	}
	addr := c.ListenAddrs()[0]
	var port int
	if _, err := fmt.Sscanf(addr[strings.LastIndexByte(addr, ':'):], ":%d", &port); err != nil {
		t.Fatal(err)
	}
	dial := dialTo(addr)
	all := numbered("t", 2, 0, 50)
	write(t, dial, all...)
	f := follow(t, dial, &tail{topic: "t", partition: -1, from: atStart})
	f.have(t, 50)
	for i := range 2 {
		c.Close()
		if c, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(port), kfake.DataDir(dir)); err != nil {
			t.Fatal(err)
		}
		more := numbered("t", 2, 50+10*i, 60+10*i)
		write(t, dial, more...)
		all = append(all, more...)
		f.have(t, len(all))
	}
	f.once(t, all)
	t.Cleanup(c.Close)
}

// TestTailOutOfRange: what was deleted before it was read is told, and reading goes on behind it.
func TestTailOutOfRange(t *testing.T) {
	c, dial := newCluster(t, kfake.SeedTopics(1, "t"))
	all := numbered("t", 1, 0, 100)
	write(t, dial, all...)
	// The first fetch finds that the records it was to start with are gone.
	deleted := make(chan struct{})
	c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		select {
		case <-deleted:
			return nil, nil, false
		default:
		}
		close(deleted)
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		in := req.(*kmsg.FetchRequest)
		rt := kmsg.NewFetchResponseTopic()
		rt.Topic, rt.TopicID = in.Topics[0].Topic, in.Topics[0].TopicID
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.ErrorCode = kerr.NotLeaderForPartition.Code
		rt.Partitions = append(rt.Partitions, rp)
		resp.Topics = append(resp.Topics, rt)
		return resp, nil, true
	})
	f := follow(t, dial, &tail{topic: "t", partition: 0, from: atStart})
	<-deleted
	if err := c.DeleteRecords("t", 0, 60); err != nil {
		t.Fatal(err)
	}
	f.have(t, 40)
	f.once(t, all[60:])
	f.mu.Lock()
	defer f.mu.Unlock()
	if want := []string{"t-0: records 0 to 59 were deleted before they were read"}; !slices.Equal(f.lost, want) {
		t.Errorf("lost: %q, want %q", f.lost, want)
	}
}

// TestTailDamaged: an answer that was damaged on its way is asked for again; one that stays damaged is told and passed over.
func TestTailDamaged(t *testing.T) {
	good := made{base: 0, deltas: []int32{0}, pid: -1, keys: [][]byte{[]byte("k0")}, values: [][]byte{nil}}.bytes(t)
	bad := slices.Clone(good)
	bad[len(bad)-1] ^= 1
	next := made{base: 1, deltas: []int32{0}, pid: -1, keys: [][]byte{[]byte("k1")}, values: [][]byte{nil}}.bytes(t)
	for _, test := range []struct {
		name  string
		spoil int // so many answers are damaged
		want  []string
		lost  int
	}{
		{"once", 1, []string{"k0", "k1"}, 0},
		{"for good", 1000, []string{"k1"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, dial := newCluster(t, kfake.SeedTopics(1, "t"))
			write(t, dial, numbered("t", 1, 0, 2)...)
			spoilt := 0
			c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				in := req.(*kmsg.FetchRequest)
				from := in.Topics[0].Partitions[0].FetchOffset
				if from > 1 {
					return nil, nil, false
				}
				resp := req.ResponseKind().(*kmsg.FetchResponse)
				rt := kmsg.NewFetchResponseTopic()
				rt.Topic, rt.TopicID = in.Topics[0].Topic, in.Topics[0].TopicID
				rp := kmsg.NewFetchResponseTopicPartition()
				rp.HighWatermark = 2
				switch {
				case from == 1:
					rp.RecordBatches = next
				case spoilt < test.spoil:
					spoilt++
					rp.RecordBatches = bad
				default:
					rp.RecordBatches = good
				}
				rt.Partitions = append(rt.Partitions, rp)
				resp.Topics = append(resp.Topics, rt)
				return resp, nil, true
			})
			f := follow(t, dial, &tail{topic: "t", partition: 0, from: atStart})
			f.have(t, len(test.want))
			f.mu.Lock()
			defer f.mu.Unlock()
			if !slices.Equal(f.keys[0], test.want) || len(f.lost) != test.lost {
				t.Errorf("records %q, want %q; lost %q", f.keys[0], test.want, f.lost)
			}
		})
	}
}

// TestTailToEnd: reading stops by itself at the ends that the partitions had when it began.
func TestTailToEnd(t *testing.T) {
	_, dial := newCluster(t, kfake.NumBrokers(2), kfake.SeedTopics(3, "t"))
	all := numbered("t", 3, 0, 30)
	write(t, dial, all...)
	f := follow(t, dial, &tail{topic: "t", partition: -1, from: atStart, toEnd: true})
	f.have(t, 30)
	f.once(t, all)

	empty := &tail{topic: "none", partition: -1, from: atStart, toEnd: true}
	c, dial := newCluster(t, kfake.SeedTopics(1, "none"))
	_ = c
	cl, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if empty.cl = cl; empty.pass(t.Context()) != nil || !empty.finished() {
		t.Error("an empty topic has no end")
	}
}
