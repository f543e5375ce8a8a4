package group

import (
	"slices"
	"sort"
	"time"

	"regroup/decode"
)

// gap is a stretch of time in which a unit did not run because of a round.
type gap struct {
	unit     int32
	from     span      // when it stopped: known exactly, or within a heartbeat after a crash
	to       time.Time // when it ran again, at the latest
	began    time.Time // and at the earliest; zero: at to
	ended    bool      // it ran, failed, was paused or deleted at to; else it still waits
	crash    bool      // its worker died with it
	frozen   bool      // its worker left and came back with it in hand: it may have stood still, or run all the while
	open     bool      // it may have stopped before from.low: nothing tells how long before
	measured bool      // both ends are status records (or the death range of a crash)
	seq      int       // of the round that it belongs to
}

// span is a moment known to lie between two times.
type span struct{ low, high time.Time }

func at(t time.Time) span { return span{t, t} }

func (g *gap) length(now time.Time) (low, high time.Duration) {
	to := span{now, now}
	if g.ended {
		to = g.runs()
	}
	return max(0, to.low.Sub(g.from.high)), max(0, to.high.Sub(g.from.low))
}

// runs is when the unit of a gap that ended ran again.
func (g *gap) runs() span {
	if g.began.IsZero() {
		return at(g.to)
	}
	return span{g.began, g.to}
}

// gapFinder works out gaps from status records and rounds up to a moment.
type gapFinder struct {
	h      *history
	rounds []*Round
	first  int // index in h.rounds of rounds[0]
	now    time.Time
	phases []phaseChange
	lives  map[string][]life
	byUnit map[int32][]*claim         // of the units that were asked for
	there  map[int]bitset             // units held or waiting after a round, by index
	cut    bool                       // some claims lie after now
	hands  map[absence]map[int32]bool // units that a worker had in hand when it came back
	walk   heldWalk

	outages  []outage
	watched  []watch
	actions  []Action
	begins   []int                      // rounds before which nothing is known, by index
	hadFirst map[int]map[string]unitSet // what workers had in such a round, by author
	authors  map[int32]string           // of claims, by worker number
	leaves   map[string][]*departure    // by author, oldest first
	quiet    map[int32][]quietEnd       // units that workers let go of without a word
	dropped  map[int32][]droppedUnit    // units that workers let go of by themselves
	moved    map[int32][]droppedUnit    // units that an eager round took from workers that had not stopped them
	backAt   map[absence]time.Time      // when a worker that left came back
}

// absence is a worker's that left in a round.
type absence struct {
	round  int
	worker int32
}

// newFinder makes a finder for the rounds from index first to last.
func (h *history) newFinder(first, last int, now time.Time, t *told) *gapFinder {
	return &gapFinder{
		h: h, rounds: h.rounds[first : last+1], first: first, now: now, phases: t.phases, lives: t.lives, outages: t.outages, watched: t.watched, actions: t.actions,
		byUnit: map[int32][]*claim{}, there: map[int]bitset{}, hands: map[absence]map[int32]bool{}, backAt: map[absence]time.Time{},
	}
}

// gaps finds every gap of the rounds from index first to last.
func (h *history) gaps(first, last int, now time.Time, t *told) (found []gap, cut bool) {
	if first > last {
		return nil, false
	}
	f := h.newFinder(first, last, now, t)
	out := f.measured()
	if len(h.claims) == 0 {
		out = apart(f.estimates())
	}
	slices.SortStableFunc(out, func(a, b gap) int { return a.from.low.Compare(b.from.low) })
	return out, f.cut
}

// apart keeps of gaps, sorted by their beginnings, what no earlier gap of the same unit has counted: a unit that does not run does
// not run once.
func apart(gaps []gap) []gap {
	slices.SortStableFunc(gaps, func(a, b gap) int { return a.from.low.Compare(b.from.low) })
	newest := make(map[int32]int, len(gaps)) // the last one kept of each unit
	kept := gaps[:0]
	for _, g := range gaps {
		if i, ok := newest[g.unit]; ok {
			switch was := &kept[i]; {
			case !was.ended, g.ended && !g.to.After(was.to):
				continue
			default:
				g.from = span{later(g.from.low, was.to), later(g.from.high, was.to)}
			}
		}
		newest[g.unit] = len(kept)
		kept = append(kept, g)
	}
	return kept
}

// claimsUpTo is a finder for claims alone.
func (h *history) claimsUpTo(now time.Time) *gapFinder {
	return &gapFinder{h: h, now: now, byUnit: map[int32][]*claim{}}
}

