package group

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
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
