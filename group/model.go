package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// Options of a Model.
type Options struct {
	Group string
	// Ring bounds how many rounds are kept; 0 is 10,000.
	Ring int
	// Since bounds what is shown: rounds recorded before it are not, except the newest. What they tell of later ones counts. Zero: all.
	Since time.Time
	// MaxDelay is the workers' scheduled.rebalance.max.delay.ms where it is known; 0: learnt from the first full delay.
	MaxDelay time.Duration
}

// Model folds facts. It is not safe for use by several goroutines; the States it gives are.
type Model struct {
	opt     Options
	tables  *tables
	decoder decode.Decoder
	config  *configLog
	ledger  *ledger

	rounds    []*Round
	seq       int
	forgotten int
	gaps      int64
	upTo      map[int32]int64 // of the log's partitions: what comes again is ignored
	waiting   []waiting       // records not yet folded, oldest first
	unsure    unsure
	doubts    doubts
	lacks     lack
	unread    map[Source]unread

	claims     []claim
	claimBase  int      // number of claims[0]
	stopped    onceEach // units that a worker said it stopped
	failed     onceEach // units that a worker said have failed
	claimsNow  claimTable
	unplaced   []int  // numbers of claims whose author is not known yet
	written    int    // claims that name a worker
	foreign    int    // those of another pair of clusters
	placed     int    // how often claims got another author
	shown      int    // how many of claims the States made so far have
	last       *State // the newest one made
	statusUpTo map[int32]int64

	phase       string
	phaseSince  time.Time
	newest      phaseChange // what the newest record that came as it was written says of the phase
	described   *Description
	coordinator string // host:port, as last told
	polledAt    time.Time
	phases      []phaseChange
	lives       map[string][]life // by advertised URL
	outages     []outage
	watched     []watch
	polledLast  *record

	sources  []SourceState
	answered time.Time // when a broker last answered a source, by the observer's clock
	settings []TopicSettings
	others   []OtherGroup
	rest     map[string]RESTReport
	actions  []Action
	notes    []Event // of sources
}

// New makes a Model that has seen nothing.
func New(opt Options) *Model {
	if opt.Ring <= 0 {
		opt.Ring = 10_000
	}
	t := newTables()
	c := &configLog{tables: t}
	return &Model{
		opt: opt, tables: t, config: c, ledger: newLedger(t, c, opt.MaxDelay), upTo: map[int32]int64{},
		statusUpTo: map[int32]int64{}, rest: map[string]RESTReport{},
	}
}

// Apply takes one fact in. seen is the observer's clock when the fact arrived: it decides only how long a round may wait
// for the config topic.
func (m *Model) Apply(f Fact, seen time.Time) {
	switch f := f.(type) {
	case LogRecord:
		m.applyLog(f, seen)
	case ConfigRecord:
		m.touch(SourceConfig, f.At)
		if f.Err != nil && f.Record.Kind != decode.ConfigUnknown && f.Offset >= m.config.upTo {
			m.noteUnread(SourceConfig, f.Offset, f.Err)
		}
		if m.config.apply(f) {
			m.mend()
		}
	case StatusRecord:
		m.applyStatus(f)
	case Progress:
		m.applyProgress(f)
	case Description:
		m.applyDescription(f, seen)
	case SourceReport:
		m.applyReport(f, seen)
	case TopicSettings:
		m.settings = append(slices.DeleteFunc(slices.Clone(m.settings), func(s TopicSettings) bool { return s.Role == f.Role }), f)
	case OtherGroup:
		if f.Group == "" { // a look that ended
			break
		}
		m.others = append(slices.DeleteFunc(slices.Clone(m.others), func(o OtherGroup) bool { return o.Group == f.Group }), f)
		slices.SortFunc(m.others, func(a, b OtherGroup) int { return cmpStrings(a.Group, b.Group) })
	case RESTReport:
		m.applyREST(f)
	case Action:
		m.actions = append(m.actions, f)
	}
	m.publish(seen)
}

func (m *Model) applyLog(f LogRecord, seen time.Time) {
	m.touch(SourceLog, f.At)
	if f.Offset < m.upTo[f.Partition] {
		return
	}
	m.upTo[f.Partition] = f.Offset + 1
	m.notePhase(f, seen)
	switch {
	case f.Err != nil:
		m.noteUnread(SourceLog, f.Offset, f.Err)
	case f.Record == nil:
		m.waiting = append(m.waiting, waiting{nil, f.At, seen})
	default:
		rec := m.tables.readRecord(&m.decoder, f.Record, f.At)
		rec.partition, rec.offset, rec.bytes = f.Partition, f.Offset, f.Bytes
		m.waiting = append(m.waiting, waiting{rec, f.At, seen})
	}
}