// claims are what workers said of a unit up to now, oldest first.
func (f *gapFinder) claims(unit int32) []*claim {
	out, known := f.byUnit[unit]
	if known {
		return out
	}
	if newest := f.h.newest.of(unit); newest.known {
		for at := newest.newest.seq; at >= f.h.claimBase; {
			k := &f.h.claims[at-f.h.claimBase]
			if at = k.prev; k.at.After(f.now) {
				f.cut = true
				continue
			}
			out = append(out, k)
		}
	}
	slices.Reverse(out)
	f.byUnit[unit] = out
	return out
}

// revokedFrom is the round before a stop, if that round told its worker to stop the unit; else -1.
func (f *gapFinder) revokedFrom(unit int32, k *claim) int {
	i := f.roundAt(k.at)
	if i < 0 {
		return -1
	}
	for _, p := range f.rounds[i].store.revoked {
		if slices.Contains(p.units, unit) && f.author(p.worker) == k.worker {
			return f.rounds[i].Seq
		}
	}
	return -1
}

// roundAt is the last round recorded at or before a time, -1 for none.
func (f *gapFinder) roundAt(t time.Time) int {
	return sort.Search(len(f.rounds), func(i int) bool { return f.rounds[i].RecordedAt.After(t) }) - 1
}

// roundWithin is the first round recorded while a gap lasted: work that a worker stops before it rejoins belongs to the
// round that follows. A stop and start with no round between was no round's doing.
func (f *gapFinder) roundWithin(from, to time.Time, ended bool) int {
	i := f.roundAt(from) + 1
	if i == 0 && !f.rounds[0].First { // of a round that is kept no longer
		return -1
	}
	if i >= len(f.rounds) || ended && f.rounds[i].RecordedAt.After(to) {
		return -1
	}
	return f.rounds[i].Seq
}

// exists says whether a unit was held or waited after a round: what was stopped for good is no loss.
func (f *gapFinder) exists(i int, unit int32) bool {
	there := f.there[i]
	if there == nil {
		r := f.rounds[i]
		there = newBitset(len(f.h.tables.units))
		for _, list := range [][]unownedUnit{r.store.delayed, r.store.unassigned, r.store.released} {
			for _, u := range list {
				there.add(u.unit)
			}
		}
		for _, units := range f.heldAfter(i) {
			for _, u := range units {
				there.add(u)
			}
		}
		f.there[i] = there
	}
	return there.has(unit) || f.rounds[i].Empty()
}

// heldAfter is what was held after a round.
func (f *gapFinder) heldAfter(i int) holding {
	return f.walk.after(f.h, f.first+i)
}

// reported is what workers said they held when they joined a round, by its index.
func (f *gapFinder) reported(i int) holding {
	reported, _ := f.rounds[i].replay(f.h.heldBefore(f.first + i))
	return reported
}

// cameBack says whether a worker that left came back with a unit in hand: it never stopped it.
func (f *gapFinder) cameBack(i int, worker int32, unit int32) bool {
	key := absence{i, worker}
	hand, known := f.hands[key]
	if !known {
		for k := i + 1; k < len(f.rounds) && hand == nil; k++ {
			r := f.rounds[k]
			if slices.ContainsFunc(r.members.ids, func(id int32) bool { return f.h.tables.members[id].worker == worker }) {
				f.backAt[key] = r.RecordedAt
				hand = map[int32]bool{}
				for _, u := range f.reported(k)[worker] {
					hand[u] = true
				}
			}
		}
		f.hands[key] = hand
	}
	return hand[unit]
}

// estimates are gaps told by the rounds alone: from the round that took a unit from its worker to the one that gave it out.
func (f *gapFinder) estimates() []gap {
	var out []gap
	open := map[int32]int{}
	for i, r := range f.rounds {
		wait := func(units []unownedUnit, from func(unownedUnit) (span, bool)) {
			for _, u := range units {
				if _, ok := open[u.unit]; ok {
					continue
				}
				s, crash := from(u)
				open[u.unit] = len(out)
				out = append(out, gap{unit: u.unit, from: s, crash: crash, seq: r.Seq})
			}
		}
		wait(r.store.released, func(unownedUnit) (span, bool) { return at(r.RecordedAt), false })
		gone := func(u unownedUnit) (span, bool) {
			for _, g := range r.Left {
				if g.Worker == u.last {
					died, _ := f.died(r, g, false)
					return died, true
				}
			}
			return at(r.RecordedAt), false
		}
		wait(r.store.delayed, gone)
		wait(r.store.unassigned, gone)
		if len(open) == 0 {
			continue
		}
		for _, units := range f.heldAfter(i) {
			for _, u := range units {
				if g, ok := open[u]; ok {
					out[g].to, out[g].ended = r.RecordedAt, true
					delete(open, u)
				}
			}
		}
	}
	return out
}

