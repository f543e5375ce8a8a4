package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// departure is a worker's that left in a round, or whose process ended and was back within its session.
type departure struct {
	i       int // of the round in the finder's
	gone    Gone
	renewed bool
	units   []int32 // that it had before the round; of one that was renewed, those that it lost
	held    *unitSet

	died     span
	diedOpen bool
	known    bool      // died is worked out
	stopping time.Time // it stopped its work before it left: when it first said so; zero where it said nothing
}

// gone ends a copy whose worker left, or whose process ended, without a word about it.
func (f *gapFinder) gone(r *run, d *departure) {
	round := f.rounds[d.i]
	died, diedOpen := f.diedIn(d)
	r.ended, r.seq = true, round.Seq
	if !d.stopping.IsZero() { // its other work was stopped: this was cancelled
		r.end = span{later(d.stopping, r.from), later(round.RecordedAt, r.from)}
		return
	}
	r.crash, r.end, r.open = true, died, diedOpen
	if r.from.After(r.end.low) {
		r.end.low, r.open = r.from, false
	}
	r.end.high = later(r.end.high, r.end.low)
}

// cameBackAt is when a worker that left came back, and whether it had a unit in hand: it never stopped it.
func (f *gapFinder) cameBackAt(d *departure, unit int32) (time.Time, bool) {
	if d.renewed {
		key := absence{d.i, d.gone.Worker}
		hand, known := f.hands[key]
		if !known {
			hand = map[int32]bool{}
			for _, u := range f.reported(d.i)[d.gone.Worker] {
				hand[u] = true
			}
			f.hands[key] = hand
		}
		return f.rounds[d.i].RecordedAt, hand[unit]
	}
	if !f.cameBack(d.i, d.gone.Worker, unit) {
		return time.Time{}, false
	}
	return f.backAt[absence{d.i, d.gone.Worker}], true
}

// mayHaveFrozen says whether nothing tells that a worker that left and came back with its work in hand went on meanwhile: it answered
// nobody, and it was not this program that put it out of the group.
func (f *gapFinder) mayHaveFrozen(d *departure, back time.Time) bool {
	r := f.rounds[d.i]
	from := r.At.Add(heartbeat - f.h.session(d.gone.Member))
	for _, l := range f.lives[d.gone.URL] {
		if l.alive && l.at.After(from) && !l.at.After(r.At) {
			return false
		}
	}
	return !slices.ContainsFunc(f.actions, func(a Action) bool {
		return a.Verb == "evict" && a.At.After(from) && !a.At.After(back)
	})
}

// heldBefore is what the worker of a departure had before it.
func (f *gapFinder) heldBefore(d *departure) unitSet {
	if d.held == nil {
		held := setOf(d.units)
		d.held = &held
	}
	return *d.held
}

// diedIn is when the worker of a departure died.
func (f *gapFinder) diedIn(d *departure) (span, bool) {
	if !d.known {
		d.died, d.diedOpen = f.died(f.rounds[d.i], d.gone, d.renewed)
		d.stopping = f.stoppingBefore(d)
		d.known = true
	}
	return d.died, d.diedOpen
}

// stoppingBefore is when a worker first said of its work that it stopped it, right before it left; zero where it did not.
func (f *gapFinder) stoppingBefore(d *departure) time.Time {
	r, author := f.rounds[d.i], f.author(d.gone.Worker)
	var first time.Time
	for _, unit := range d.units {
		if k := f.lastBefore(unit, author, r); k != nil && k.state == decode.Unassigned && r.RecordedAt.Sub(k.at) < leaving {
			if first.IsZero() || k.at.Before(first) {
				first = k.at
			}
		}
	}
	return first
}

// leaving is how long a worker that stops may take from its first task to the round without it.
const leaving = time.Minute
