//go:build kafka && unix

package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// nightly reports whether tests take the time for all that they know.
func nightly() bool { return os.Getenv("REGROUP_NIGHTLY") != "" }

// back is how soon after a coordinator went silent its group is described again. Brokers of KRaft take nine seconds of it to notice;
// on a machine that is busy they take longer, and then it counts from when they had.
const back, backAfterFailover = 15 * time.Second, 5 * time.Second

// Three brokers, of which the one that coordinates the group dies, freezes, dies together with a worker, is restarted as all are, and
// loses the group's partition to another, while connectors come and change and workers are evicted. What a watch and the log
// tell are the records on disk, and nothing is found that is not so. It runs before the tests that share a broker, not beside them: three
// brokers and three workers that are starved for seconds look as if they had died.
func TestThreeBrokers(t *testing.T) { //nolint:paralleltest // see above
	c := StartCluster(t, BrokerVersion, 3)
	workers := c.Workers(t, 3, WorkerOptions{Extra: c.Replicated()})
	group := c.GroupOf(t)
	first := WaitHeld(t, workers, nil)
	c.Lead(t, group, c.Brokers[1]) // the first is the controller, too
	watch := StartRegroup(t, "watch", group, "-b", c.Addr, "-o", "json")
	WaitRound(t, watch, first)
	record := StartRegroup(t, "record", c.path("life.jsonl"), group, "-b", c.Addr) // for a look where something failed
	t.Cleanup(func() {
		record.Stop(t)
		if t.Failed() {
			_ = os.WriteFile(c.path("watch.jsonl"), []byte(strings.Join(watch.Lines(), "\n")+"\n"), 0o600)
			_ = os.WriteFile(c.path("rounds.jsonl"), []byte(Regroup(t, "rounds", group, "-b", c.Addr, "-o", "json").Stdout), 0o600)
		}
	})
	life := &troubled{t: t, c: c, group: group, workers: workers, watch: watch, tasks: map[string]int{}, halts: map[string][]Halt{}}
	life.churn(0)
	life.churn(1)

	var ill []span
	during := func(what string, f func()) {
		begun := time.Now()
		t.Logf("%s: %s", begun.Format("15:04:05"), what)
		f()
		life.settle()
		ill = append(ill, span{begun, time.Now()})
	}
	during("killed", func() {
		b, at := life.coordinator(), time.Now()
		b.Kill()
		stir := life.meanwhile()
		life.moved(b, at)
		stir.Wait()
		b.Start(t)
	})
	during("frozen", func() {
		b, at := life.coordinator(), time.Now()
		b.Signal(t, syscall.SIGSTOP)
		stir := life.meanwhile()
		life.moved(b, at)
		stir.Wait()
		life.beside(b)
		time.Sleep(time.Until(at.Add(40 * time.Second)))
		b.Signal(t, syscall.SIGCONT)
	})
	var died span
	if nightly() {
		during("killed with a worker", func() {
			b := life.coordinator()
			life.hold()
			at := time.Now()
			b.Kill()
			workers[2].Kill(t)
			died = span{at, time.Now()}
			life.halts[workers[2].Client] = []Halt{{At: Moment{died[0].UTC(), died[1].UTC()}}}
			life.moved(b, at)
			last := workers[:2]
			WaitHeld(t, last, Units(life.tasks))
			b.Start(t)
			workers[2].Restart(t)
		})
		during("restarted in turn", func() {
			for _, b := range c.Brokers {
				b.Stop(t)
				b.Start(t)
			}
		})
		during("reassigned", func() {
			from := life.coordinator()
			to := c.Others(from)[0]
			at := time.Now()
			c.Lead(t, group, to)
			life.told(from, to, at, time.Now())
		})
	}

	var watched, rounds []Round
	var disk []diskRound
	for { // all of it is of one moment: a worker may still rejoin when its coordinator goes on
		last := WaitHeld(t, workers, Units(life.tasks))
		WaitRound(t, watch, last)
		before := recorded(t, c, group)
		watched, rounds, disk = Events(t, watch), Rounds(t, c.Rig, group), recorded(t, c, group)
		if len(before) == len(disk) {
			break
		}
	}
	t.Logf("%d rounds, %d records, %d lines of watch", len(rounds), len(disk), len(watch.Lines()))
	var told []diskRound
	for _, r := range rounds {
		d := diskRound{Offset: r.Offset, Generation: *r.Generation}
		for _, w := range r.Workers {
			d.Members = append(d.Members, w.Member)
		}
		told = append(told, d)
	}
	if diff := cmp.Diff(disk, told); diff != "" {
		t.Errorf("records on disk (-) and rounds (+) differ:\n%s", diff)
	}
	CheckRounds(t, rounds, workers)
	if watch.Ended() {
		t.Fatal("watch ended by itself")
	}
	checkWatch(t, watched, rounds, first)
	life.check(ill, rounds)
	if !died[0].IsZero() {
		// What was seen while it happened knows more than the records: nothing listened at the worker's address any more.
		record.Stop(t)
		out := Regroup(t, "rounds", "--from", c.path("life.jsonl"), "-o", "json")
		seen, err := ParseRounds(out.Stdout)
		if err != nil {
			t.Fatal(err)
		}
		checkDeath(t, seen, workers[2], died)
	}
}

