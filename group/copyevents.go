package group

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"regroup/decode"
)

// copyEvent is what a round did to one worker's copy of a unit without a status.
type copyEvent struct {
	i       int // of the round, or of the one before which it happened
	kind    copyEventKind
	leaves  *departure
	dropped droppedUnit
	quiet   quietEnd
}

type copyEventKind int

// The kinds, in the order in which they happen within one round.
const (
	copyUnknown copyEventKind = iota // what was before is not known, and its worker does not have it
	copyQuiet
	copyLeaves
	copyDropped
	copyMoved
	copyBack
)

// eventsOf are what rounds did to a worker's copy of a unit between two of its claims, in their order.
func (f *gapFinder) eventsOf(unit int32, k, next *claim) []copyEvent {
	var out []copyEvent
	after := func(i int) bool { return k.before(f.rounds[i]) && (next == nil || !next.before(f.rounds[i])) }
	for _, i := range f.begins {
		if after(i) && !f.hadAtFirst(i, k.worker).has(unit) && (next == nil || next.deleted || next.state != decode.Unassigned) {
			return append(out, copyEvent{i: i, kind: copyUnknown})
		}
	}
	for _, q := range f.quiet[unit] {
		if q.author == k.worker && after(q.i+1) && !k.at.After(f.rounds[q.i+1].RecordedAt) {
			out = append(out, copyEvent{i: q.i + 1, kind: copyQuiet, quiet: q})
		}
	}
	leaves := f.leaves[k.worker]
	from := sort.Search(len(leaves), func(i int) bool { return k.before(f.rounds[leaves[i].i]) })
	for _, d := range leaves[from:] {
		if !after(d.i) {
			break
		}
		out = append(out, copyEvent{i: d.i, kind: copyLeaves, leaves: d})
	}
	for _, d := range f.dropped[unit] {
		if d.author == k.worker && after(d.i) {
			out = append(out, copyEvent{i: d.i, kind: copyDropped, dropped: d})
		}
	}
	for _, d := range f.moved[unit] {
		switch {
		case d.author != k.worker || !k.before(f.rounds[d.i]):
		case d.back && (after(d.i) || next.generation == f.rounds[d.i].Generation): // its next claim may be that it has it already
			out = append(out, copyEvent{i: d.i, kind: copyBack, dropped: d})
		case !d.back && after(d.i):
			out = append(out, copyEvent{i: d.i, kind: copyMoved, dropped: d})
		}
	}
	slices.SortStableFunc(out, func(a, b copyEvent) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.kind, b.kind)) })
	return out
}

// untold follows a copy from one claim of its worker to the next: it ends where the worker left with it, or let go of it, and said nothing.
// One that came back with it in hand goes on with a copy of its own.
func (f *gapFinder) untold(out []run, at int, open map[string]int, unit int32, k, next *claim) []run {
	goOn := func(from time.Time) {
		out = append(out, run{author: k.worker, from: from, seq: -1})
		at = len(out) - 1
		open[k.worker] = at + 1
	}
	for _, e := range f.eventsOf(unit, k, next) {
		r := &out[at]
		switch e.kind {
		case copyUnknown:
			began := later(f.rounds[e.i].RecordedAt, r.from)
			r.ended, r.unknown, r.end = true, true, span{began, began}
		case copyQuiet:
			r.ended, r.seq = true, f.rounds[e.quiet.i].Seq
			r.end = span{later(f.rounds[e.quiet.i].RecordedAt, r.from), f.rounds[e.i].RecordedAt}
		case copyDropped: // a status of somebody else stood in the way of its own
			r.ended, r.seq = true, f.rounds[e.i].Seq
			r.end.high = f.rounds[e.i].RecordedAt
			r.end.low, r.open = f.cutOff(r.end.high, e.dropped)
			r.end.low = later(r.end.low, earlier(r.earliest(), r.end.high))
		case copyMoved:
			if r.strays.IsZero() {
				r.strays = f.rounds[e.i].RecordedAt
			}
		case copyBack:
			if !r.strays.IsZero() {
				back := f.rounds[e.i].RecordedAt
				if next != nil && !next.deleted && next.state != decode.Unassigned && next.generation == f.rounds[e.i].Generation {
					back = next.at // it says so itself
				}
				r.ended, r.end = true, span{back, back}
				goOn(back)
			}
		case copyLeaves:
			back, held := f.cameBackAt(e.leaves, unit)
			switch {
			case held && (e.leaves.renewed || !f.mayHaveFrozen(e.leaves, back)): // put out, and back with its work
			case held:
				died, diedOpen := f.diedIn(e.leaves)
				r.ended, r.frozen, r.seq, r.open = true, true, f.rounds[e.i].Seq, diedOpen
				r.end = span{earlier(later(died.low, r.from), back), back}
				goOn(back)
			case next != nil && next.state == decode.Unassigned && !next.deleted: // put out of the group alive
				return out
			default:
				f.gone(r, e.leaves)
			}
		}
		if out[at].ended {
			delete(open, k.worker)
			return out
		}
	}
	return out
}

// sessionIn is the session timeout of the worker that let go of a unit.
func (f *gapFinder) sessionIn(d droppedUnit) time.Duration {
	if id := f.h.memberOf(f.first+d.i, d.worker); id >= 0 {
		return f.h.session(f.h.tables.members[id].id)
	}
	return f.h.session("")
}
