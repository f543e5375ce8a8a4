package observe

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group"
)

// stream puts the facts of all sources into one order. It also keeps the little that sources need to know of each other.
type stream struct {
	mu    sync.Mutex
	emit  func(group.Fact, time.Time)
	clock func() time.Time
	raw   func(Raw)
	roster
	internal map[string]*internalTopic // whose settings are followed, by role
}

func newStream(o *Options, emit func(group.Fact, time.Time)) *stream {
	return &stream{emit: emit, clock: o.Clock, raw: o.Raw, roster: roster{changed: make(chan struct{})}, internal: map[string]*internalTopic{}}
}

// put emits facts that belong together: nothing comes between them.
func (s *stream) put(facts ...group.Fact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock()
	for _, f := range facts {
		s.note(f, now)
		s.emit(f, now)
	}
}

// record emits the fact that a record is; nil when it is none of the group's.
func (s *stream) record(r Raw, f group.Fact) {
	if f == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.raw != nil {
		s.raw(r)
	}
	now := s.clock()
	s.note(f, now)
	s.emit(f, now)
}

// view is what the other sources have told so far.
func (s *stream) view() (roster, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roster, s.changed
}

// inOffsetOrder puts the records of each partition in its own order, in the places which that partition has in the file. A
// file is written in the order of time stamps, and two workers' clocks, or two records of one millisecond, may disagree
// with the partition.
func inOffsetOrder(lines []line) {
	type partition struct {
		topic  string
		number int32
	}
	places := map[partition][]int{}
	for i := range lines {
		if l := &lines[i]; l.Topic != nil {
			p := partition{*l.Topic, l.Partition}
			places[p] = append(places[p], i)
		}
	}
	for _, at := range places {
		sorted := make([]line, len(at))
		for i, place := range at {
			sorted[i] = lines[place]
		}
		slices.SortStableFunc(sorted, func(a, b line) int { return cmp.Compare(a.Offset, b.Offset) })
		for i, place := range at {
			lines[place] = sorted[i]
		}
	}
}

// LogTopic is where brokers keep their groups.
const LogTopic = "__consumer_offsets"

// Raw is a record of a topic, as it lies there.
type Raw struct {
	Topic     string
	Partition int32
	Offset    int64
	At        time.Time // the record's own time
	Key       []byte
	Value     []byte // nil: a tombstone
}

// LogFact reads a record of the coordinator's log.
func (r Raw) LogFact() group.LogRecord {
	f := group.LogRecord{At: r.At, Partition: r.Partition, Offset: r.Offset, Bytes: len(r.Key) + len(r.Value)}
	if r.Value != nil {
		f.Record, f.Err = decode.ParseGroupRecord(r.Value)
	}
	return f
}

// ConfigFact reads a record of a config topic.
func (r Raw) ConfigFact() group.ConfigRecord {
	f := group.ConfigRecord{At: r.At, Topic: r.Topic, Offset: r.Offset}
	f.Record, f.Err = decode.ParseConfig(r.Key, r.Value)
	return f
}

// StatusFact reads a record of a status topic.
func (r Raw) StatusFact() group.StatusRecord {
	f := group.StatusRecord{At: r.At, Topic: r.Topic, Partition: r.Partition, Offset: r.Offset}
	f.Record, f.Err = decode.ParseStatus(r.Key, r.Value)
	return f
}