type span [2]time.Time

// troubled is a group in trouble.
type troubled struct {
	t       *testing.T
	c       *Cluster
	group   string
	workers []*Worker
	watch   *Running

	tasks map[string]int    // what is configured
	halts map[string][]Halt // by the worker's client id
}

// hold waits until all workers hold all that is configured.
func (l *troubled) hold() { WaitHeld(l.t, l.workers, Units(l.tasks)) }

func (l *troubled) coordinator() *Broker {
	var b *Broker
	Until(l.t, "a coordinator", func() (bool, string) {
		b = l.c.Coordinator(l.t, l.group, l.c.Brokers)
		return b != nil, "none"
	})
	if b == l.c.Brokers[0] { // without the controller nobody takes over
		b = l.c.Brokers[1+rand.IntN(len(l.c.Brokers)-1)]
		at := time.Now()
		l.c.Lead(l.t, l.group, b)
		l.told(l.c.Brokers[0], b, at, time.Now())
	}
	return b
}

// churn creates or changes one of three connectors. Each has a worker that is always asked, so that what it is asked later comes later.
func (l *troubled) churn(i int) {
	name, n := sink(i), 1+rand.IntN(4)
	l.workers[i%3%2].Put(l.t, name, FileSink(name, n))
	l.tasks[name] = n
}

// try is churn that may fail, or come later than its answer: a worker whose config topic lies at a broker that is away waits for it.
func (l *troubled) try(i int) {
	_ = l.workers[i%3%2].rest(l.t.Context(), "PUT", "connectors/"+sink(i)+"/config", FileSink(sink(i), 1+rand.IntN(4)), nil)
}

func sink(i int) string { return fmt.Sprintf("sink-%d", i%3) }

// meanwhile changes configurations while nobody coordinates: rounds of the one who takes over.
func (l *troubled) meanwhile() *sync.WaitGroup {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { l.try(i) })
	}
	return &wg
}

// evict takes a worker out of the group: it comes back by itself.
func (l *troubled) evict() {
	_ = l.c.ask(l.t, l.c.Brokers, func(ctx context.Context, cl *kgo.Client) error {
		all, err := kadm.NewClient(cl).DescribeGroups(ctx, l.group)
		if err != nil || len(all[l.group].Members) == 0 {
			return err
		}
		members := all[l.group].Members
		leave := kmsg.NewPtrLeaveGroupRequest()
		member := kmsg.NewLeaveGroupRequestMember()
		leave.Group, member.MemberID = l.group, members[rand.IntN(len(members))].MemberID
		leave.Members = append(leave.Members, member)
		_, err = leave.RequestWith(ctx, cl)
		return err
	})
}

// settle lets things happen to the group after a trouble, until all is held again.
func (l *troubled) settle() {
	for i := range 3 {
		l.churn(i)
		l.evict()
	}
	l.hold()
}

// moved waits until the watch has said that another broker than b coordinates the group, and holds it to its time.
func (l *troubled) moved(b *Broker, at time.Time) {
	l.t.Helper()
	to := l.c.WaitMoved(l.t, l.group, b)
	over := time.Now()
	l.told(b, to, at, over)
}

