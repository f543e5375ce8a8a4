package group

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"regroup/decode"
)

// Several workers may run a unit: after a downgrade, beside a frozen worker, or because of a bug. What one of them says of it begins
// and ends its own copy. A unit does not run where no copy of it does.

// run is a stretch of time in which one worker had a copy of a unit.
type run struct {
	author string
	from   time.Time // when it began, at the latest
	began  time.Time // and at the earliest; zero: at from
	ended  bool
	end    span

	seq     int // of the round that ended it; -1: the first round that the gap reaches
	crash   bool
	frozen  bool
	open    bool      // it may have ended before end.low
	deleted bool      // with the unit
	unknown bool      // it had ended before history begins
	leaving time.Time // when its worker was gone that stopped it to leave; else zero
	strays  time.Time // since when it is a copy that its worker does not hold: an eager round gave it to another; zero: never
}

func (r *run) earliest() time.Time {
	if r.began.IsZero() {
		return r.from
	}
	return r.began
}

// measured are the gaps that status records tell.
func (f *gapFinder) measured() []gap {
	if len(f.h.claims) == 0 {
		return nil
	}
	f.index()
	units := slices.Clone(f.h.stopped)
	for _, r := range f.rounds {
		for _, held := range r.leftHeld {
			units = append(units, held...)
		}
	}
	for unit := range f.quiet {
		units = append(units, unit)
	}
	for unit := range f.dropped {
		units = append(units, unit)
	}
	slices.Sort(units)
	var out []gap
	for _, unit := range slices.Compact(units) {
		out = f.between(out, unit, f.runs(unit))
	}
	return f.lasting(out)
}

// runs are the copies of a unit, by when they began.
func (f *gapFinder) runs(unit int32) []run {
	var out []run
	claims := f.claims(unit)
	next := make([]*claim, len(claims)) // of the same author
	newest := map[string]*claim{}
	var removal *claim
	for i, k := range slices.Backward(claims) {
		switch {
		case k.deleted:
			removal = k
			clear(newest)
			continue
		case newest[k.worker] != nil:
			next[i] = newest[k.worker]
		default:
			next[i] = removal
		}
		newest[k.worker] = k
	}
	open := map[string]int{} // author → index in out of its copy, plus 1
	for i, k := range claims {
		switch n := open[k.worker] - 1; {
		case k.deleted:
			for _, n := range open {
				out[n-1].ended, out[n-1].end = true, at(k.at)
			}
			clear(open)
			out = append(out, run{from: k.at, ended: true, end: at(k.at), deleted: true, seq: -1})
		case k.state == decode.Unassigned && n >= 0:
			out[n].ended = true
			f.stopped(&out[n], unit, k, next[i])
			delete(open, k.worker)
		case k.state == decode.Unassigned:
			if len(out) == 0 || out[len(out)-1].deleted { // that it ran is not told any more
				r := run{author: k.worker, ended: true, seq: -1}
				f.stopped(&r, unit, k, next[i])
				r.from = r.end.low
				out = append(out, r)
			}
		default:
			if n < 0 {
				out = append(out, run{author: k.worker, from: k.at, began: f.beganIn(unit, k, next[i]), seq: -1})
				n = len(out) - 1
				open[k.worker] = n + 1
			}
			out = f.untold(out, n, open, unit, k, next[i])
		}
	}
	slices.SortStableFunc(out, func(a, b run) int { return a.from.Compare(b.from) })
	return out
}

// stopped ends a copy by its worker's own UNASSIGNED.
func (f *gapFinder) stopped(r *run, unit int32, k, next *claim) {
	r.end, r.seq = at(k.at), -1
	for _, d := range f.dropped[unit] {
		if d.author != k.worker {
			continue
		}
		if k.before(f.rounds[d.i]) && (d.i == 0 || !k.before(f.rounds[d.i-1])) {
			r.seq = f.rounds[d.i].Seq
			r.end.high = earlier(k.at, f.rounds[d.i].RecordedAt) // by then it had said that it has it no more, whenever it could write so
			r.end.low, r.open = f.cutOff(r.end.high, d)
			r.end.low = later(r.end.low, earlier(r.earliest(), r.end.high))
			return
		}
	}
	if r.seq = f.revokedFrom(unit, k); r.seq >= 0 {
		return
	}
	if from, known := f.outageBefore(k.at); known { // dated when the broker was back
		r.end.low = later(earlier(from, k.at), r.earliest())
	}
	for _, d := range f.leaves[k.worker] {
		if k.before(f.rounds[d.i]) {
			if !d.renewed && (next == nil || !next.before(f.rounds[d.i])) && f.heldBefore(d).has(unit) {
				r.seq, r.leaving = f.rounds[d.i].Seq, f.rounds[d.i].RecordedAt
			}
			return
		}
	}
}

