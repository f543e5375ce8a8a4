package group

import "slices"

// silenced says whether a worker that claims to run a unit has stopped it and could not say so. A worker writes no UNASSIGNED
// over what another one wrote in a newer generation than its own last: so is a worker that comes back from a long pause, after its
// work was given away, told to stop what somebody else has started long since. That it joins again without the unit must do.
func (x *moment) silenced(k *claim, worker int32) bool {
	since := x.memberSince(worker)  // what it was told before it was away, it may not have heard
	for i := x.i - 1; i >= 0; i-- { // in the round stood on nobody has joined again yet
		if at := x.h.rounds[i].RecordedAt; !at.After(k.at) || at.Before(since) {
			break
		}
		if x.h.told(i, worker, k.unit) {
			return x.h.overwritten(i, worker, k)
		}
	}
	return false
}

// told says whether a round told a worker to stop a unit.
func (h *history) told(i int, worker, unit int32) bool {
	return slices.ContainsFunc(h.rounds[i].store.revoked, func(p portion) bool { return p.worker == worker && slices.Contains(p.units, unit) })
}

// overwritten says whether another worker had said something of a unit before round i, in a generation that the worker had missed.
func (h *history) overwritten(i int, worker int32, k *claim) bool {
	last := i - 1
	for last >= 0 && h.memberOf(last, worker) < 0 {
		last--
	}
	newest := h.newest.of(k.unit)
	if last < 0 || !newest.known {
		return false
	}
	for at := newest.newest.seq; at >= h.claimBase; {
		o := &h.claims[at-h.claimBase]
		at = o.prev
		if o.worker != k.worker && o.generation > h.rounds[last].Generation && o.at.After(k.at) && !o.at.After(h.rounds[i].RecordedAt) {
			return true
		}
	}
	return false
}
