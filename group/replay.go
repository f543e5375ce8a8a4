package group

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// holding is who holds what around one round.
type holding map[int32][]int32 // worker number → unit numbers

// heldBefore rebuilds what was held before round i, from the last keyframe on.
func (h *history) heldBefore(i int) holding {
	if h.end != nil && i == len(h.rounds)-1 {
		return h.end.before
	}
	w, hidden := h.whole()
	i += hidden
	key := i
	for key > 0 && w.rounds[key].key == nil {
		key--
	}
	held := make(holding, len(w.rounds[key].key))
	for _, p := range w.rounds[key].key {
		held[p.worker] = p.units
	}
	for ; key < i; key++ {
		w.rounds[key].advance(held)
	}
	return held
}

// heldAfter is what was held after round i.
func (h *history) heldAfter(i int) holding {
	if h.end != nil && i == len(h.rounds)-1 {
		return h.end.held
	}
	held := maps.Clone(h.heldBefore(i))
	h.rounds[i].advance(held)
	return held
}

// heldCache keeps what was held after the rounds that were asked for: of many units the same few are.
type heldCache struct {
	mu sync.Mutex
	at map[int]holding
}

func (c *heldCache) after(h *history, i int) holding {
	const most = 64
	c.mu.Lock()
	defer c.mu.Unlock()
	held, known := c.at[i]
	if !known {
		if len(c.at) >= most || c.at == nil {
			c.at = map[int]holding{}
		}
		held = h.heldAfter(i)
		c.at[i] = held
	}
	return held
}

// heldWalk goes through the rounds of a history: those that are asked for in their order are told each by the one before.
type heldWalk struct {
	held holding
	at   int // index of the round after which it was held
}

// after is what was held after round i; it is good until the next call.
func (w *heldWalk) after(h *history, i int) holding {
	if w.held == nil || i < w.at || i-w.at > keyEvery {
		w.held, w.at = maps.Clone(h.heldAfter(i)), i
	}
	for w.at < i {
		w.at++
		h.rounds[w.at].advance(w.held)
	}
	return w.held
}

// replay gives what members of a round report and hold, from what was held before.
func (r *Round) replay(before holding) (reported, held holding) {
	reported = maps.Clone(before)
	r.part(reported)
	r.report(reported)
	held = maps.Clone(before)
	r.advance(held)
	return reported, held
}

// advance makes of what was held before a round what is held after it.
func (r *Round) advance(held holding) {
	r.part(held)
	if r.Mode == ModeEager && r.Error == 0 {
		for i := range r.given {
			held[r.given[i].worker] = r.given[i].apply(held[r.given[i].worker])
		}
		return
	}
	r.report(held)
	if r.Error != 0 {
		return
	}
	for _, p := range r.revoked {
		held[p.worker] = diff{less: p.units}.apply(held[p.worker])
	}
	for _, p := range r.assigned {
		held[p.worker] = diff{more: p.units}.apply(held[p.worker])
	}
}

// part takes out the workers that left.
func (r *Round) part(held holding) {
	for i := range r.Left {
		delete(held, r.Left[i].Worker)
	}
}

// report makes of what members held what they report.
func (r *Round) report(held holding) {
	if r.silent {
		clear(held)
		return
	}
	for i := range r.reported {
		held[r.reported[i].worker] = r.reported[i].apply(held[r.reported[i].worker])
	}
}

// apply gives the units without those less and with those more that it lacks. It never changes units itself, which others hold.
func (d diff) apply(units []int32) []int32 {
	out := make([]int32, 0, len(units)+len(d.more))
	if len(d.less) == 0 {
		out = append(out, units...)
	} else {
		less := setOf(d.less)
		for _, u := range units {
			if !less.has(u) {
				out = append(out, u)
			}
		}
	}
	have := unitSet{list: out}
	if len(d.more) > few {
		have = setOf(out)
	}
	for _, u := range d.more {
		if !have.has(u) {
			out = append(out, u)
		}
	}
	return out
}

// unitSet is a set of units: a list while that is shorter to search.
type unitSet struct {
	list []int32
	set  map[int32]bool
}

// few is how many searches of a list, or how long a list to search, cost less than a map.
const few = 8

func setOf(units []int32) unitSet {
	if len(units) <= few {
		return unitSet{list: units}
	}
	s := make(map[int32]bool, len(units))
	for _, u := range units {
		s[u] = true
	}
	return unitSet{set: s}
}

func (s unitSet) has(u int32) bool {
	if s.set != nil {
		return s.set[u]
	}
	return slices.Contains(s.list, u)
}

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
	s := h.ownership(held, nil)
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