// between adds the gaps between the copies of a unit. Of copies that run on beside the one that an eager round gave to another worker, none
// counts any more once that one runs.
func (f *gapFinder) between(out []gap, unit int32, runs []run) []gap {
	var last *run // the one that ended last
	var end span
	var stray []*run
	covered := func(t time.Time) bool {
		return last == nil || last.deleted || last.unknown || !t.After(end.low) ||
			slices.ContainsFunc(stray, func(r *run) bool { return !r.ended || !t.After(r.end.low) })
	}
	for i := range runs {
		r := &runs[i]
		if !covered(r.from) {
			g := f.gapAfter(unit, last, end)
			g.to, g.began, g.ended = r.from, r.began, true
			g.from.high = earlier(g.from.high, g.to)
			if last.leaving.After(g.to) { // something else started it before that
				g.seq = -1
			}
			out = append(out, g)
		}
		stray = slices.DeleteFunc(stray, func(s *run) bool { return !s.strays.After(r.from) })
		switch {
		case !r.strays.IsZero():
			stray = append(stray, r)
			if last == nil || last.deleted {
				last, end = r, span{r.from, r.from}
			}
			continue
		case !r.ended:
			return out
		case last == nil || last.deleted || r.deleted:
			last, end = r, r.end
			continue
		case !r.end.high.Before(end.high):
			last = r
		}
		end = span{later(end.low, r.end.low), later(end.high, r.end.high)}
	}
	for _, s := range stray {
		if !s.ended {
			return out
		}
		if !s.end.high.Before(end.high) {
			last = s
		}
		end = span{later(end.low, s.end.low), later(end.high, s.end.high)}
	}
	if last != nil && !last.deleted && !last.unknown {
		out = append(out, f.gapAfter(unit, last, end))
	}
	return out
}

func (f *gapFinder) gapAfter(unit int32, last *run, end span) gap {
	return gap{unit: unit, from: end, seq: last.seq, crash: last.crash, frozen: last.frozen, open: last.open, measured: true}
}

// lasting gives each gap its round, and leaves out those that no round made, and those of units that were wanted no more.
func (f *gapFinder) lasting(gaps []gap) []gap {
	base := f.rounds[0].Seq
	for i := range gaps {
		if g := &gaps[i]; g.seq < 0 {
			g.seq = f.roundWithin(g.from.high, g.to, g.ended)
		}
	}
	slices.SortStableFunc(gaps, func(a, b gap) int { return cmp.Compare(a.seq, b.seq) }) // what is held is told from round to round
	for i := range gaps {
		if g := &gaps[i]; g.seq >= 0 && (g.seq < base || !f.exists(g.seq-base, g.unit)) {
			g.seq = -1
		}
	}
	for i := range gaps {
		if g := &gaps[i]; g.seq >= 0 && !g.ended && !f.exists(len(f.rounds)-1, g.unit) {
			g.seq = -1
		}
	}
	return slices.DeleteFunc(gaps, func(g gap) bool { return g.seq < 0 })
}

// Most copies end with a status of their worker. What rounds tell of those that ended without one is gathered once for all units.

// quietEnd is a unit that a worker was told to stop in round i, and did not report in the next, without a word: its task was cancelled, or
// another worker's newer status stood in its way.
type quietEnd struct {
	i      int
	author string
}

// droppedUnit is a unit that a worker let go of by itself before round i.
type droppedUnit struct {
	i       int
	worker  int32
	author  string
	back    bool // it got it back
	renewed bool // under another member id than in the round before
}

// index gathers what rounds tell of copies that ended without a status.
func (f *gapFinder) index() {
	f.leaves, f.quiet, f.dropped = map[string][]*departure{}, map[int32][]quietEnd{}, map[int32][]droppedUnit{}
	f.moved = map[int32][]droppedUnit{}
	for i, r := range f.rounds {
		if i == 0 || r.First {
			f.begins = append(f.begins, i)
		}
		for j, gone := range r.Left {
			author := f.author(gone.Worker)
			f.leaves[author] = append(f.leaves[author], &departure{i: i, gone: gone, units: r.leftHeld[j]})
		}
		for _, c := range r.Causes {
			if c.Kind == CauseWorkerReturned {
				f.renewal(i, c.Worker)
			}
		}
		for _, p := range r.store.dropped {
			renewed := slices.ContainsFunc(r.store.unreported.by, func(by unreportedBy) bool { return by.worker == p.worker && by.renewed })
			for _, unit := range p.units {
				f.dropped[unit] = append(f.dropped[unit], droppedUnit{i: i, worker: p.worker, author: f.author(p.worker), renewed: renewed})
			}
		}
		f.givenBack(i)
		if r.Mode == ModeEager && r.Error == 0 && r.prevMode == ModeCooperative { // nothing is stopped (KAFKA-13816)
			for _, d := range r.store.given {
				for _, unit := range d.less {
					f.moved[unit] = append(f.moved[unit], droppedUnit{i: i, worker: d.worker, author: f.author(d.worker)})
				}
			}
		}
		f.cancelled(i)
	}
}

