package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// configLateness is how long a round waits for the config topic before it is published without it.
const configLateness = 2 * time.Second

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
	size    int       // units in them
}

// These bound how much a late config topic can mend.
const (
	maxUnsure      = 10_000
	maxUnsureUnits = 1 << 23
)

func (u *unsure) add(w waiting) {
	u.records = append(u.records, w)
	if w.rec != nil {
		for i := range w.rec.members {
			u.size += len(w.rec.members[i].reported) + len(w.rec.members[i].assigned)
		}
	}
	if len(u.records) > maxUnsure || u.size > maxUnsureUnits {
		*u = unsure{}
	}
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

// covered says whether the config topic has told all that a round needs of it.
func (m *Model) covered(w waiting) bool {
	if w.rec == nil || len(w.rec.members) == 0 {
		return true
	}
	if s := m.source(SourceConfig, ""); s != nil && s.Health == HealthEnded {
		return true
	}
	return m.config.upTo >= w.rec.configOffset && (m.config.whole || !m.needsNewer(w.rec))
}

// needsNewer says whether which units a round knows depends on config records that are newer than it: of a connector
// that was held, compaction took what stood below the round's config offset. What remains tells only once the topic was
// read to its end.
func (m *Model) needsNewer(rec *record) bool {
	if m.lacks.rec == rec && m.config.lacks(m.tables.units[m.lacks.unit], rec.configOffset) {
		return true // asked with every fact while the topic is read
	}
	asked := make([]bool, 2*len(m.tables.connectors)) // instances, tasks
	lacks := func(u int32) bool {
		ref := m.tables.units[u]
		at := 2 * ref.connector
		if ref.task != decode.Instance {
			at++
		}
		if asked[at] {
			return false
		}
		asked[at] = true
		if m.config.lacks(ref, rec.configOffset) {
			m.lacks = lack{rec, u}
			return true
		}
		return false
	}
	for u, ever := range m.ledger.ever {
		if ever && lacks(int32(u)) {
			return true
		}
	}
	return slices.ContainsFunc(rec.members, func(j joined) bool { return slices.ContainsFunc(j.reported, lacks) })
}

// lack is a unit of which the config topic says nothing yet below the config offset of a record.
type lack struct {
	rec  *record
	unit int32
}

// lacks says whether nothing below an offset tells if a unit is configured.
func (c *configLog) lacks(u unitRef, offset int64) bool {
	s := c.at(u.connector, offset)
	return !s.record && !s.commit || u.task == decode.Instance && !s.record || u.task != decode.Instance && s.live && !s.commit
}

// configComing says whether the config topic is being read, or may be soon.
func (m *Model) configComing() bool {
	s := m.source(SourceConfig, "")
	return s == nil || s.Health == HealthOK || s.Health == HealthCatchingUp
}

// mendable says whether a config topic that is not there now may come yet. One that is missing may: it is found by the
// group's connectors, and a group that runs none yet has nothing to find it by.
func (m *Model) mendable() bool {
	s := m.source(SourceConfig, "")
	return s == nil || s.Health != HealthOff && s.Health != HealthEnded && s.Health != HealthAmbiguous
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
	m.doubts.forget(m.rounds[u.from:])
	m.rounds = slices.Clone(m.rounds[:u.from])
	m.ledger = u.before
	for _, w := range u.records {
		m.foldNext(w)
	}
}
