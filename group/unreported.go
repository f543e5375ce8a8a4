package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

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
