package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/internal/words"
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

// unreported is what members of a round held after the round before and do not report. What came of it only statuses tell, and these
// come from another source: it is settled whenever a State is made after one came.
type unreported struct {
	by      []unreportedBy
	carried int   // what members still run, as eager counts it
	quiet   bool  // eager would have had no such round, unless something ran and was let go of
	before  int32 // generation of the round before
	causes  causeParts
}

// unreportedBy is what one member does not report.
type unreportedBy struct {
	worker  int32
	member  string // its id
	name    string
	author  string  // of its claims
	renewed bool    // its member id is a new one
	held    []int32 // it ran
	given   []int32 // the round before had just assigned it: never delivered, unless a status says that it ran
}

// othersWentOn reports whether members went on with their work when others let go of theirs: no outage befell them all.
func (u *unreported) othersWentOn() bool { return u.carried > 0 }

// causeParts are a round's causes around those that statuses decide.
type causeParts struct {
	first, rest []Cause
	none        []Cause // where there are no others
}

func (p *causeParts) with(between []Cause) []Cause {
	out := slices.Concat(p.first, between, p.rest)
	if len(out) == 0 {
		return p.none
	}
	return out
}

// noteUnreported keeps what members do not report for the time at which statuses come.
func (l *ledger) noteUnreported(r *Round, rec *record, p *parts, carried int) {
	names := []string(nil)
	for i := range rec.members {
		part := &p.each[i]
		if len(part.lost)+len(part.undelivered) == 0 {
			continue
		}
		if names == nil {
			names = l.namesOf(rec)
		}
		m := &rec.members[i]
		_, same := l.prevMember[m.id]
		if r.store.unreported == nil {
			r.store.unreported = &unreported{before: l.prev.Generation, carried: carried, quiet: l.sameMembers(rec) && l.prev.Protocol == r.Protocol && r.EagerWouldStop == 0}
		}
		r.store.unreported.by = append(r.store.unreported.by, unreportedBy{
			worker: m.worker, member: m.id, name: names[i], author: author(m.url, m.worker), renewed: !same,
			held: slices.Clone(part.lost), given: slices.Clone(part.undelivered),
		})
	}
}

// lastWord is the newest thing that a worker said of a unit before a round, "" where it said nothing since a generation.
func (m *Model) lastWord(unit int32, author string, r *Round, since int32) string {
	newest := m.claimsNow.of(unit)
	if !newest.known {
		return ""
	}
	for at := newest.newest.seq; at >= m.claimBase; {
		k := &m.claims[at-m.claimBase]
		at = k.prev
		if k.worker == author && !k.deleted && k.before(r) {
			if k.generation < since {
				return ""
			}
			return k.state
		}
	}
	return ""
}

// before says whether a worker made a claim before it joined a round. Clocks differ: its generation tells, where that can be. That a unit
// was deleted names no generation.
func (k *claim) before(r *Round) bool {
	switch {
	case r.Polled || k.deleted || k.generation > r.Generation: // the last of a group that was deleted since
		return !k.at.After(r.RecordedAt)
	case k.generation == r.Generation:
		return false
	}
	return !k.at.After(r.RecordedAt.Add(time.Minute))
}

