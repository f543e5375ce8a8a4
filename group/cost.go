package group

import (
	"sync"
	"sync/atomic"
	"time"
)

// Cost is what a round, or an episode, cost in work not running. After a crash it is a range: a worker's death is known
// only to within a heartbeat interval. Low and High are sums over units.
type Cost struct {
	Units       int // that stopped because of it
	Low, High   time.Duration
	LongestLow  time.Duration // the longest gap of any unit
	LongestHigh time.Duration
	Growing     bool // some still wait
	Estimated   bool // no status records: told by the rounds alone
	Crash       bool
}

// Exact says whether the cost is one number.
func (c Cost) Exact() bool { return c.High-c.Low < 50*time.Millisecond }

func (c *Cost) add(g *gap, now time.Time) {
	low, high := g.length(now)
	c.Units++
	c.Low += low
	c.High += high
	c.LongestLow, c.LongestHigh = max(c.LongestLow, low), max(c.LongestHigh, high)
	c.Growing = c.Growing || !g.ended
	c.Estimated = c.Estimated || !g.measured
	c.Crash = c.Crash || g.crash
}

// Plus is what two cost together.
func (c Cost) Plus(o Cost) Cost {
	c.Units += o.Units
	c.Low, c.High = c.Low+o.Low, c.High+o.High
	c.LongestLow, c.LongestHigh = max(c.LongestLow, o.LongestLow), max(c.LongestHigh, o.LongestHigh)
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
	list []gap
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

func (s *State) gapList() []gap {
	if s.past == nil || s.At < 0 {
		return nil
	}
	s.gaps.once.Do(func() {
		list, cut := s.past.gaps(max(0, s.At-costWindow), s.At, s.Now, s.told)
		s.gaps.list = list
		s.gaps.cut.Store(cut)
	})
	return s.gaps.list
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
	first := s.Rounds[max(0, s.At-costWindow)]
	return r.Seq >= first.Seq
}

// EpisodeCost is what the episode of a round cost up to this moment.
func (s *State) EpisodeCost(r *Round) (Cost, bool) {
	var sum Cost
	seqs := map[int]bool{}
	for _, o := range s.Rounds {
		if o.EpisodeSeq == r.EpisodeSeq {
			seqs[o.Seq] = true
		}
	}
	found := false
	for _, g := range s.gapList() {
		if seqs[g.seq] {
			sum.add(&g, s.Now)
			found = true
		}
	}
	return sum, found
}
