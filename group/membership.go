package group

import (
	"slices"
	"time"
)

// stillClaims says whether a member's claim to run a unit stands. A claim ends when its worker leaves: one made before this
// membership began is an old one, unless the worker came back with the unit in hand and so never stopped it.
func (x *moment) stillClaims(k *claim, worker int32) bool {
	return !k.at.Before(x.memberSince(worker)) || x.broughtBack(worker).has(k.unit)
}

// memberSince is when a worker's present, unbroken membership began; zero when before the history.
func (x *moment) memberSince(worker int32) time.Time {
	if t, ok := x.since[worker]; ok {
		return t
	}
	t := x.h.memberSince(x.i, worker)
	if !x.sealed {
		x.since[worker] = t
	}
	return t
}

func (h *history) memberSince(i int, worker int32) time.Time {
	for ; i >= 0; i-- {
		if h.rounds[i].lost(worker) {
			return h.rounds[i].RecordedAt
		}
	}
	return time.Time{}
}

// broughtBack is what a worker reported when it came back from its last absence.
func (x *moment) broughtBack(worker int32) unitSet {
	units, ok := x.back[worker]
	if ok {
		return units
	}
	units = x.h.broughtBack(x.i, worker)
	if !x.sealed {
		x.back[worker] = units
	}
	return units
}

func (h *history) broughtBack(i int, worker int32) unitSet {
	back := -1
	for ; i >= 0 && !h.rounds[i].lost(worker); i-- {
		if slices.ContainsFunc(h.rounds[i].members.ids, func(id int32) bool { return h.tables.members[id].worker == worker }) {
			back = i
		}
	}
	if back < 0 || i < 0 { // never away
		return unitSet{}
	}
	for _, d := range h.rounds[back].reported { // against nothing: it held nothing while it was away
		if d.worker == worker {
			return setOf(d.more)
		}
	}
	return unitSet{}
}

// lost says whether a worker left in this round.
func (r *Round) lost(worker int32) bool {
	return slices.ContainsFunc(r.Left, func(g Gone) bool { return g.Worker == worker })
}