// Gap is a stretch of time in which a unit did not run because of a round.
type Gap struct {
	Unit Unit
	Seq  int // of the round that it belongs to
	// From is when it stopped, at the earliest; after a crash it is known only to within a heartbeat: Latest is its other end.
	From, Latest time.Time
	To           time.Time // it runs again, or failed, or was paused; the State's now while it still waits
	Ended        bool
	Measured     bool // told by status records, not by rounds alone
	Crash        bool // its worker left without a word, and is taken to have died with it
	Frozen       bool // its worker left and came back with it in hand: it may have stood still, or run all the while
	Open         bool // it may have stopped before From: nothing tells how long before
	// Began is when it ran again, at the earliest: To, unless its status is of a broker outage and so dated when the broker was back.
	Began time.Time
}

// Outages lists the gaps of the rounds up to the one stood on, by when they began.
func (s *State) Outages() []Gap {
	found := s.gapList()
	out := make([]Gap, 0, len(found))
	for i := range found {
		out = append(out, s.outage(&found[i]))
	}
	return out
}

func (s *State) outage(g *gap) Gap {
	to := at(s.Now)
	if g.ended {
		to = g.runs()
	}
	return Gap{s.past.tables.unitOf(g.unit), g.seq, g.from.low, g.from.high, to.high, g.ended, g.measured, g.crash, g.frozen, g.open, to.low}
}

// outagesOf lists the gaps that belong to a round, by unit and time.
func (s *State) outagesOf(r *Round) []Gap {
	s.costs()
	var out []Gap
	found := s.gapList()
	for _, i := range s.gapsBySeq[r.Seq] {
		out = append(out, s.outage(&found[i]))
	}
	slices.SortStableFunc(out, func(a, b Gap) int { return a.Unit.Compare(b.Unit) })
	return out
}

// Downtime is how many units did not run from a moment on, though they should have.
type Downtime struct {
	At      time.Time
	Down    int // stopped, or their worker is dead
	Waiting int // of Down: those that a delay keeps waiting
	Failed  int
}

// Downtimes tells how many units did not run over the whole history up to this moment, oldest first. The last goes on.
func (s *State) Downtimes() []Downtime {
	if s.past == nil || len(s.past.rounds) == 0 {
		return nil
	}
	var steps []Downtime
	add := func(from, to time.Time, ended bool, d Downtime) {
		d.At = from
		steps = append(steps, d)
		if ended {
			steps = append(steps, Downtime{At: to, Down: -d.Down, Waiting: -d.Waiting, Failed: -d.Failed})
		}
	}
	until := map[int32]time.Time{} // of units whose next gap may have begun while this one lasted
	for _, g := range s.gapList() {
		from := later(g.from.low, until[g.unit])
		if !g.began.IsZero() {
			until[g.unit] = g.to
		}
		add(from, g.to, g.ended, Downtime{Down: 1})
		if from, to, ok := s.waited(&g); ok {
			add(from, to, g.ended || to.Before(s.Now), Downtime{Waiting: 1})
		}
	}
	s.failures(add)
	slices.SortStableFunc(steps, func(a, b Downtime) int { return a.At.Compare(b.At) })
	var out []Downtime
	var sum Downtime
	for _, d := range steps {
		sum = Downtime{At: d.At, Down: sum.Down + d.Down, Waiting: sum.Waiting + d.Waiting, Failed: sum.Failed + d.Failed}
		if n := len(out); n > 0 && out[n-1].At.Equal(sum.At) {
			out[n-1] = sum
			continue
		}
		out = append(out, sum)
	}
	return out
}

// waited is the part of a gap in which a delay ran: from the round that set it to the one that ended it.
func (s *State) waited(g *gap) (from, to time.Time, ok bool) {
	i, _ := FindRound(s.Rounds, g.seq)
	if i >= len(s.Rounds) || s.Rounds[i].Seq != g.seq || s.Rounds[i].Delayed == 0 || !g.crash {
		return from, to, false
	}
	from, to = s.Rounds[i].RecordedAt, s.Now
	for _, r := range s.Rounds[i+1:] {
		if r.Delayed == 0 {
			to = earlier(to, r.RecordedAt)
			break
		}
	}
	if g.ended {
		to = earlier(to, g.to)
	}
	return from, to, to.After(from)
}

// failures gives every stretch in which a unit's newest status said FAILED.
func (s *State) failures(add func(from, to time.Time, ended bool, d Downtime)) {
	f := s.past.claimsUpTo(s.Now)
	for _, unit := range s.past.failed {
		var since time.Time
		for _, k := range f.claims(unit) {
			switch failed := k.state == decode.Failed && !k.deleted; {
			case failed && since.IsZero():
				since = k.at
			case !failed && !since.IsZero():
				add(since, k.at, true, Downtime{Failed: 1})
				since = time.Time{}
			}
		}
		if !since.IsZero() {
			add(since, s.Now, false, Downtime{Failed: 1})
		}
	}
}
