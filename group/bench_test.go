package group_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// crowd is a large sound group that makes records as its coordinator would: in every pair of rounds some units are
// revoked from their workers, and then assigned to the next ones. What did not change keeps its bytes.
type crowd struct {
	holds   [][]decode.Unit // by worker
	members []decode.Member
	config  []group.ConfigRecord
	free    []decode.Unit // revoked in the round before
	from    []int         // whose they were
	touched []int         // members whose assignment names something
	next    int           // the worker that is first to give something up
	gen     int32
	now     time.Time
}

// newCrowd makes a group of workers and units: every connector has an instance and 99 tasks.
func newCrowd(workers, units int) *crowd {
	c := &crowd{holds: make([][]decode.Unit, workers), members: make([]decode.Member, workers), now: noon}
	offset := int64(0)
	for u := range units {
		unit := decode.Unit{Connector: fmt.Sprintf("connector-%04d", u/100), Task: int32(u%100) - 1}
		c.holds[u%workers] = append(c.holds[u%workers], unit)
		if unit.IsInstance() {
			for _, line := range []string{"connector " + unit.Connector, fmt.Sprintf("commit %s %d", unit.Connector, min(99, units-u-1))} {
				key, value, _ := configBytes(line)
				record, err := decode.ParseConfig(key, value)
				c.config = append(c.config, group.ConfigRecord{At: noon, Topic: "configs", Offset: offset, Record: record, Err: err})
				offset++
			}
		}
	}
	for w := range c.holds {
		c.say(w, nil, nil)
	}
	return c
}

func (c *crowd) id(w int) string {
	return fmt.Sprintf("worker-%04d-3f2c9a4e-8a70-4b6e-9b1a-0c5d2e7f6a1b", w)
}

// say writes what a worker reports and is told.
func (c *crowd) say(w int, start, stop []decode.Unit) {
	url := fmt.Sprintf("http://worker-%04d.example:8083/", w)
	offset := int64(len(c.config))
	leader := fmt.Sprintf("http://worker-%04d.example:8083/", 0)
	c.members[w] = decode.Member{
		ID: c.id(w), Client: fmt.Sprintf("worker-%04d", w), Host: "/10.0.0.1", RebalanceTimeout: time.Minute,
		SessionTimeout: 10 * time.Second,
		Subscription: decode.AppendSubscription(nil, decode.Subscription{
			Version: 2, URL: url, ConfigOffset: offset,
			Allocation: &decode.Assignment{Version: 2, Leader: c.id(0), LeaderURL: leader, ConfigOffset: offset, Assigned: sharesOf(c.holds[w])},
		}),
		Assignment: decode.AppendAssignment(nil, decode.Assignment{
			Version: 2, Leader: c.id(0), LeaderURL: leader, ConfigOffset: offset,
			Assigned: sharesOf(start), Revoked: sharesOf(stop),
		}),
	}
}

func sharesOf(units []decode.Unit) []decode.Share {
	var out []decode.Share
	for _, u := range units {
		if n := len(out); n > 0 && out[n-1].Connector == u.Connector {
			out[n-1].Tasks = append(out[n-1].Tasks, u.Task)
			continue
		}
		out = append(out, decode.Share{Connector: u.Connector, Tasks: []int32{u.Task}})
	}
	return out
}

// round is the next record: it revokes n units, or assigns those that the one before revoked.
func (c *crowd) round(n int) []byte {
	for _, w := range c.touched {
		c.say(w, nil, nil)
	}
	c.touched = c.touched[:0]
	if len(c.free) > 0 {
		for i, u := range c.free {
			w := (c.from[i] + 1) % len(c.holds)
			c.say(w, []decode.Unit{u}, nil)
			c.holds[w] = append(c.holds[w], u)
			c.touched = append(c.touched, w)
		}
		c.free = nil
	} else {
		c.from = c.from[:0]
		for range n {
			w := c.next
			c.next = (c.next + 1) % len(c.holds)
			u := c.holds[w][0]
			c.say(w, nil, []decode.Unit{u})
			c.holds[w] = slices.Delete(c.holds[w], 0, 1)
			c.free, c.from, c.touched = append(c.free, u), append(c.from, w), append(c.touched, w)
		}
	}
	c.gen++
	c.now = c.now.Add(time.Second)
	return decode.AppendGroupRecord(nil, decode.GroupRecord{
		ProtocolType: decode.ProtocolType, Generation: c.gen,
		Protocol: decode.ProtocolSessioned, Leader: c.id(0), StateAt: c.now, Members: c.members,
	})
}

