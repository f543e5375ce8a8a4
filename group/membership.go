package group

import (
	"slices"
	"time"
)

// stillClaims says whether a member's claim to run a unit stands. A claim ends when its worker leaves: one made before this
// membership began is an old one, unless the worker came back with the unit in hand and so never stopped it. It ends too where its
// worker has stopped the unit and could not say so.
func (x *moment) stillClaims(k *claim, worker int32) bool {
	return (!k.at.Before(x.memberSince(worker)) || x.broughtBack(worker).has(k.unit)) && !x.silenced(k, worker)
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
		if h.rounds[i].lost(worker) || h.renewed(i, worker) {
			return h.rounds[i].RecordedAt
		}
	}
	return time.Time{}
}

// renewed says whether a worker is in round i under another member id than in the round before: its process is a new one, or
// it was put out and came back, both within one round.
func (h *history) renewed(i int, worker int32) bool {
	if i == 0 || h.rounds[i].First || h.rounds[i].members == h.rounds[i-1].members {
		return false
	}
	now, before := h.memberOf(i, worker), h.memberOf(i-1, worker)
	return now >= 0 && before >= 0 && h.tables.members[now].id != h.tables.members[before].id
}

// memberOf is a worker's member number in round i, -1 when it is not in it.
func (h *history) memberOf(i int, worker int32) int32 {
	for _, id := range h.rounds[i].members.ids {
		if h.tables.members[id].worker == worker {
			return id
		}
	}
	return -1
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
		if h.renewed(i, worker) {
			reported, _ := h.rounds[i].replay(h.heldBefore(i))
			return setOf(reported[worker])
		}
		if h.memberOf(i, worker) >= 0 {
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
