package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
)

// source finds what is known of a source; name "" is the first of that kind.
func (m *Model) source(s Source, name string) *SourceState {
	for i := range m.sources {
		if m.sources[i].Source == s && (name == "" || m.sources[i].Name == name) {
			return &m.sources[i]
		}
	}
	return nil
}

// applyReport notes a source's health, and a change of it as an event.
func (m *Model) applyReport(f SourceReport, seen time.Time) {
	m.sources = slices.Clone(m.sources)
	key := ""
	if f.Source == SourceREST {
		key = f.Name
	}
	s := m.source(f.Source, key)
	if s == nil {
		m.sources = append(m.sources, SourceState{Source: f.Source, Name: f.Name})
		s = &m.sources[len(m.sources)-1]
	}
	if f.Source == SourceREST && f.Health == HealthUnreachable && answeredIn(f.Detail, f.Name) == statusNotFound {
		f.Health, f.Detail = HealthOK, InternalREST
	}
	changed := s.Health != f.Health
	if changed {
		s.Since = f.At
	}
	s.Health, s.Detail = f.Health, f.Detail
	if f.Source == SourceLog || f.Source == SourceDescribe {
		m.watchCoordinator(f)
	}
	if f.Name != "" {
		s.Name = f.Name
	}
	if f.Health == HealthOK && f.At.After(s.Heard) {
		s.Heard = f.At
	}
	if f.Health == HealthOK && f.Source != SourceREST {
		m.answered = later(m.answered, f.At)
	}
	if changed && f.Health != HealthOK && f.Health != HealthCatchingUp && f.Health != HealthEnded && f.Health != HealthOff {
		note := Event{At: f.At, Source: f.Source, Text: sentence(string(f.Health), f.Detail), Kind: UnitUnknown, Worker: -1, Seq: -1}
		if f.Source == SourceREST {
			note.about = f.Name
		}
		m.notes = append(m.notes, note)
	}
	if f.Source == SourceConfig {
		m.mend()
	}
	if f.Source == SourceLog && changed { // what was described before is all that there is until the next poll
		m.roundOfDescription(seen)
	}
}

func sentence(word, detail string) string {
	if detail == "" {
		return word
	}
	return word + ": " + detail
}

// touch notes a sign of life of a source.
func (m *Model) touch(s Source, at time.Time) {
	if st := m.source(s, ""); st != nil && at.After(st.Heard) {
		m.sources = slices.Clone(m.sources)
		m.source(s, "").Heard = at
	}
}

// notePhase takes from a record in which phase the group was when it was written: a join has come to its end, whatever a
// coordinator that answers no more was last heard to say. While old records are still being read they say nothing of now.
func (m *Model) notePhase(f LogRecord, seen time.Time) {
	if log := m.source(SourceLog, ""); log == nil || log.Health != HealthOK || f.Err != nil {
		return
	}
	state := "Stable"
	switch {
	case f.Record == nil:
		state = "Dead"
	case len(f.Record.Members) == 0:
		state = "Empty"
	}
	m.newest = phaseChange{at: f.At, seen: seen, state: state}
}

// phaseNow is the group's phase, and since when: as it was described last, or as a record says that came after that.
func (m *Model) phaseNow() (string, time.Time) {
	if m.phase != "" && m.newest.seen.After(m.polledAt) {
		return m.newest.state, m.newest.at
	}
	return m.phase, m.phaseSince
}

// applyDescription notes the group's phase, and makes a round of it where the log may not be read.
func (m *Model) applyDescription(f Description, seen time.Time) {
	// A record since the last poll ended the join that was seen then, and a coordinator that took over began one of its own.
	was, _ := m.phaseNow()
	anew := was != m.phase || m.coordinator != "" && f.Coordinator != "" && f.Coordinator != m.coordinator
	if f.State != m.phase || anew {
		since := f.At
		if m.phase == "" { // how long it had been so is not known
			since = time.Time{}
		}
		m.phase, m.phaseSince = f.State, since
		m.phases = appendBounded(m.phases, phaseChange{after: m.polledAt, at: f.At, state: f.State, anew: anew})
	}
	m.coordinatorMoved(&f)
	m.polledAt = f.At
	m.answered = later(m.answered, f.At)
	m.noteMove(m.coordinator, f.Coordinator, f.At)
	if m.described = &f; f.Coordinator != "" {
		m.coordinator = f.Coordinator
	}
	m.touch(SourceDescribe, f.At)
	m.roundOfDescription(seen)
}

// roundOfDescription makes a round of the newest description where the log may not be read.
func (m *Model) roundOfDescription(seen time.Time) {
	log := m.source(SourceLog, "")
	blind := log != nil && (log.Health == HealthDenied || log.Health == HealthMissing || log.Health == HealthOff)
	f := m.described
	if !blind || len(m.upTo) > 0 || f == nil || f.State != "Stable" && f.State != "Empty" {
		return
	}
	rec := m.readDescription(f)
	if rec.same(m.polledLast) {
		return
	}
	m.polledLast = rec
	m.waiting = append(m.waiting, waiting{rec, f.At, seen})
}

// noteMove makes an event of it when another broker coordinates the group than before.
func (m *Model) noteMove(from, to string, at time.Time) {
	if from == "" || to == "" || from == to {
		return
	}
	m.notes = append(m.notes, Event{
		At: at, Source: SourceDescribe, Text: fmt.Sprintf("the coordinator moved from %s to %s", from, to), Kind: UnitUnknown, Worker: -1, Seq: -1,
	})
}

