package group

import (
	"slices"
	"time"
)

// laneMaker gathers, for some units, all that changed how they did.
type laneMaker struct {
	h        *history
	first    int // index of the first round told of
	finder   *gapFinder
	byAuthor map[string]int32
	gone     map[int32][]absence
	deaths   map[absence]time.Time
	claims   bool // there are status records
}

func (h *history) newLaneMaker(s *State) *laneMaker {
	l := &laneMaker{
		h: h, first: h.laneStart(), byAuthor: map[string]int32{}, gone: map[int32][]absence{}, deaths: map[absence]time.Time{},
		claims: len(h.claims) > 0,
	}
	l.finder = h.newFinder(l.first, len(h.rounds)-1, s.Now, s.told)
	for i := range h.tables.members {
		m := &h.tables.members[i]
		l.byAuthor[author(m.url, m.worker)] = m.worker
	}
	for i, r := range l.finder.rounds {
		for _, g := range r.Left {
			l.gone[g.Worker] = append(l.gone[g.Worker], absence{i, g.Worker})
		}
	}
	return l
}

// laneStart is the index of the oldest round that lanes tell of.
func (h *history) laneStart() int {
	i, work := len(h.rounds)-1, 0
	for ; i > 0 && len(h.rounds)-i < laneRounds && work < laneWork; i-- {
		r := h.rounds[i]
		work += len(r.store.delayed) + len(r.store.unassigned) + len(r.store.released)
		for _, d := range r.store.reported {
			work += len(d.more) + len(d.less)
		}
		for _, d := range r.store.given {
			work += len(d.more) + len(d.less)
		}
		for _, p := range r.store.assigned {
			work += len(p.units)
		}
		for _, p := range r.store.revoked {
			work += len(p.units)
		}
	}
	return max(i, 0)
}

func (l *laneMaker) events(numbers []int32) []*laneEvents {
	out := l.roundEvents(numbers)
	for i, u := range numbers {
		l.claimEvents(out[i], u)
	}
	return out
}

// claimEvents adds what workers said of a unit, and where they died over it.
func (l *laneMaker) claimEvents(e *laneEvents, unit int32) {
	last := map[int32]time.Time{}
	newest := l.h.newest.of(unit)
	if !newest.known {
		return
	}
	for at := newest.newest.seq; at >= l.h.claimBase; {
		k := &l.h.claims[at-l.h.claimBase]
		at = k.prev
		worker, known := l.byAuthor[k.worker]
		switch state := k.state; {
		case k.deleted:
			e.add(k.at, orderClaim, (*laneState).remove)
		case known:
			e.add(k.at, orderClaim, func(s *laneState) { s.say(worker, state) })
			if last[worker].IsZero() {
				last[worker] = k.at
			}
		}
	}
	// They were met newest first; of one time the order in the topic decides.
	slices.Reverse(e.list[len(e.list)-claimsIn(e.list):])
	l.unsaidEnds(e, unit)
	for worker := range last {
		for _, a := range l.gone[worker] {
			if !l.finder.cameBack(a.round, worker, unit) {
				e.add(l.death(a), orderDeath, func(s *laneState) { s.die(worker) })
			}
		}
	}
}

// unsaidEnds adds the rounds that ended a claim of which its worker wrote nothing more, though another one says RUNNING since.
func (l *laneMaker) unsaidEnds(e *laneEvents, unit int32) {
	var claims []*claim // oldest first
	for at := l.h.newest.of(unit).newest.seq; at >= l.h.claimBase; at = claims[len(claims)-1].prev {
		claims = append(claims, &l.h.claims[at-l.h.claimBase])
	}
	slices.Reverse(claims)
	for i, k := range claims {
		worker, known := l.byAuthor[k.worker]
		if !known || !k.running() {
			continue
		}
		for _, o := range claims[i+1:] {
			if o.deleted || o.worker == k.worker {
				break
			}
			if !o.running() {
				continue
			}
			switch j, end := l.h.claimEnd(k, worker, len(l.h.rounds)-1); end {
			case endedByStop, endedByRejoin, endedByDrop:
				e.add(l.h.rounds[j].RecordedAt, orderRound, func(s *laneState) { s.unsay(worker) })
			}
			break
		}
	}
}

// claimsIn counts the status records at the end of a list.
func claimsIn(list []laneEvent) int {
	n := 0
	for n < len(list) && list[len(list)-1-n].order == orderClaim {
		n++
	}
	return n
}

// death is when a worker that left was last heard of.
func (l *laneMaker) death(a absence) time.Time {
	at, known := l.deaths[a]
	if !known {
		r := l.finder.rounds[a.round]
		for _, g := range r.Left {
			if g.Worker == a.worker {
				died, _ := l.finder.died(r, g, false)
				at = died.low
			}
		}
		l.deaths[a] = at
	}
	return at
}

// laneRun follows some units through the rounds.
type laneRun struct {
	place  []int32     // by unit number: index in states plus 1
	states []laneState // holders and nobody, as the rounds go by
	was    []laneState
	blink  []bool // stopped and started in this round
}

