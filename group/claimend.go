package group

import (
	"slices"
	"sort"

	"regroup/decode"
)

// claimEnd is how a worker's claim to run a unit ended without a status record of that worker.
type claimEnd int

const (
	claimStands     claimEnd = iota
	claimDoubtful            // the worker rejoined without the unit though nobody told it to stop, and said nothing: it may run it on
	endedByLeaving           // the worker left the group, or its process is a new one
	endedByStop              // a round told the worker to stop the unit, and it rejoined without it
	endedByDrop              // the worker stopped its work by itself and rejoined without the unit
	endedByRejoin            // the round before was eager: the worker stops all that it was assigned before it rejoins
	endedBeforehand          // it is of an earlier life of the group
)

// stillClaims reports whether a member's claim to run a unit stands.
func (x *moment) stillClaims(k *claim, worker int32) bool {
	_, end := x.h.claimEnd(k, worker, x.i)
	return end == claimStands || end == claimDoubtful
}

// claimEnd follows a claim from the round in whose generation it was made to round upTo, and returns the round that ended it. A
// worker that had to stop a unit rejoins once the unit is stopped or, past task.shutdown.graceful.timeout.ms, abandoned. Only
// work that a downgrade to eager took from it goes on (KAFKA-13816), until the worker leaves or says that it stopped it.
// Generations decide, not times: the clocks of workers may differ from the broker's.
func (h *history) claimEnd(k *claim, worker int32, upTo int) (int, claimEnd) {
	from, earlierLife := h.roundOf(k, upTo)
	if earlierLife {
		return from, endedBeforehand
	}
	c := copyOf{worker: worker, unit: k.unit}
	if from < 0 { // made before this history begins
		c.holds = slices.Contains(h.heldBefore(0)[worker], k.unit)
	} else {
		c.away = h.memberOf(from, worker) < 0
		c.told = holdsUnit(h.rounds[from].store.revoked, worker, k.unit)
		c.holds = slices.Contains(h.heldAt.after(h, from)[worker], k.unit) // else nobody told it to run the unit, and nobody will tell it to stop
	}
	for j := from + 1; j <= upTo; j++ {
		if end := c.advance(h, j); end != claimStands {
			return j, end
		}
	}
	if c.dropped {
		return upTo, claimDoubtful
	}
	return upTo, claimStands
}

// stoppedByItself reports whether a worker wrote that it stopped some of what it held before round j. Of the rest the stop timed
// out. One that drops its work and writes nothing may run it on: workers of before 2.7 do when a rebalance was not resolved
// (KAFKA-10763).
func (h *history) stoppedByItself(j int, worker int32) bool {
	id := h.memberOf(j, worker)
	if id < 0 {
		return false
	}
	name := author(h.tables.members[id].url, worker)
	before := h.rounds[j-1]
	for _, unit := range h.heldAt.after(h, j-1)[worker] {
		k := h.claimBefore(unit, name, h.rounds[j].Generation)
		if k == nil || k.state != decode.Unassigned {
			continue
		}
		if k.generation >= before.Generation || before.Mode == ModeCooperative && !holdsUnit(before.store.assigned, worker, unit) {
			return true
		}
	}
	return false
}

// claimBefore is the newest claim that a worker made of a unit in a generation before the given one, nil for none.
func (h *history) claimBefore(unit int32, worker string, generation int32) *claim {
	newest := h.newest.of(unit)
	if !newest.known {
		return nil
	}
	for at := newest.newest.seq; at >= h.claimBase; {
		k := &h.claims[at-h.claimBase]
		if at = k.prev; k.worker == worker && k.generation < generation {
			return k
		}
	}
	return nil
}

// copyOf is one worker's copy of a unit, followed from round to round.
type copyOf struct {
	worker, unit int32
	holds        bool // the unit is among those that the worker is assigned
	told         bool // the round before told the worker to stop it
	away         bool // the worker is not in the group
	assigned     bool // the round before assigned it anew
	dropped      bool // the worker rejoined without it, untold
}

// advance moves on to round j, and returns how that round ended the copy.
func (c *copyOf) advance(h *history, j int) claimEnd {
	r := h.rounds[j]
	switch {
	case r.lost(c.worker):
		c.away, c.holds, c.told = true, false, false
		return claimStands
	case c.away && h.memberOf(j, c.worker) < 0:
		return claimStands
	case c.away || h.renewed(j, c.worker):
		if !c.reported(r) {
			return endedByLeaving
		}
		c.away = false
	case c.told && (r.Mode == ModeEager || !c.reported(r)):
		return endedByStop
	case c.holds && r.prevMode == ModeEager:
		return endedByRejoin
	case c.holds && !c.assigned && r.Mode == ModeCooperative && !c.reported(r):
		if h.stoppedByItself(j, c.worker) {
			return endedByDrop
		}
		c.dropped = true
	}
	c.assign(r)
	return claimStands
}

// reported reports whether the worker said in a round that it has the unit.
func (c *copyOf) reported(r *Round) bool {
	if r.silent {
		return false
	}
	return c.after(r.store.reported)
}

func (c *copyOf) after(diffs []diff) bool {
	for i := range diffs {
		if d := &diffs[i]; d.worker == c.worker {
			return slices.Contains(d.more, c.unit) || c.holds && !slices.Contains(d.less, c.unit)
		}
	}
	return c.holds
}

// assign takes over what a round says of the unit, as Round.advance does.
func (c *copyOf) assign(r *Round) {
	c.told, c.assigned = false, false
	if r.Mode == ModeEager && r.Error == 0 {
		c.holds = c.after(r.given)
		return
	}
	c.holds = c.reported(r)
	if r.Error != 0 {
		return
	}
	if holdsUnit(r.store.revoked, c.worker, c.unit) {
		c.holds, c.told = false, true
	}
	if holdsUnit(r.store.assigned, c.worker, c.unit) {
		c.assigned, c.holds = true, true
	}
}

// roundOf is the index of the round in whose generation a claim was made, -1 when that is before this history. Generations begin
// again when a group was deleted: a claim of an earlier life than round upTo's is told by its time.
func (h *history) roundOf(k *claim, upTo int) (i int, earlierLife bool) {
	if upTo < 0 {
		return -1, false
	}
	life := max(0, h.rounds[upTo].store.life-h.rounds[0].Seq)
	if life > 0 && k.at.Before(h.rounds[life].RecordedAt) {
		return life - 1, true
	}
	after := func(r *Round) bool { return r.Generation > k.generation }
	if h.rounds[upTo].Polled { // polling tells no generations
		after = func(r *Round) bool { return r.RecordedAt.After(k.at) }
	}
	i = life - 1 + sort.Search(upTo-life+1, func(n int) bool { return after(h.rounds[life+n]) })
	return i, i < life && life > 0
}

// renewed reports whether a worker is in round i under another member id than in the round before: its process is a new one, or
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

// lost reports whether a worker left in this round.
func (r *Round) lost(worker int32) bool {
	return slices.ContainsFunc(r.Left, func(g Gone) bool { return g.Worker == worker })
}
