package group

import (
	"slices"

	"regroup/group/assign"
)

// history is what a State keeps so that it can look back: nothing in it changes any more.
type history struct {
	group  string
	tables tables
	rounds []*Round
	config []configEvent
	claims []claim

	configUpTo int64
	configSeen bool
	end        *ending // nil before the first round, and when the group was deleted
}

// ending is how things stand after the newest round.
type ending struct {
	held   holding
	given  givenTable
	shadow assign.Shadow
}

// Detail is round i of s.Rounds with its lists of units, or nil when there is no such round.
func (s *State) Detail(i int) *Detail {
	if s.past == nil || i < 0 || i >= len(s.past.rounds) {
		return nil
	}
	d := s.past.detail(i)
	if i <= s.At && s.endsEpisode(i) {
		d.Story = s.Story(i)
	}
	return d
}

// holding is who holds what around one round.
type holding map[int32][]int32 // worker number → unit numbers

// heldBefore rebuilds what was held before round i, from the last keyframe on.
func (h *history) heldBefore(i int) holding {
	key := i
	for key > 0 && h.rounds[key].key == nil {
		key--
	}
	held := holding{}
	for _, p := range h.rounds[key].key {
		held[p.worker] = p.units
	}
	for ; key < i; key++ {
		_, held = h.rounds[key].replay(&h.tables, held)
	}
	return held
}

// replay gives what members of a round report and hold, from what was held before.
func (r *Round) replay(t *tables, before holding) (reported, held holding) {
	reported, held = holding{}, holding{}
	for _, id := range r.members.ids {
		w := t.members[id].worker
		if !r.silent {
			reported[w] = before[w]
		}
		held[w] = reported[w]
	}
	for _, d := range r.reported {
		reported[d.worker] = d.apply(before[d.worker])
		held[d.worker] = reported[d.worker]
	}
	if r.Error != 0 {
		return reported, held
	}
	if r.Mode == ModeEager {
		for _, id := range r.members.ids {
			w := t.members[id].worker
			held[w] = before[w]
		}
		for _, d := range r.given {
			held[d.worker] = d.apply(before[d.worker])
		}
		return reported, held
	}
	for _, p := range r.revoked {
		held[p.worker] = diff{less: p.units}.apply(held[p.worker])
	}
	for _, p := range r.assigned {
		held[p.worker] = diff{more: p.units}.apply(held[p.worker])
	}
	return reported, held
}

func (d diff) apply(units []int32) []int32 {
	less := setOf(d.less)
	out := make([]int32, 0, len(units)+len(d.more))
	for _, u := range units {
		if !less[u] {
			out = append(out, u)
		}
	}
	have := map[int32]bool(nil)
	if len(d.more) > 0 {
		have = setOf(out)
	}
	for _, u := range d.more {
		if !have[u] {
			out = append(out, u)
		}
	}
	return out
}

func setOf(units []int32) map[int32]bool {
	if len(units) == 0 {
		return nil
	}
	s := make(map[int32]bool, len(units))
	for _, u := range units {
		s[u] = true
	}
	return s
}

// detail is round i with its lists.
func (h *history) detail(i int) *Detail {
	r, t := h.rounds[i], &h.tables
	before := h.heldBefore(i)
	reported, held := r.replay(t, before)
	d := &Detail{
		Round: r, Group: h.group,
		Released: t.unheld(r.store.released), Delayed: t.unheld(r.store.delayed),
		Unassigned: t.unheld(r.store.unassigned), Duplicated: t.unitsOf(r.store.duplicated),
		Moves: r.moves(t),
	}
	for _, units := range r.leftHeld {
		d.LeftHeld = append(d.LeftHeld, t.unitsOf(units))
	}
	assigned, revoked := byWorker(r.store.assigned), byWorker(r.store.revoked)
	restarted, dropped := byWorker(r.store.restarted), byWorker(r.store.dropped)
	for j, id := range r.members.ids {
		m := t.members[id]
		if r.Mode == ModeEager && r.Error == 0 && (r.members.problems == nil || r.members.problems[j] == "") {
			assigned[m.worker] = held[m.worker]
		}
		w := WorkerDetail{
			Member:   h.member(r, j, m),
			Reported: t.unitsOf(reported[m.worker]), Assigned: t.unitsOf(assigned[m.worker]),
			Revoked: t.unitsOf(revoked[m.worker]), Held: t.unitsOf(held[m.worker]),
		}
		r.count(&w, before[m.worker], reported[m.worker], held[m.worker], restarted[m.worker])
		w.Dropped = len(dropped[m.worker])
		d.Dropped = append(d.Dropped, t.unitsOf(dropped[m.worker])...)
		d.Restarted = append(d.Restarted, t.unitsOf(restarted[m.worker])...)
		d.Members = append(d.Members, w)
	}
	return d
}

func byWorker(portions []portion) holding {
	out := make(holding, len(portions))
	for _, p := range portions {
		out[p.worker] = p.units
	}
	return out
}

func (h *history) member(r *Round, j int, m memberInfo) Member {
	out := Member{ID: m.id, Client: m.client, Host: m.host, URL: m.url, Name: r.members.names[j],
		Wire: int(r.members.wire[j]), Worker: m.worker, ConfigOffset: r.ConfigOffset}
	if r.offsets != nil {
		out.ConfigOffset = r.offsets[j]
	}
	if r.members.problems != nil {
		out.Err = r.members.problems[j]
	}
	return out
}

// count fills in a member's numbers by the rules of fold.
func (r *Round) count(w *WorkerDetail, before, reported, held, restarted []int32) {
	w.Member.Reported, w.Member.Assigned = len(w.Reported), len(w.Assigned)
	w.Member.Revoked, w.Member.Held = len(w.Revoked), len(w.Held)
	for _, u := range w.Held {
		if u.IsInstance() {
			w.HeldConns++
		}
	}
	carried := reported
	switch {
	case w.Err != "":
	case r.prevMode == ModeEager && !r.First:
		carried = nil
	case r.Mode == ModeEager && r.prevMode == ModeCooperative:
		carried = before
	}
	have := setOf(carried)
	for _, u := range held {
		if have[u] {
			w.Kept++
		} else {
			w.Started++
		}
	}
	w.Restarted = len(restarted)
	w.Kept -= w.Restarted
	w.Stopped = len(w.Revoked)
	if r.prevMode == ModeEager && w.Err == "" {
		w.Stopped = len(before)
	}
	if r.Error != 0 {
		w.Started, w.Stopped = 0, 0
	}
}

func (r *Round) moves(t *tables) []Move {
	out := make([]Move, len(r.moved))
	for i, m := range r.moved {
		out[i] = Move{t.unitOf(m.unit), m.from, m.to}
	}
	slices.SortFunc(out, func(a, b Move) int { return a.Unit.Compare(b.Unit) })
	return out
}