// beside holds commands that run once to what they can know while one broker is silent: they ask the others, and name that one.
func (l *troubled) beside(silent *Broker) {
	l.t.Helper()
	for range 3 {
		out := Regroup(l.t, "groups", "-b", l.c.Addr)
		if out.Code != 0 || !strings.Contains(out.Stdout, l.group) || !strings.Contains(out.Stderr, silent.Addr+" does not answer") {
			l.t.Errorf("regroup groups while broker %d is silent: exit code %d\n%s%s", silent.ID, out.Code, out.Stdout, out.Stderr)
		}
	}
	if out := Regroup(l.t, "doctor", l.group, "-b", l.c.Addr); out.Code == 2 || !strings.Contains(out.Stderr, silent.Addr+" does not answer") {
		l.t.Errorf("regroup doctor while broker %d is silent: exit code %d\n%s%s", silent.ID, out.Code, out.Stdout, out.Stderr)
	}
}

func (l *troubled) told(from, to *Broker, at, over time.Time) {
	l.t.Helper()
	want := fmt.Sprintf("the coordinator moved from %s to %s", from.Addr, to.Addr)
	var said time.Time
	Until(l.t, "the watch to say "+want, func() (bool, string) {
		for _, e := range l.events("source") {
			if e.Source == "describe" && e.Detail == want && !e.At.Before(at) {
				said = e.At
				return true, ""
			}
		}
		return false, fmt.Sprintf("%d lines", len(l.watch.Lines()))
	})
	l.t.Logf("broker %d coordinates after %.1f s, described there after %.1f s", to.ID, over.Sub(at).Seconds(), said.Sub(at).Seconds())
	if said.Sub(at) > back && said.Sub(over) > backAfterFailover {
		l.t.Errorf("broker %d went silent at %s, another took over %s later, and the group was described there %s after that",
			from.ID, at.Format("15:04:05"), over.Sub(at), said.Sub(over))
	}
}

// watchEvent is what this test reads of a line of a watch.
type watchEvent struct {
	Event    string
	At       time.Time
	Source   string // of a source
	State    string
	Detail   string
	Verdict  string // of a state
	Sentence string
}

func (l *troubled) events(kind string) (out []watchEvent) {
	l.t.Helper()
	for _, line := range l.watch.Lines() {
		var e watchEvent
		if !strings.Contains(line[:min(len(line), 30)], `"event":"`+kind+`"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			l.t.Fatalf("%s: %v", line, err)
		}
		out = append(out, e)
	}
	return out
}

// diskRound is a record of the group in __consumer_offsets.
type diskRound struct {
	Offset     int64
	Generation int32
	Members    []string
}

// recorded reads the group's records with a consumer, and with another reader of their bytes than regroup's.
func recorded(t *testing.T, c *Cluster, group string) (out []diskRound) {
	t.Helper()
	cl := c.client(t)
	topics, err := kadm.NewClient(cl).ListTopicsWithInternal(t.Context(), offsetsTopic)
	if err != nil {
		t.Fatal(err)
	}
	p := partitionOf(group, len(topics[offsetsTopic].Partitions))
	ends, err := kadm.NewClient(cl).ListEndOffsets(t.Context(), offsetsTopic)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := ends.Lookup(offsetsTopic, p)
	reader := c.client(t, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{offsetsTopic: {p: kgo.NewOffset().AtStart()}}))
	for next := int64(0); next < end.Offset; {
		fetches := reader.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(rec *kgo.Record) {
			next = rec.Offset + 1
			var k kmsg.GroupMetadataKey
			if len(rec.Key) < 2 || rec.Key[1] != 2 || k.ReadFrom(rec.Key) != nil || k.Group != group {
				return
			}
			v := kmsg.NewGroupMetadataValue()
			if err := v.ReadFrom(rec.Value); err != nil {
				t.Fatalf("record at %d: %v", rec.Offset, err)
			}
			d := diskRound{Offset: rec.Offset, Generation: v.Generation}
			for _, m := range v.Members {
				d.Members = append(d.Members, m.MemberID)
			}
			slices.Sort(d.Members)
			out = append(out, d)
		})
	}
	return out
}