// givenBack notes where round i gives a unit to a worker that an eager round had taken it from.
func (f *gapFinder) givenBack(i int) {
	if len(f.moved) == 0 {
		return
	}
	note := func(worker int32, units []int32) {
		for _, unit := range units {
			if f.moved[unit] != nil {
				f.moved[unit] = append(f.moved[unit], droppedUnit{i: i, worker: worker, author: f.author(worker), back: true})
			}
		}
	}
	r := f.rounds[i]
	for _, p := range r.store.assigned {
		note(p.worker, p.units)
	}
	for _, d := range r.store.given {
		note(d.worker, d.more)
	}
}

// hadAtFirst is what a worker had when a history began.
func (f *gapFinder) hadAtFirst(i int, name string) unitSet {
	if f.hadFirst == nil {
		f.hadFirst = map[int]map[string]unitSet{}
	}
	had := f.hadFirst[i]
	if had == nil {
		had = map[string]unitSet{}
		reported, held := f.rounds[i].replay(f.h.heldBefore(f.first + i))
		for w, units := range held {
			had[f.author(w)] = setOf(slices.Concat(units, reported[w]))
		}
		f.hadFirst[i] = had
	}
	return had[name]
}

// renewal notes a worker that was in the round before under another member id.
func (f *gapFinder) renewal(i int, member string) {
	h, all := f.h, f.first+i
	if all == 0 || f.rounds[i].First {
		return
	}
	for _, id := range h.rounds[all].members.ids {
		m := &h.tables.members[id]
		if m.id != member {
			continue
		}
		if was := h.memberOf(all-1, m.worker); was >= 0 {
			gone := Gone{Member: h.tables.members[was].id, Client: m.client, URL: m.url, Worker: m.worker}
			author := f.author(m.worker)
			d := &departure{i: i, gone: gone, renewed: true}
			for _, p := range f.rounds[i].store.dropped {
				if p.worker == m.worker {
					d.units = p.units
				}
			}
			f.leaves[author] = append(f.leaves[author], d)
		}
	}
}

// cancelled notes the units that workers were told to stop in round i and let go of without a word.
func (f *gapFinder) cancelled(i int) {
	r := f.rounds[i]
	if i+1 >= len(f.rounds) || r.Mode != ModeCooperative || r.Error != 0 {
		return
	}
	next := f.rounds[i+1]
	var reported holding // made when it is asked for
	for _, p := range r.store.revoked {
		author := f.author(p.worker)
		var has unitSet
		asked := false
		for _, unit := range p.units {
			if last := f.lastBefore(unit, author, next); last == nil || last.deleted || last.state == decode.Unassigned {
				continue
			}
			if f.h.memberOf(f.first+i+1, p.worker) < 0 {
				break
			}
			if !asked {
				if reported == nil {
					reported = f.reported(i + 1)
				}
				has, asked = setOf(reported[p.worker]), true
			}
			if !has.has(unit) {
				f.quiet[unit] = append(f.quiet[unit], quietEnd{i, author})
			}
		}
	}
}

// lastBefore is the newest claim that an author made of a unit before it joined a round; nil for none.
func (f *gapFinder) lastBefore(unit int32, author string, r *Round) *claim {
	claims := f.claims(unit)
	from := sort.Search(len(claims), func(i int) bool { return claims[i].at.After(r.RecordedAt.Add(time.Minute)) })
	for _, k := range slices.Backward(claims[:from]) {
		if k.worker == author && k.before(r) {
			return k
		}
	}
	return nil
}

// author is the name under which a worker's claims are kept.
func (f *gapFinder) author(worker int32) string {
	if f.authors == nil {
		f.authors = map[int32]string{}
		for i := range f.h.tables.members {
			m := &f.h.tables.members[i]
			f.authors[m.worker] = author(m.url, m.worker)
		}
	}
	return f.authors[worker]
}
