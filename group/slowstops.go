package group

import (
	"cmp"
	"slices"
	"time"

	"regroup/decode"
)

// SlowStop is a worker that had to stop units and rejoined without some of them though it never wrote that they stopped: they did not
// end within its task.shutdown.graceful.timeout.ms, and it cancelled them.
type SlowStop struct {
	Worker   int    // index into State.Workers
	Round    *Round // told it to stop them; where no round did, the one that it rejoined in
	Why      StopCause
	Rejoined time.Time // without them
	Units    []Unit    // sorted
}

// StopCause is why a worker had to stop units.
type StopCause int

// The causes.
const (
	StopTold  StopCause = iota // a round told it to
	StopLost                   // it had lost the coordinator
	StopEager                  // under eager everything stops before a worker rejoins
)

// slowStopRounds and slowStopUnits bound how far back slow stops are looked for.
const (
	slowStopRounds = 200
	slowStopUnits  = 20_000
)

// SlowStops are those of present workers after a time, oldest first. A worker says nothing either of what others started since
// in a generation that it had missed; that is no slow stop.
func (s *State) SlowStops(after time.Time) []SlowStop {
	x := s.moment
	if x == nil || s.At < 1 {
		return nil
	}
	h, looked := x.h, 0
	var out []SlowStop
	for j := s.At; j > max(0, s.At-slowStopRounds) && h.rounds[j].RecordedAt.After(after) && looked < slowStopUnits; j-- {
		r := h.rounds[j]
		if r.Polled || r.First {
			continue
		}
		if r.prevMode == ModeEager {
			looked += r.Units
		}
		for _, list := range []struct {
			portions []portion
			end      claimEnd
			why      StopCause
		}{
			{h.rounds[j-1].store.revoked, endedByStop, StopTold},
			{r.store.dropped, endedByDrop, StopLost},
			{h.stoppedForEager(j), endedByRejoin, StopEager},
		} {
			for _, p := range list.portions {
				i, here := x.byWorker[p.worker]
				if !here {
					continue
				}
				looked += len(p.units)
				units := h.cancelled(p, j, list.end)
				if len(units) == 0 {
					continue
				}
				stop := SlowStop{Worker: int(x.index[x.members[i].Worker]), Round: r, Why: list.why, Rejoined: r.RecordedAt, Units: h.tables.unitsOf(units)}
				if list.why == StopTold {
					stop.Round = h.rounds[j-1]
				}
				out = append(out, stop)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// stoppedForEager is what workers held after an eager round and had to stop before they joined round j, for those that wrote of some of
// it that it stopped: a worker that writes nothing tells nothing of its stops.
func (h *history) stoppedForEager(j int) []portion {
	if h.rounds[j].prevMode != ModeEager {
		return nil
	}
	var out []portion
	for worker, units := range h.heldAt.after(h, j-1) {
		if h.memberOf(j, worker) >= 0 && h.stoppedByItself(j, worker) {
			out = append(out, portion{worker, units})
		}
	}
	slices.SortFunc(out, func(a, b portion) int { return cmp.Compare(a.worker, b.worker) })
	return out
}

// cancelled are the units of a portion that their worker ran, and that it rejoined without in round j without a word.
func (h *history) cancelled(p portion, j int, want claimEnd) []int32 {
	id := h.memberOf(j, p.worker)
	if id < 0 {
		return nil
	}
	name := author(h.tables.members[id].url, p.worker)
	var out []int32
	for _, unit := range p.units {
		k := h.claimBefore(unit, name, h.rounds[j].Generation)
		if k == nil || !k.running() && k.state != decode.Paused {
			continue
		}
		if at, end := h.claimEnd(k, p.worker, j); at == j && end == want && !h.overwritten(j-1, p.worker, k) {
			out = append(out, unit)
		}
	}
	slices.Sort(out)
	return out
}

// overwritten reports whether another worker had said something of a unit before round i, in a generation that the worker had missed:
// Connect writes no UNASSIGNED over that.
func (h *history) overwritten(i int, worker int32, k *claim) bool {
	last := i - 1
	for last >= 0 && h.memberOf(last, worker) < 0 {
		last--
	}
	if last < 0 {
		return false
	}
	for at := h.newest.of(k.unit).newest.seq; at > k.seq && at >= h.claimBase; {
		o := &h.claims[at-h.claimBase]
		at = o.prev
		if o.worker != k.worker && o.generation > h.rounds[last].Generation && o.generation <= h.rounds[i].Generation {
			return true
		}
	}
	return false
}