// phaseChange is a new phase of the group: first seen at, and the poll before it, after, still saw another. One that a record
// tells has the record's time, and was seen by the observer's clock.
type phaseChange struct {
	after, at, seen time.Time
	state           string
	anew            bool // it does not go on with the one before, though that may be the same state
}

// life is a sign of a worker's life, or of its end, over REST.
type life struct {
	at    time.Time
	alive bool
	gone  bool // nothing listens at its address: its process has ended
	busy  bool // alive, and its herder does not answer
}

const maxSigns = 4096

// appendBounded appends, and forgets the older half of what grew too long. The slice is copied: readers have the old one.
func appendBounded[T any](list []T, v T) []T {
	if len(list) >= maxSigns {
		list = slices.Clone(list[maxSigns/2:])
	}
	return append(list, v)
}

// applyREST notes what a worker's REST interface said.
func (m *Model) applyREST(f RESTReport) {
	rest, lives := copyMap(m.rest), copyMap(m.lives)
	rest[f.URL] = f
	alive := f.Answers()
	if f.Closed {
		alive = false
	}
	signs, sign := lives[f.URL], life{f.At, alive, f.Closed, alive && f.Stuck()}
	if n := len(signs); n > 1 && alive && signs[n-1].like(sign) && signs[n-2].like(sign) {
		signs = append(slices.Clone(signs[:n-1]), sign) // the newest of many is enough
	} else {
		signs = appendBounded(signs, sign)
	}
	lives[f.URL] = signs
	m.rest, m.lives = rest, lives
}

// like says whether two signs say the same.
func (l life) like(o life) bool { return l.alive == o.alive && l.busy == o.busy }

// Stuck says whether the worker's herder, the thread that joins, starts and stops, did not answer though its REST did.
func (f RESTReport) Stuck() bool {
	return f.Root == "ok" && f.Herder != "" && f.Herder != "ok" && !f.Starting()
}

// Starting reports whether the worker's process has started, and has not joined the group yet.
func (f RESTReport) Starting() bool { return strings.HasPrefix(f.Herder, "starting") }

// RESTSince is since when a worker's REST interface answers as it does now; zero when nobody asked it.
func (s *State) RESTSince(url string) time.Time {
	if s.told == nil {
		return time.Time{}
	}
	var since time.Time
	signs := s.told.lives[url]
	for _, l := range slices.Backward(signs) {
		if !l.like(signs[len(signs)-1]) {
			break
		}
		since = l.at
	}
	return since
}

// RecordSeen is when the newest record of the coordinator's log came, by the observer's clock; zero while old ones are read.
func (s *State) RecordSeen() time.Time {
	if s.told == nil {
		return time.Time{}
	}
	return s.told.recordSeen
}

// Joining reports whether a join is under way.
func (s *State) Joining() bool {
	return s.Phase == "PreparingRebalance" || s.Phase == "CompletingRebalance"
}

// JoiningSince is since when every poll saw a join under way (PreparingRebalance, CompletingRebalance), whatever the group
// did between polls; zero when none is.
func (s *State) JoiningSince() time.Time {
	var since time.Time
	if s.told == nil || s.Past || !s.Joining() {
		return since
	}
	for _, p := range slices.Backward(s.told.phases) {
		if p.state != "PreparingRebalance" && p.state != "CompletingRebalance" {
			break
		}
		if since = p.at; p.anew {
			break
		}
	}
	return since
}

// unread is what of a source could not be read.
type unread struct {
	n      int
	offset int64  // of the first of them
	why    string // of the first of them
}

// noteUnread notes a record that could not be read: what was folded is without it, and its source says so.
func (m *Model) noteUnread(s Source, offset int64, err error) {
	if m.unread == nil {
		m.unread = map[Source]unread{}
	}
	u := m.unread[s]
	if u.n++; u.n == 1 || offset < u.offset {
		u.offset, u.why = offset, err.Error()
	}
	m.unread[s] = u
}

// toldSources are the sources with what could not be read of each.
func (m *Model) toldSources() []SourceState {
	elsewhere := m.elsewhere()
	if len(m.unread) == 0 && elsewhere == "" {
		return m.sources
	}
	out := slices.Clone(m.sources)
	for i := range out {
		if s := &out[i]; s.Source == SourceStatus && elsewhere != "" {
			s.Health = HealthMissing
			s.Detail = fmt.Sprintf("%s holds statuses of %s alone: name the status topic of group %s with --status-topic", s.Name, elsewhere, m.opt.Group)
		}
	}
	for i := range out {
		u, ok := m.unread[out[i].Source]
		if !ok {
			continue
		}
		text := fmt.Sprintf("1 record could not be read, offset %d: %s", u.offset, u.why)
		if u.n > 1 {
			text = fmt.Sprintf("%d records could not be read, the first at offset %d: %s", u.n, u.offset, u.why)
		}
		if out[i].Detail != "" {
			text = out[i].Detail + "; " + text
		}
		out[i].Detail, out[i].Unread = decode.Printable(text), u.n
	}
	return out
}

// readDescription makes a record of a Stable or Empty description: what DescribeGroups tells has no generation, and the
// leader stands only inside the assignments.
func (m *Model) readDescription(f *Description) *record {
	g := decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: -1, Protocol: f.Protocol, StateAt: f.At, Members: f.Members}
	if f.State == "Empty" {
		g.Protocol, g.Members = "", nil
	}
	rec := m.tables.readRecord(&m.decoder, &g, f.At)
	rec.polled, rec.offset, rec.partition = true, -1, -1
	return rec
}
