package virtual

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/lab/coordinator"
	"regroup/internal/lab/herder"
)

// Sim is a group in virtual time. Nothing happens in it but in Run and in what waits for something.
type Sim struct {
	opt    Options
	now    time.Time
	queue  queue
	groups *coordinator.Coordinator
	asks   map[coordinator.Ask]func(kmsg.Response)
	last   coordinator.Ask
	topic  topic
	fleet  []*worker // in the order in which they came
	claims map[decode.Unit]claim
	in     map[string]bool // members of the last record
	tell   func(group.Fact, time.Time)

	logged, claimed int64 // offsets
	crashes         []time.Time
	stops           []Stop
}

// Stop is a moment at which units stopped in a process.
type Stop struct {
	At    time.Time
	Units int
}

// claim is the newest status of a unit.
type claim struct {
	worker     string // host:port
	generation int32
	gone       bool // a tombstone
}

// Epoch is when every Sim begins.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// New makes a group whose workers are about to start. tell gets each fact as it happens.
func New(opt Options, tell func(group.Fact, time.Time)) *Sim {
	opt.fill()
	s := &Sim{
		opt: opt, now: Epoch, topic: newTopic(), asks: map[coordinator.Ask]func(kmsg.Response){}, claims: map[decode.Unit]claim{},
		in: map[string]bool{}, tell: tell,
	}
	s.groups = coordinator.New(coordinator.Options{InitialDelay: opt.InitialDelay, NewMember: Names(opt.Seed), Cleanup: forEver})
	for _, src := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
		s.fact(group.SourceReport{At: s.now, Source: src, Name: "simulated", Health: group.HealthOK})
	}
	for _, c := range opt.Connectors {
		of := connector{max: c.Tasks, committed: -1}
		s.append([]decode.ConfigRecord{connectorRecord(c.Name, of)}, putConnector(c.Name, of))
		s.append(append(taskRecords(c.Name, c.Tasks), commitRecord(c.Name, c.Tasks)), commitTasks(c.Name, c.Tasks, 0))
	}
	for range opt.Workers {
		w := s.place(s.freeName(), opt.Eager)
		s.at(opt.Phase(w.name), w.up)
	}
	return s
}

// forEver keeps an empty group from being deleted in the middle of an exercise.
const forEver = 100 * 365 * 24 * time.Hour

// Now is the moment that the group has come to.
func (s *Sim) Now() time.Time { return s.now }

// Crashes are the moments at which workers died. A member that was put out of the group, or stood still, leaves it without a word
// too, and an observer may take it for dead.
func (s *Sim) Crashes() []time.Time { return s.crashes }

// Stops are all of them so far, in order: everything that a worker's own log would tell of, also of work that is deleted, or stopped
// and started where it runs, and what ended with its process.
func (s *Sim) Stops() []Stop { return s.stops }

func (s *Sim) stopped(units int) {
	if units > 0 {
		s.stops = append(s.stops, Stop{s.now, units})
	}
}

func (s *Sim) fact(f group.Fact) { s.tell(f, s.now) }

func (s *Sim) at(after time.Duration, do func()) { s.queue.put(s.now.Add(max(after, 0)), do) }

// step does the next thing that happens at or before a moment; false when there is none.
func (s *Sim) step(until time.Time) bool {
	due, timed := s.groups.Next()
	next, planned := s.queue.next()
	switch {
	case timed && (!planned || due.Before(next)) && !due.After(until):
		s.now = later(s.now, due)
		s.deliver(s.groups.Tick(s.now))
	case planned && !next.After(until):
		e := s.queue.pop()
		s.now = later(s.now, e.at)
		e.do()
	default:
		return false
	}
	return true
}

// Run lets time pass.
func (s *Sim) Run(d time.Duration) {
	until := s.now.Add(d)
	for s.step(until) {
	}
	s.now = until
}

// NeverError says that something waited for did not come about.
type NeverError struct {
	What  string
	Limit time.Duration
}

func (e *NeverError) Error() string { return fmt.Sprintf("%s: not within %s", e.What, e.Limit) }

// until lets time pass until something is so.
func (s *Sim) until(so func() bool, limit time.Duration, what string) error {
	end := s.now.Add(limit)
	for !so() {
		if !s.step(end) {
			return &NeverError{what, limit}
		}
	}
	return nil
}

// ask has the coordinator answer. What it brings about happens at this moment, but after what is happening now.
func (s *Sim) ask(from coordinator.Client, req kmsg.Request, answer func(kmsg.Response)) {
	req.SetVersion(req.MaxVersion())
	s.last++
	s.asks[s.last] = answer
	s.deliver(s.groups.Handle(s.now, s.last, from, req))
}

func (s *Sim) deliver(out coordinator.Out) {
	for _, r := range out.Replies {
		answer := s.asks[r.Ask]
		delete(s.asks, r.Ask)
		s.at(0, func() { answer(r.Response) })
	}
	for _, w := range out.Writes {
		s.log(w)
		s.at(0, func() { s.deliver(s.groups.Written(s.now, w.ID, 0)) })
	}
}

// log tells a record of the coordinator's.
func (s *Sim) log(w coordinator.Write) {
	f := group.LogRecord{At: s.now, Offset: s.logged, Bytes: len(w.Key) + len(w.Value)}
	s.logged++
	clear(s.in)
	if w.Value != nil {
		f.Record, f.Err = decode.ParseGroupRecord(w.Value)
		if f.Record != nil {
			for _, m := range f.Record.Members {
				s.in[m.ID] = true
			}
		}
	}
	s.fact(f)
}

// append puts records into the config topic; every worker that is awake reads them at once.
func (s *Sim) append(records []decode.ConfigRecord, then func(*view) herder.Changes) {
	s.topic.write(s.now, s.fact, records, then)
	for _, w := range s.fleet {
		w.read()
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Begin lets the workers join and share out the work, and goes on to a whole minute after that, so that whatever the protocol, what
// follows begins at the same moment of every worker's heartbeats.
func (s *Sim) Begin() error {
	s.Run(s.opt.Heartbeat + s.opt.Boot)
	if err := s.Settle(); err != nil {
		return err
	}
	s.Run(time.Minute - s.now.Sub(Epoch)%time.Minute)
	return nil
}
