package observe

import (
	"sync"
	"time"

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
