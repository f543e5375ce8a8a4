package group

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"regroup/decode"
)

// Cost is what a round, or an episode, cost in work not running. Often it is a range: a worker's death is known only to within a
// heartbeat interval, statuses of an outage are dated when the broker is back, and a frozen worker may have stood still or not. Low and
// High are sums over units.
type Cost struct {
	Units       int // that stopped because of it
	Low, High   time.Duration
	LongestLow  time.Duration // the longest gap of any unit
	LongestHigh time.Duration
	Growing     bool // some still wait
	Open        bool // at least: of some, nothing tells how long before they had stopped
	Estimated   bool // no status records: told by the rounds alone
	Crash       bool
}

// Exact says whether the cost is one number.
func (c Cost) Exact() bool { return !c.Open && c.High-c.Low < 50*time.Millisecond }

func (c *Cost) add(g *gap, now time.Time) {
	low, high := g.length(now)
	c.Units++
	c.Low += low
	c.High += high
	c.LongestLow, c.LongestHigh = max(c.LongestLow, low), max(c.LongestHigh, high)
	c.Growing = c.Growing || !g.ended
	c.Open = c.Open || g.open
	c.Estimated = c.Estimated || !g.measured
	c.Crash = c.Crash || g.crash
}

// Plus is what two cost together.
func (c Cost) Plus(o Cost) Cost {
	c.Units += o.Units
	c.Low, c.High = c.Low+o.Low, c.High+o.High
	c.LongestLow, c.LongestHigh = max(c.LongestLow, o.LongestLow), max(c.LongestHigh, o.LongestHigh)
	c.Open = c.Open || o.Open
	c.Growing, c.Estimated, c.Crash = c.Growing || o.Growing, c.Estimated || o.Estimated, c.Crash || o.Crash
	return c
}

// costWindow bounds how far back costs are worked out.
const costWindow = 4096

// costs are the costs of the rounds up to the one stood on, by Seq, made when first asked for.
func (s *State) costs() map[int]*Cost {
	s.costOnce.Do(func() {
		s.costBySeq, s.gapsBySeq = map[int]*Cost{}, map[int][]int32{}
		for i, g := range s.gapList() {
			s.gapsBySeq[g.seq] = append(s.gapsBySeq[g.seq], int32(i))
			c := s.costBySeq[g.seq]
			if c == nil {
				c = &Cost{}
				s.costBySeq[g.seq] = c
			}
			c.add(&g, s.Now)
		}
	})
	return s.costBySeq
}

// gapsFound are the gaps of a history. States that know the same history share them: of a gap only the length grows.
type gapsFound struct {
	once sync.Once
	all  []gap
	list []gap       // of the rounds that are shown
	cut  atomic.Bool // a claim lay after the moment at which they were found
}

// shareGaps takes the gaps of a State made before this one over, if nothing has come that decides them.
func (s *State) shareGaps(last *State) {
	s.gaps = &gapsFound{}
	if last != nil && last.gaps != nil && !s.Past && !last.Past && s.Extent() == last.Extent() && !last.gaps.cut.Load() {
		s.gaps = last.gaps
	}
}

// Prepare works out what takes long in a large group, so that whoever draws the State need not wait for it.
func (s *State) Prepare() { s.costs() }

// gapList are the gaps of the rounds that are shown.
func (s *State) gapList() []gap {
	s.allGaps()
	if s.gaps == nil {
		return nil
	}
	return s.gaps.list
}

// allGaps are the gaps of all rounds that are known.
func (s *State) allGaps() []gap {
	if s.past == nil || s.At < 0 {
		return nil
	}
	s.gaps.once.Do(func() {
		w, hidden := s.past.whole()
		list, cut := w.gaps(max(0, hidden+s.At-costWindow), hidden+s.At, s.Now, s.told)
		s.gaps.all, s.gaps.list = list, list
		if hidden > 0 {
			first := s.Rounds[0].Seq
			s.gaps.list = slices.DeleteFunc(slices.Clone(list), func(g gap) bool { return g.seq < first })
		}
		s.gaps.cut.Store(cut)
	})
	return s.gaps.all
}

