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

	"github.com/twmb/franz-go/pkg/kfake"

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
	cl, err := openCluster(dial)
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if empty.cl = cl; empty.pass(t.Context()) != nil || !empty.finished() {
		t.Error("an empty topic has no end")
	}
}
