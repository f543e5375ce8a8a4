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
	// Since bounds what is shown: rounds recorded before it are folded but not kept, except the newest. Zero: all.
	Since time.Time
	// MaxDelay is the workers' scheduled.rebalance.max.delay.ms where it is known; 0: learnt from the first full delay.
	MaxDelay time.Duration
}

// configLateness is how long a round waits for the config topic before it is published without it.
const configLateness = 2 * time.Second

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
	skipped   int // records of the log that could not be read

	claims     []claim
	claimsNow  claimTable
	last       *State // the newest one made
	statusUpTo map[int32]int64

	phase      string
	phaseSince time.Time
	described  *Description
	polledAt   time.Time
	phases     []phaseChange
	lives      map[string][]life // by advertised URL
	polledLast *record

	sources  []SourceState
	settings []TopicSettings
	rest     map[string]RESTReport
	actions  []Action
	notes    []Event // of sources
}

// waiting is a record, or a tombstone, on its way to the fold.
type waiting struct {
	rec  *record // nil: the group was deleted
	at   time.Time
	seen time.Time
}

// unsure is where the fold can go back to: rounds that were published before the config topic was read up to them.
type unsure struct {
	from    int       // index in Model.rounds of the first
	before  *ledger   // as it stood before that one
	records []waiting // from that one on
}

// maxUnsure bounds how many rounds a late config topic can mend.
const maxUnsure = 1000

// New makes a Model that has seen nothing.
func New(opt Options) *Model {
	if opt.Ring <= 0 {
		opt.Ring = 10_000
	}
	t := newTables()
	c := &configLog{tables: t}
	return &Model{opt: opt, tables: t, config: c, ledger: newLedger(t, c, opt.MaxDelay), upTo: map[int32]int64{},
		statusUpTo: map[int32]int64{}, rest: map[string]RESTReport{}}
}

// Apply takes one fact in. seen is the observer's clock when the fact arrived: it decides only how long a round may wait
// for the config topic.
func (m *Model) Apply(f Fact, seen time.Time) {
	switch f := f.(type) {
	case LogRecord:
		m.applyLog(f, seen)
	case ConfigRecord:
		m.heard(SourceConfig, f.At)
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
		m.applyReport(f)
	case TopicSettings:
		m.settings = append(slices.DeleteFunc(slices.Clone(m.settings), func(s TopicSettings) bool { return s.Role == f.Role }), f)
	case RESTReport:
		m.applyREST(f)
	case Action:
		m.actions = append(m.actions, f)
	}
	m.publish(seen)
}

func (m *Model) applyLog(f LogRecord, seen time.Time) {
	m.heard(SourceLog, f.At)
	if f.Offset < m.upTo[f.Partition] {
		return
	}
	m.upTo[f.Partition] = f.Offset + 1
	switch {
	case f.Err != nil:
		m.skipped++
	case f.Record == nil:
		m.waiting = append(m.waiting, waiting{nil, f.At, seen})
	default:
		rec := m.tables.readRecord(&m.decoder, f.Record, f.At)
		rec.partition, rec.offset, rec.bytes = f.Partition, f.Offset, f.Bytes
		m.waiting = append(m.waiting, waiting{rec, f.At, seen})
	}
}

func (m *Model) applyStatus(f StatusRecord) {
	m.heard(SourceStatus, f.At)
	if f.Offset < m.statusUpTo[f.Partition] {
		return
	}
	m.statusUpTo[f.Partition] = f.Offset + 1
	if f.Record.Kind != decode.StatusOfUnit || f.Err != nil {
		return
	}
	s := f.Record
	k := claim{at: f.At, unit: m.tables.unit(m.tables.connector(s.Unit.Connector), s.Unit.Task), worker: s.WorkerID,
		state: s.State, trace: s.Trace, generation: s.Generation, partition: f.Partition, offset: f.Offset, deleted: s.Deleted}
	m.claimsNow.apply(k)
	if len(m.claims) >= maxClaims {
		m.claims = slices.Clone(m.claims[maxClaims/2:])
	}
	m.claims = append(m.claims, k)
}