// Cost is what a round cost up to this moment; false where it stopped nothing, or lies too far back.
func (s *State) Cost(r *Round) (Cost, bool) {
	if c := s.costs()[r.Seq]; c != nil {
		return *c, true
	}
	return Cost{}, false
}

// CostOf is a round's cost for a sum: nothing for one that nobody was in, or whose cost is not known.
func (s *State) CostOf(r *Round) Cost {
	if c, ok := s.Cost(r); ok && !r.Empty() {
		return c
	}
	return Cost{}
}

// CostSaid is what is said of a round's cost: its cost, or nothing of it where units were touched and none stood still; false where
// it touched no unit, or lies too far back.
func (s *State) CostSaid(r *Round) (Cost, bool) {
	if c, ok := s.Cost(r); ok {
		return c, true
	}
	return Cost{}, r.Stopped+r.Dropped+r.Restarted+r.Delayed > 0 && s.Costed(r)
}

// Costed says whether what a round cost was looked into: where that found nothing, it cost nothing.
func (s *State) Costed(r *Round) bool {
	if s.past == nil || s.At < 0 || r.Seq > s.Rounds[s.At].Seq {
		return false
	}
	w, hidden := s.past.whole()
	return r.Seq >= w.rounds[max(0, hidden+s.At-costWindow)].Seq
}

// EpisodeCost is what the episode of a round cost up to this moment.
func (s *State) EpisodeCost(r *Round) (Cost, bool) {
	var sum Cost
	found := false
	e := s.episodeOf(r)
	for i := range e.gaps {
		sum.add(&e.gaps[i], s.Now)
		found = true
	}
	return sum, found
}

// EagerStops is what eager would have stopped in a round, unit by unit, and what that would have cost.
type EagerStops struct {
	Workers []EagerWorker // that have something to stop, by member id
	Units   int
	// Low and High are unit-seconds: each unit is down while it stops, while everyone else is waited for, which takes no more
	// than a heartbeat interval, and while it starts. Both are 0 where this group's own times are not known.
	Low, High time.Duration
	Pace
}

// EagerWorker is what one worker would have stopped.
type EagerWorker struct {
	Member string
	Name   string
	Units  []Unit // sorted
}

// Pace is how long this group's units take to stop and to start, as status records tell: medians, and of how many.
type Pace struct {
	Stop, Start   time.Duration
	Stops, Starts int
	// Stopping and Starting are from the quickest to the slowest, the slowest twentieth left out: what hung tells nothing of others.
	Stopping, Starting Times
}

// Times are durations from the shortest to the longest.
type Times struct{ Low, High time.Duration }

// Known says whether the pace was measured at all. Where nothing was revoked yet, Stop is 0.
func (p Pace) Known() bool { return p.Starts > 0 }

// EagerCost is what stopping so many units under eager would cost in unit-seconds, by the rule of EagerStops; 0 where the pace
// is not known.
func (p Pace) EagerCost(units int) (low, high time.Duration) {
	if !p.Known() {
		return 0, 0
	}
	low = time.Duration(units) * (p.Stop + p.Start)
	return low, low + time.Duration(units)*heartbeat
}

// EagerStops is what eager would have stopped in round i, by the rule of Round.EagerWouldStop. pace is the State's.
func (s *State) EagerStops(i int, pace Pace) EagerStops {
	out := EagerStops{Pace: pace}
	if s.past == nil || i < 0 || i >= len(s.Rounds) || s.Rounds[i].EagerWouldStop == 0 {
		return out
	}
	p := s.past.play(i)
	for j, id := range p.members.ids {
		worker := p.tables.members[id].worker
		units := p.eager(worker)
		if len(units) == 0 {
			continue
		}
		w := EagerWorker{Member: p.tables.members[id].id, Name: p.members.names[j]}
		w.Units = p.tables.unitsOf(units)
		out.Workers = append(out.Workers, w)
		out.Units += len(units)
	}
	out.Low, out.High = pace.EagerCost(out.Units)
	return out
}