// roundEvents tells of each unit the rounds that changed who holds it.
func (l *laneMaker) roundEvents(numbers []int32) []*laneEvents {
	h := l.h
	run := &laneRun{place: make([]int32, len(h.tables.units)), states: make([]laneState, len(numbers)), blink: make([]bool, len(numbers))}
	out := make([]*laneEvents, len(numbers))
	for i, u := range numbers {
		run.place[u] = int32(i + 1)
		run.states[i] = laneState{nobody: UnitRunning, last: -1, freed: -1}
	}
	run.begin(h, l.first)
	for i := range out {
		s := &run.states[i]
		s.given = false // to its holder, and it started before this history
		out[i] = &laneEvents{first: *s, from: h.rounds[l.first].RecordedAt}
		if l.first > 0 {
			out[i].from = h.rounds[l.first-1].RecordedAt
		}
	}
	for _, r := range h.rounds[l.first:] {
		run.was = append(run.was[:0], run.states...)
		run.advance(r)
		for i := range run.states {
			run.tell(out[i], i, r.RecordedAt, !l.claims)
		}
		if r.Deleted {
			for i := range run.states {
				run.states[i] = laneState{nobody: UnitRunning, last: -1, freed: -1}
			}
		}
	}
	return out
}

// begin is how the units stood before the first round told of.
func (run *laneRun) begin(h *history, first int) {
	for w, units := range h.heldBefore(first) {
		for _, u := range units {
			if s := run.at(u); s != nil {
				s.holders, s.exists, s.last = append(s.holders, w), true, w
			}
		}
	}
	if first > 0 {
		run.unowned(h.rounds[first-1])
	}
}

func (run *laneRun) at(unit int32) *laneState {
	if p := run.place[unit]; p > 0 {
		return &run.states[p-1]
	}
	return nil
}

// tell adds an event where a round changed something about a unit.
func (run *laneRun) tell(e *laneEvents, i int, at time.Time, blinks bool) {
	was, now := &run.was[i], &run.states[i]
	blink := blinks && run.blink[i] && len(now.holders) > 0
	if was.nobody == now.nobody && was.exists == now.exists && slices.Equal(was.holders, now.holders) && !blink {
		return
	}
	holders, nobody, exists := now.holders, now.nobody, now.exists
	e.add(at, orderRound, func(s *laneState) {
		if !slices.Equal(s.holders, holders) && len(holders) > 0 {
			s.given = true
		}
		if nobody == UnitReleased && len(s.holders) > 0 {
			s.freed = s.holders[0]
		}
		s.holders, s.nobody, s.exists, s.blink = holders, nobody, exists, blink
		switch {
		case !exists:
			s.said = nil
		case len(holders) > 0 && s.last < 0:
			s.last = holders[0]
		}
	})
}

// advance is Round.advance for the units that are followed.
func (run *laneRun) advance(r *Round) {
	clear(run.blink)
	for _, g := range r.Left {
		for i := range run.states {
			run.states[i].drop(g.Worker)
		}
	}
	switch {
	case r.Mode == ModeEager && r.Error == 0:
		run.diffs(r.store.given)
	case r.silent:
		for i := range run.states {
			run.states[i].holders = nil
		}
	default:
		run.diffs(r.store.reported)
	}
	if r.Error != 0 {
		return
	}
	if r.Mode != ModeEager {
		run.portions(r.store.revoked, (*laneState).drop)
		run.portions(r.store.assigned, (*laneState).take)
	}
	for _, p := range r.store.restarted {
		for _, u := range p.units {
			if at := run.place[u]; at > 0 {
				run.blink[at-1] = true
			}
		}
	}
	if r.prevMode == ModeEager && !r.First {
		for i := range run.blink {
			run.blink[i] = true
		}
	}
	run.unowned(r)
	for i := range run.states { // what is in no list any more has gone, but from an empty group
		s := &run.states[i]
		s.exists = len(s.holders) > 0 || s.nobody != UnitRunning || s.exists && r.Empty()
	}
}

func (run *laneRun) unowned(r *Round) {
	for i := range run.states {
		run.states[i].nobody = UnitRunning
	}
	for _, list := range []struct {
		kind  UnitStateKind
		units []unownedUnit
	}{{UnitDelayed, r.store.delayed}, {UnitUnassigned, r.store.unassigned}, {UnitReleased, r.store.released}} {
		for _, u := range list.units {
			if s := run.at(u.unit); s != nil {
				s.nobody, s.exists = list.kind, true
			}
		}
	}
}

func (run *laneRun) diffs(diffs []diff) {
	for _, d := range diffs {
		for _, u := range d.less {
			if s := run.at(u); s != nil {
				s.drop(d.worker)
			}
		}
		for _, u := range d.more {
			if s := run.at(u); s != nil {
				s.take(d.worker)
			}
		}
	}
}

func (run *laneRun) portions(portions []portion, do func(*laneState, int32)) {
	for _, p := range portions {
		for _, u := range p.units {
			if s := run.at(u); s != nil {
				do(s, p.worker)
			}
		}
	}
}

// drop and take never change a list of holders that an event has.
func (l *laneState) drop(w int32) {
	if slices.Contains(l.holders, w) {
		l.holders = slices.DeleteFunc(slices.Clone(l.holders), func(o int32) bool { return o == w })
	}
}

func (l *laneState) take(w int32) {
	if !slices.Contains(l.holders, w) {
		l.holders, l.exists, l.last = append(slices.Clone(l.holders), w), true, w
	}
}