// settleUnreported makes of a round one that counts what statuses say of the work that its members do not report: what ran and was let
// go of, by which worker itself, and by which because its process had died.
func (m *Model) settleUnreported(was *Round) *Round {
	u := was.store.unreported
	r := *was
	r.store.dropped, r.store.died, r.Dropped = nil, nil, 0
	var causes []Cause
	lost, restarted := 0, 0
	for i := range u.by {
		by := &u.by[i]
		units := slices.Clone(by.held)
		for _, unit := range by.given {
			if m.lastWord(unit, by.author, was, u.before) != "" {
				units = append(units, unit)
			}
		}
		if len(units) == 0 {
			continue
		}
		r.store.dropped = append(r.store.dropped, portion{by.worker, units})
		r.Dropped += len(units)
		if m.died(by, units, was) {
			r.store.died = append(r.store.died, by.worker)
			causes = append(causes, Cause{
				Kind: CauseWorkerRestarted, Worker: by.member, Name: by.name, Units: len(units), Inferred: true,
				Detail: fmt.Sprintf("%s died and came back before its session was over; it ran %s (inferred: a new member id, and no UNASSIGNED)", by.name, words.Count(len(units), "unit")),
			})
			continue
		}
		if by.renewed && u.othersWentOn() { // it was not the coordinator that was lost
			restarted += len(units)
			causes = append(causes, Cause{
				Kind: CauseWorkerRestarted, Worker: by.member, Name: by.name, Units: len(units), Inferred: true,
				Detail: fmt.Sprintf("%s stopped and was back before the others had joined; it ran %s (inferred: a new member id, and UNASSIGNED)", by.name, words.Count(len(units), "unit")),
			})
			continue
		}
		lost += len(units)
	}
	if lost > 0 {
		causes = append(causes, Cause{Kind: CauseCoordinatorLost, Units: lost, Inferred: true, Detail: fmt.Sprintf(
			"%s let go of by their workers themselves: they could not reach the coordinator (inferred from what they report)", words.Count(lost, "unit"))})
	}
	r.Causes = u.causes.with(causes)
	r.EagerWouldStop = u.carried + lost + restarted
	if u.quiet && r.Dropped == 0 {
		r.EagerWouldStop = 0
	}
	r.news = r.headline()
	return &r
}

// died says whether a member that does not report what it ran is a new process: one that lost the coordinator keeps its member id, or
// has written UNASSIGNED.
func (m *Model) died(by *unreportedBy, units []int32, r *Round) bool {
	return by.renewed && !slices.ContainsFunc(units, func(unit int32) bool {
		return m.lastWord(unit, by.author, r, 0) == decode.Unassigned
	})
}

// doubts are the rounds that statuses may change: by unit, and those that one came for since.
type doubts struct {
	seqs  []int // oldest first
	of    map[int32][]int
	fresh map[int]bool
}

// doubt remembers that statuses decide what a round's members let go of.
func (m *Model) doubt(r *Round) {
	if r.store.unreported == nil {
		return
	}
	d := &m.doubts
	if d.of == nil {
		d.of, d.fresh = map[int32][]int{}, map[int]bool{}
	}
	d.seqs, d.fresh[r.Seq] = append(d.seqs, r.Seq), true
	r.store.unreported.each(func(unit int32) { d.of[unit] = append(d.of[unit], r.Seq) })
}

// refresh notes that a status of a unit came.
func (d *doubts) refresh(unit int32) {
	for _, seq := range d.of[unit] {
		d.fresh[seq] = true
	}
}

func (u *unreported) each(f func(unit int32)) {
	for i := range u.by {
		for _, unit := range u.by[i].held {
			f(unit)
		}
		for _, unit := range u.by[i].given {
			f(unit)
		}
	}
}

// forget ends the doubts about rounds that are kept no longer, or folded again.
func (d *doubts) forget(rounds []*Round) {
	for _, r := range rounds {
		if r.store.unreported == nil {
			continue
		}
		delete(d.fresh, r.Seq)
		d.seqs = slices.DeleteFunc(d.seqs, func(seq int) bool { return seq == r.Seq })
		r.store.unreported.each(func(unit int32) {
			d.of[unit] = slices.DeleteFunc(d.of[unit], func(seq int) bool { return seq == r.Seq })
		})
	}
}

// settleDoubts settles the rounds that a status came for since the last time. States that were made before keep theirs.
func (m *Model) settleDoubts() {
	if len(m.doubts.fresh) == 0 {
		return
	}
	rounds := slices.Clone(m.rounds)
	for seq := range m.doubts.fresh {
		i, found := FindRound(rounds, seq)
		if found {
			rounds[i] = m.settleUnreported(rounds[i])
		}
	}
	m.rounds = rounds
	clear(m.doubts.fresh)
}
