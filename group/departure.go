package group

import (
	"cmp"
	"slices"
	"sort"
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

// heartbeat is Connect's default heartbeat.interval.ms: a worker's death is known to within one.
const heartbeat = 3 * time.Second

// died is when a worker that left without a word must have died; back says that its process was back within its session. The coordinator
// waits a session timeout after the last heartbeat; then the others have a heartbeat interval to rejoin. Polling that saw the join begin,
// records that the worker still wrote, and its REST interface narrow that down. It is open where the worker may have died before the span:
// a coordinator that died too, or was away, gave it a new session, and nothing tells when the worker was last well.
func (f *gapFinder) died(r *Round, gone Gone, back bool) (d span, open bool) {
	session := f.h.session(gone.Member)
	began := span{r.At.Add(-heartbeat), r.At}
	for _, p := range f.phases {
		if !back && p.state == "PreparingRebalance" && !p.at.After(r.RecordedAt.Add(time.Second)) && p.at.After(began.low) {
			began.low, began.high = later(began.low, p.after), earlier(began.high, p.at)
			if began.high.Before(began.low) {
				began.high = began.low
			}
		}
	}
	d = span{began.low.Add(-session), began.high.Add(-session + heartbeat)}
	for _, o := range f.outages {
		if !o.from.After(r.At) && (o.to.IsZero() || !o.to.Before(d.low.Add(-heartbeat))) {
			d.low = earlier(d.low, o.from.Add(-session))
		}
	}
	s := f.signsBefore(r, gone, d.high)
	switch {
	case !s.gone.IsZero() && s.gone.Before(d.low): // its session began anew after it had died
		d, open = span{s.gone, s.gone}, true
	case !s.mute.IsZero() && !s.mute.Before(d.low):
		d.high = earlier(d.high, s.mute)
	}
	low := later(f.spoke(r, gone), s.alive)
	if back && s.mute.IsZero() { // the new process answers too
		low = f.spoke(r, gone)
	}
	if open && !low.IsZero() && !low.After(d.high) {
		d.low, open = low, false
	}
	d.low = later(d.low, low)
	if d.high.Before(d.low) {
		d.high = d.low
	}
	return d, open
}

// spoke is when a worker last wrote a status before a round.
func (f *gapFinder) spoke(r *Round, gone Gone) time.Time {
	id := author(gone.URL, gone.Worker)
	for _, k := range slices.Backward(f.h.claims) {
		if k.worker == id && !k.at.After(r.RecordedAt) && k.before(r) {
			return k.at
		}
	}
	return time.Time{}
}

// signs are what a worker's REST interface told before it was gone: when it last answered, when it first did not, and when nothing listened
// any more at its address.
type signs struct{ alive, mute, gone time.Time }

// signsBefore are the signs of a worker that had died by a time at the latest. What answers after that is a new process.
func (f *gapFinder) signsBefore(r *Round, member Gone, latest time.Time) signs {
	var s signs
	for _, l := range f.lives[member.URL] {
		switch {
		case l.at.After(r.RecordedAt):
			return s
		case l.alive && l.at.After(latest):
			return s
		case l.alive && !s.gone.IsZero() && !s.gone.Before(latest.Add(-2*heartbeat)):
			return s
		case l.alive:
			s = signs{alive: l.at}
		case !f.inGroupAt(member.Member, l.at): // the process before it was gone, not this one
		default:
			if s.mute.IsZero() {
				s.mute = l.at
			}
			if l.gone && s.gone.IsZero() {
				s.gone = l.at
			}
		}
	}
	return s
}

// inGroupAt reports whether a member was in the group's newest round at a time.
func (f *gapFinder) inGroupAt(member string, t time.Time) bool {
	i := f.roundAt(t)
	return i < 0 || slices.ContainsFunc(f.rounds[i].members.ids, func(id int32) bool { return f.h.tables.members[id].id == member })
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// session is a member's session timeout, Connect's default where no record told it.
func (h *history) session(member string) time.Duration {
	for i := len(h.tables.members) - 1; i >= 0; i-- {
		if m := h.tables.members[i]; m.id == member && m.session > 0 {
			return time.Duration(m.session) * time.Millisecond
		}
	}
	return 10 * time.Second
}
