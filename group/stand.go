package group

import (
	"slices"
	"time"
)

// Stand is the state at round i of s.Rounds, just before the next record of the log.
func (s *State) Stand(i int) *State {
	if s.past == nil || i < 0 || i >= len(s.Rounds) {
		return s
	}
	h := s.past
	if i+1 < len(h.rounds) {
		now := h.rounds[i+1].RecordedAt.Add(-time.Millisecond)
		return h.stand(i, now, h.claimsBy(i, now), s.told)
	}
	now := s.end
	if now.IsZero() {
		now = s.Now
	}
	return h.stand(i, now, h.newest, s.told) // a worker's clock may be ahead: what it said is known now all the same
}

// StandAt is Stand with the moment given: no later than the next record.
func (s *State) StandAt(i int, now time.Time) *State {
	if s.past == nil || i < 0 || i >= len(s.Rounds) {
		return s
	}
	return s.past.stand(i, now, s.past.claimsBy(i, now), s.told)
}

func (h *history) stand(i int, now time.Time, claims claimTable, t *told) *State {
	x := h.moment(i, now)
	x.claims = claims
	return x.state(t, nil)
}

// claimsBy is what workers had said at a moment of round i. Times are of their clocks: what a member of the round said in an earlier
// generation it had said before it joined, and what is of a later one came later.
func (h *history) claimsBy(i int, now time.Time) claimTable {
	var out claimTable
	r := h.rounds[i]
	authors := map[string]bool{}
	for _, id := range r.members.ids {
		m := &h.tables.members[id]
		authors[author(m.url, m.worker)] = true
	}
	life := max(0, r.store.life-h.rounds[0].Seq)
	for j := range h.claims {
		k := &h.claims[j]
		by := !k.at.After(now)
		if differs := by && k.generation > r.Generation || !by && k.generation < r.Generation; differs && !r.Polled && authors[k.worker] && !k.at.Before(h.rounds[life].RecordedAt) {
			by = !by
		}
		if by {
			out.apply(*k)
		}
	}
	return out
}

// moment is round i as the log tells of it; -1: there is none.
func (h *history) moment(i int, now time.Time) *moment {
	x := &moment{h: h, i: i, now: now, past: i < len(h.rounds)-1}
	switch {
	case i < 0:
	case !x.past && h.end != nil:
		x.held, x.given, x.shadow = h.end.held, h.end.given, h.end.shadow
	default:
		x.held = h.heldAfter(i)
		x.given = h.givenBefore(i, x.held)
	}
	return x
}

// givenBefore finds, for every unit held at round i, the round that told its holder to start it.
func (h *history) givenBefore(i int, held holding) givenTable {
	n := len(h.tables.units)
	given := givenTable{make([]int64, n), make([]int32, n)}
	left := 0
	s := h.standing(held, nil)
	for _, w := range s.holder {
		if w >= 0 {
			left++
		}
	}
	for ; i >= 0 && left > 0 && !h.rounds[i].First; i-- {
		r := h.rounds[i]
		note := func(w int32, units []int32) {
			for _, u := range units {
				if given.ms[u] == 0 && (s.holder[u] == w || slices.Contains(s.others[u], w)) {
					given.ms[u], given.generation[u] = r.RecordedAt.UnixMilli(), r.Generation
					left--
				}
			}
		}
		if r.Error == 0 && (r.Mode == ModeEager || r.prevMode == ModeEager) {
			all := h.heldAfter(i)
			if r.Mode == ModeEager && r.prevMode == ModeCooperative { // a downgrade stops nothing
				for _, d := range r.given {
					note(d.worker, d.more)
				}
				continue
			}
			for j, id := range r.members.ids {
				if w := h.tables.members[id].worker; r.members.problem(j) == "" {
					note(w, all[w])
				}
			}
			continue
		}
		for _, p := range r.assigned {
			note(p.worker, p.units)
		}
	}
	return given
}