func (m *Model) applyStatus(f StatusRecord) {
	m.touch(SourceStatus, f.At)
	if f.Offset < m.statusUpTo[f.Partition] {
		return
	}
	m.statusUpTo[f.Partition] = f.Offset + 1
	if f.Record.Kind != decode.StatusOfUnit {
		return
	}
	if f.Err != nil {
		m.noteUnread(SourceStatus, f.Offset, f.Err)
		return
	}
	s := f.Record
	k := claim{
		at: f.At, unit: m.tables.unit(m.tables.connector(s.Unit.Connector), s.Unit.Task), id: s.WorkerID,
		state: s.State, trace: s.Trace, generation: s.Generation, partition: f.Partition, offset: f.Offset, deleted: s.Deleted,
	}
	if len(m.claims) >= maxClaims {
		m.claims, m.claimBase, m.shown = slices.Clone(m.claims[maxClaims/2:]), m.claimBase+maxClaims/2, 0
	}
	if !k.deleted {
		m.written++
		if k.named() {
			m.unplaced = append(m.unplaced, m.claimBase+len(m.claims))
		}
	}
	k.seq, k.prev = m.claimBase+len(m.claims), -1
	if c := m.claimsNow.of(k.unit); c.known {
		k.prev = c.newest.seq
	}
	m.claimsNow.apply(k)
	if len(m.claims) == cap(m.claims) {
		m.claims = slices.Grow(m.claims, max(64, len(m.claims))) // append itself would copy them five times over
	}
	m.claims = append(m.claims, k)
	m.doubts.refresh(k.unit)
	switch {
	case k.deleted:
	case k.state == decode.Unassigned:
		m.stopped.add(k.unit)
	case k.state == decode.Failed:
		m.failed.add(k.unit)
	}
}

func (m *Model) applyProgress(f Progress) {
	switch f.Source {
	case SourceConfig:
		m.config.upTo = max(m.config.upTo, f.UpTo)
		m.config.whole = m.config.whole || f.CaughtUp
		m.mend()
	case SourceLog:
		m.upTo[f.Partition] = max(m.upTo[f.Partition], f.UpTo)
	case SourceStatus:
		m.statusUpTo[f.Partition] = max(m.statusUpTo[f.Partition], f.UpTo)
	}
	m.answered = later(m.answered, f.At)
	m.touch(f.Source, f.At)
}

func (m *Model) foldNext(w waiting) {
	provisional := !m.covered(w) && m.mendable()
	if m.unsure.before == nil && provisional {
		m.unsure = unsure{from: len(m.rounds), before: m.ledger.clone()}
	}
	if m.unsure.before != nil {
		m.unsure.add(w)
	}
	if w.rec == nil {
		m.deleted()
		return
	}
	if prev := m.ledger.prev; prev != nil && !w.rec.polled && !prev.Polled && w.rec.generation < prev.Generation {
		m.deleted() // its tombstone is compacted away
	}
	r := m.ledger.fold(w.rec)
	r.Seq, r.Provisional = m.seq, provisional
	if m.ledger.episode == r {
		r.EpisodeSeq = r.Seq
	}
	r.life = r.Seq
	if !r.First {
		r.life = m.rounds[len(m.rounds)-1].life
	}
	m.seq++
	m.gaps += r.Gap
	m.rounds = append(m.rounds, r)
	m.doubt(r)
	m.trim()
}

// deleted begins a new history: a tombstone, or generations that count from 0 again.
func (m *Model) deleted() {
	if n := len(m.rounds); n > 0 {
		last := *m.rounds[n-1]
		last.Deleted = true
		m.replaceAfter(last.RecordedAt)
		m.rounds = append(slices.Clone(m.rounds[:n-1]), &last)
	}
	m.ledger = newLedger(m.tables, m.config, m.opt.MaxDelay)
}

// hidden is how many of the rounds are older than what is shown. The newest is shown whatever its age.
func (m *Model) hidden() int {
	n := 0
	for n < len(m.rounds)-1 && m.rounds[n].RecordedAt.Before(m.opt.Since) {
		n++
	}
	return n
}

// trim drops what is beyond the ring, up to a keyframe.
func (m *Model) trim() {
	cut := 0
	if over := len(m.rounds) - m.opt.Ring; over >= keyEvery {
		cut = over
		for cut > 0 && m.rounds[cut].key == nil {
			cut--
		}
	}
	if cut == 0 {
		return
	}
	m.forgotten += cut
	m.doubts.forget(m.rounds[:cut])
	m.rounds = m.rounds[cut:]
	if m.unsure.from -= cut; m.unsure.from < 0 {
		m.unsure = unsure{}
	}
}
