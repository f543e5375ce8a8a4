package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// statuses puts what the status topic says of the unit into its story: a RUNNING goes to the round that asked for it, an
// UNASSIGNED to the one that took it away; what no round explains stands by itself.
func (l *biography) statuses(from time.Time) {
	var said []claim
	for _, k := range l.h.claims {
		if k.unit == l.unit && !k.at.Before(from) && !k.at.After(l.s.Now) {
			said = append(said, k)
		}
	}
	slices.SortStableFunc(said, claim.compare)
	rounds := len(l.out)
	for _, k := range said {
		name := l.s.moment.nameOf(&k)
		switch {
		case k.deleted:
			l.out = append(l.out, Happening{At: k.at, Kind: LifeRemoved, worker: -1})
			continue
		case k.state == decode.Running && l.ran(rounds, name, k.at):
			continue
		case k.state == decode.Unassigned && l.stopped(rounds, name, k.at):
			continue
		}
		l.out = append(l.out, Happening{At: k.at, Kind: LifeSaid, Worker: name, State: k.state, After: l.asked(rounds, name, k.at), worker: -1})
	}
}

// ran notes that a worker runs what the newest round before told it to start; false when none did.
func (l *biography) ran(rounds int, name string, at time.Time) bool {
	for i := rounds - 1; i >= 0; i-- {
		e := &l.out[i]
		if e.At.After(at.Add(time.Second)) || e.Worker != name {
			continue
		}
		if (e.Kind == LifeGiven || e.Kind == LifeRestarted) && e.Runs.IsZero() {
			e.Runs = at
			return true
		}
		return false
	}
	return false
}

// asked is how long ago the newest round told a worker to start the unit, if it said nothing since.
func (l *biography) asked(rounds int, name string, at time.Time) time.Duration {
	for i := rounds - 1; i >= 0; i-- {
		e := &l.out[i]
		if e.At.After(at) {
			continue
		}
		if e.Worker == name && (e.Kind == LifeGiven || e.Kind == LifeRestarted) && e.Runs.IsZero() {
			return at.Sub(e.At)
		}
		return 0
	}
	return 0
}

// explained is how far a stop may lie from the round that explains it.
const explained = 10 * time.Second

// stopped says whether a round took the unit from a worker, or restarted it there, about when it said UNASSIGNED.
func (l *biography) stopped(rounds int, name string, at time.Time) bool {
	return slices.ContainsFunc(l.out[:rounds], func(e Happening) bool {
		switch {
		case e.Worker != name || e.At.Sub(at).Abs() > explained:
			return false
		case e.Kind == LifeRevoked:
			return !e.At.After(at.Add(time.Second))
		}
		return e.Kind == LifeRestarted || e.Kind == LifeMoved || e.Kind == LifeLeft
	})
}

// gaps notes where the unit ran again.
func (l *biography) gaps() {
	for _, g := range l.s.gapList() {
		if g.unit != l.unit || !g.ended {
			continue
		}
		for i := range l.out {
			e := &l.out[i]
			if e.Runs.Equal(g.to) || e.Kind == LifeSaid && e.At.Equal(g.to) || g.to.Equal(e.At) && e.Kind == LifeGiven {
				e.GapLow, e.GapHigh = g.length(l.s.Now)
				break
			}
		}
	}
}

// tidy leaves out rounds that kept the unit, but for the last.
func (l *biography) tidy() []Happening {
	last := -1
	for i := range l.out {
		if l.out[i].Round != nil {
			last = i
		}
	}
	out := l.out[:0]
	for i, e := range l.out {
		if e.Kind == LifeKept && i != last && e.Round.Mode == e.Round.prevMode {
			continue
		}
		out = append(out, e)
	}
	return out
}

// LifeSum is what a unit's story comes to.
type LifeSum struct {
	Since time.Time // it was first held, as far as history goes
	Gaps  int
	Cost  Cost
	Moves int
	Stops int // rounds that stopped it, or made it wait
	Eager int // rounds in which eager would have stopped it
}

// LifeSum adds up the story of s.Units[i].
func (s *State) LifeSum(i int) LifeSum {
	var sum LifeSum
	if s.past == nil || s.At < 0 || i < 0 || i >= len(s.numbers) {
		return sum
	}
	for _, g := range s.gapList() {
		if g.unit == s.numbers[i] {
			sum.Gaps++
			sum.Cost.add(&g, s.Now)
		}
	}
	first := max(0, s.At-lifeWindow)
	l := &biography{s: s, h: s.past, unit: s.numbers[i]}
	for w, units := range s.past.heldBefore(first) {
		if l.has(units) {
			l.holders = append(l.holders, w)
		}
	}
	last := int32(-1)
	for k := first; k <= s.At; k++ {
		r := s.past.rounds[k]
		n, had := len(l.out), len(l.holders) > 0
		if had && r.EagerWouldStop > 0 {
			sum.Eager++
		}
		l.round(r)
		stopped := false
		for _, e := range l.out[n:] {
			if sum.Since.IsZero() {
				sum.Since = e.At
			}
			stopped = stopped || e.Kind != LifeGiven && e.Kind != LifeKept && e.Kind != LifeBack
			if e.Kind == LifeGiven {
				if last >= 0 && last != e.worker {
					sum.Moves++
				}
				last = e.worker
			}
		}
		if stopped {
			sum.Stops++
		}
	}
	return sum
}
