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