// eager is what a worker of the round would have stopped: what it had in hand as the round began, and what it let go of by
// itself: what died with its process was stopped already.
func (p *played) eager(worker int32) []int32 {
	if p.Mode == ModeEager || p.prevMode == ModeEager {
		return p.before[worker]
	}
	units := p.reported[worker]
	if lost := p.dropped[worker]; len(lost) > 0 && !slices.Contains(p.store.died, worker) {
		units = append(slices.Clone(units), lost...)
	}
	return units
}

// paceRounds is how many of the newest rounds a pace is taken from.
const paceRounds = 256

// Pace is how long this group's units take to stop and to start. It looks through the status records each time.
func (s *State) Pace() Pace {
	if s.past == nil || s.At < 0 {
		return Pace{}
	}
	w, hidden := s.past.whole()
	return w.pace(max(0, hidden+s.At-paceRounds+1), hidden+s.At, s.Now)
}

// pace looks in rounds first to last for how long after a round its workers say that they have stopped and started what it
// told them to.
func (h *history) pace(first, last int, now time.Time) Pace {
	type told struct {
		at     time.Time
		worker string // as claims name it
	}
	start, stop := map[int32]told{}, map[int32]told{}
	var starts, stops []time.Duration
	next := first
	tell := func(upTo time.Time) {
		for ; next <= last && !h.rounds[next].RecordedAt.After(upTo); next++ {
			clear(start)
			clear(stop)
			r := h.rounds[next]
			assigned, revoked := r.store.assigned, r.store.revoked
			if r.Mode == ModeEager && r.Error == 0 { // everything is assigned anew: what that is takes playing the round
				assigned, revoked = nil, nil
				for worker, units := range h.play(next).assigned {
					assigned = append(assigned, portion{worker: worker, units: units})
				}
			}
			if len(assigned)+len(revoked) == 0 {
				continue
			}
			authors := map[int32]string{}
			for _, id := range r.members.ids {
				m := h.tables.members[id]
				authors[m.worker] = author(m.url, m.worker)
			}
			for _, p := range assigned {
				for _, u := range p.units {
					start[u] = told{r.RecordedAt, authors[p.worker]}
				}
			}
			for _, p := range revoked {
				for _, u := range p.units {
					stop[u] = told{r.RecordedAt, authors[p.worker]}
				}
			}
		}
	}
	for _, k := range h.claimsFrom(first, now) {
		tell(k.at)
		switch {
		case k.deleted:
		case k.running():
			if t, ok := start[k.unit]; ok && t.worker == k.worker {
				starts = append(starts, k.at.Sub(t.at))
				delete(start, k.unit)
			}
		case k.state == decode.Unassigned:
			if t, ok := stop[k.unit]; ok && t.worker == k.worker {
				stops = append(stops, k.at.Sub(t.at))
				delete(stop, k.unit)
			}
		}
	}
	return Pace{Stop: median(stops), Start: median(starts), Stops: len(stops), Starts: len(starts), Stopping: times(stops), Starting: times(starts)}
}

// claimsFrom are the claims from a round on, up to now, by time: the partitions of the status topic arrive in any order.
func (h *history) claimsFrom(first int, now time.Time) []claim {
	var out []claim
	for _, k := range h.claims {
		if !k.at.After(now) && !k.at.Before(h.rounds[first].RecordedAt) {
			out = append(out, k)
		}
	}
	if !slices.IsSortedFunc(out, claim.compare) {
		slices.SortFunc(out, claim.compare)
	}
	return out
}

// times are the quickest and the slowest, without the slowest twentieth.
func times(of []time.Duration) Times {
	if len(of) == 0 {
		return Times{}
	}
	slices.Sort(of)
	return Times{max(0, of[0]), of[(len(of)-1)*19/20]}
}

func median(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}