// model has seen the config topic and one round.
func (c *crowd) model() *group.Model {
	m := group.New(group.Options{Group: "g"})
	for _, f := range c.config {
		m.Apply(f, noon)
	}
	c.feed(m, c.round(0))
	return m
}

func (c *crowd) feed(m *group.Model, value []byte) {
	record, err := decode.ParseGroupRecord(value)
	m.Apply(group.LogRecord{At: c.now, Offset: int64(c.gen), Record: record, Bytes: len(value), Err: err}, c.now)
}

// big is the group of DESIGN.md, section 11.
func big() *crowd { return newCrowd(1000, 100_000) }

func BenchmarkGeneration(b *testing.B) {
	c := big()
	m := c.model()
	for b.Loop() {
		b.StopTimer()
		value := c.round(100)
		b.StartTimer()
		c.feed(m, value)
	}
}

// BenchmarkHistory says how much memory rounds take that move 100 units each: of 10,000, by the growth over 512 of them, four keyframes' worth.
func BenchmarkHistory(b *testing.B) {
	if testing.Short() {
		b.Skip("it takes minutes")
	}
	for b.Loop() {
		c := big()
		m := c.model()
		grow := func(rounds int) float64 {
			for range rounds {
				c.feed(m, c.round(100))
			}
			runtime.GC()
			return heap()
		}
		some := grow(256)
		more := grow(512)
		if n := len(m.State(c.now).Rounds); n != 769 {
			b.Fatalf("%d rounds", n)
		}
		b.ReportMetric((more-some)/1e6*10_000/512, "MB/10000rounds")
		b.ReportMetric(some/1e6, "MB/256rounds")
	}
}

func heap() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkStorm is one generation of a small group in a storm: 200 a second have to cost under a quarter of a core.
func BenchmarkStorm(b *testing.B) {
	c := newCrowd(5, 100)
	m := c.model()
	for b.Loop() {
		c.feed(m, c.round(5))
	}
}

func BenchmarkState(b *testing.B) {
	c := big()
	m := c.model()
	c.feed(m, c.round(100))
	for b.Loop() {
		b.StopTimer()
		c.feed(m, c.round(100)) // what it may have kept from the last time
		b.StartTimer()
		m.State(c.now)
	}
}

func BenchmarkStateAgain(b *testing.B) {
	c := big()
	m := c.model()
	for b.Loop() {
		m.State(c.now)
	}
}

func BenchmarkLookBack(b *testing.B) {
	c := big()
	m := c.model()
	for range 300 {
		c.feed(m, c.round(100))
	}
	s := m.State(c.now)
	at := len(s.Rounds) - 50 // not on a keyframe
	b.Run("Detail", func(b *testing.B) {
		for b.Loop() {
			s.Detail(at)
		}
	})
	b.Run("Stand", func(b *testing.B) {
		for b.Loop() {
			s.Stand(at)
		}
	})
}

// BenchmarkCosts is what the costs of 24 rounds of the largest group take to work out, with all that its workers said.
func BenchmarkCosts(b *testing.B) {
	c := big()
	m := c.model()
	offset := int64(0)
	say := func(w int, u decode.Unit, state string) {
		offset++
		m.Apply(group.StatusRecord{At: c.now, Topic: "status", Offset: offset, Record: decode.StatusRecord{
			Kind: decode.StatusOfUnit, Unit: u, State: state, WorkerID: fmt.Sprintf("worker-%04d.example:8083", w), Generation: c.gen,
		}}, c.now)
	}
	for w, units := range c.holds {
		for _, u := range units {
			say(w, u, decode.Running)
		}
	}
	for range 24 {
		c.feed(m, c.round(100))
		if len(c.free) > 0 {
			for i, u := range c.free {
				say(c.from[i], u, decode.Unassigned)
			}
			continue
		}
		for _, w := range c.touched {
			say(w, c.holds[w][len(c.holds[w])-1], decode.Running)
		}
	}
	for b.Loop() {
		b.StopTimer()
		say(0, c.holds[0][0], decode.Running)
		s := m.State(c.now)
		b.StartTimer()
		s.Prepare()
	}
}