func (m *Model) applyProgress(f Progress) {
	switch f.Source {
	case SourceConfig:
		m.config.upTo = max(m.config.upTo, f.UpTo)
		m.mend()
	case SourceLog:
		m.upTo[f.Partition] = max(m.upTo[f.Partition], f.UpTo)
	case SourceStatus:
		m.statusUpTo[f.Partition] = max(m.statusUpTo[f.Partition], f.UpTo)
	}
	m.heard(f.Source, f.At)
}

// publish folds what waits no longer: the config topic has been read up to it, will not be, or is late.
func (m *Model) publish(now time.Time) {
	for len(m.waiting) > 0 && m.ready(m.waiting[0], now) {
		w := m.waiting[0]
		m.waiting = m.waiting[1:]
		m.foldNext(w)
	}
}

func (m *Model) ready(w waiting, now time.Time) bool {
	return m.covered(w) || !m.configComing() || now.Sub(w.seen) >= configLateness
}

func (m *Model) covered(w waiting) bool {
	return w.rec == nil || len(w.rec.members) == 0 || m.config.upTo >= w.rec.configOffset
}

// configComing says whether the config topic is being read, or may be soon.
func (m *Model) configComing() bool {
	s := m.source(SourceConfig, "")
	return s == nil || s.Health == HealthOK || s.Health == HealthCatchingUp
}

// mendable says whether a config topic that is not there now may come yet.
func (m *Model) mendable() bool {
	s := m.source(SourceConfig, "")
	return s == nil || s.Health != HealthOff && s.Health != HealthEnded && s.Health != HealthMissing && s.Health != HealthAmbiguous
}

func (m *Model) foldNext(w waiting) {
	provisional := !m.covered(w) && m.mendable()
	if m.unsure.before == nil && provisional {
		m.unsure = unsure{from: len(m.rounds), before: m.ledger.clone()}
	}
	if m.unsure.before != nil {
		m.unsure.records = append(m.unsure.records, w)
		if len(m.unsure.records) > maxUnsure {
			m.unsure = unsure{}
		}
	}
	if w.rec == nil {
		m.deleted()
		return
	}
	if prev := m.ledger.prev; prev != nil && !w.rec.polled && !prev.Polled && w.rec.generation < prev.Generation {
		m.deleted() // its tombstone is compacted away
	}
	if n := len(m.rounds); n > 0 && m.rounds[n-1].RecordedAt.Before(m.opt.Since) { // this becomes the first one kept
		m.ledger.sinceKey = keyEvery
	}
	r := m.ledger.fold(w.rec)
	r.Seq, r.Provisional = m.seq, provisional
	if m.ledger.episode == r {
		r.EpisodeSeq = r.Seq
	}
	m.seq++
	m.gaps += r.Gap
	m.rounds = append(m.rounds, r)
	m.trim()
}

// deleted begins a new history: a tombstone, or generations that count from 0 again.
func (m *Model) deleted() {
	if n := len(m.rounds); n > 0 {
		last := *m.rounds[n-1]
		last.Deleted = true
		m.rounds = append(slices.Clone(m.rounds[:n-1]), &last)
	}
	m.ledger = newLedger(m.tables, m.config, m.opt.MaxDelay)
}

// trim drops what is older than Since, and what is beyond the ring up to a keyframe.
func (m *Model) trim() {
	cut := 0
	for cut < len(m.rounds)-1 && m.rounds[cut].RecordedAt.Before(m.opt.Since) {
		cut++
	}
	if over := len(m.rounds) - cut - m.opt.Ring; over >= keyEvery {
		cut += over
		for cut > 0 && m.rounds[cut].key == nil {
			cut--
		}
	}
	if cut == 0 {
		return
	}
	m.forgotten += cut
	m.rounds = m.rounds[cut:]
	if m.unsure.from -= cut; m.unsure.from < 0 {
		m.unsure = unsure{}
	}
}

// mend folds again the rounds that were published before the config topic was read up to them.
func (m *Model) mend() {
	u := m.unsure
	if u.before == nil || !m.covered(u.records[0]) {
		return
	}
	m.unsure = unsure{}
	m.seq -= len(m.rounds) - u.from
	for _, r := range m.rounds[u.from:] {
		m.gaps -= r.Gap
	}
	m.rounds = slices.Clone(m.rounds[:u.from])
	m.ledger = u.before
	for _, w := range u.records {
		m.foldNext(w)
	}
}
