package group

import (
	"cmp"
	"slices"
	"time"
)

// LaneKind says what a stretch of a unit's lane is.
type LaneKind uint8

// The kinds, worst last: where several fall into one cell the worst is seen.
const (
	LaneNone       LaneKind = iota // the unit does not exist
	LaneStarts                     // held by Worker, which has not said that it runs
	LanePaused                     // paused or stopped by its target state
	LaneRuns                       // runs on Worker
	LaneDelayed                    // in nobody's hands while the delay runs
	LaneDown                       // stopped, or its worker is dead
	LaneTwice                      // two workers claim to run it
	LaneUnassigned                 // in nobody's hands, and no delay runs
	LaneFailed                     // its holder says FAILED
)

// Stretch is a stretch of a unit's lane. One that begins where the next begins lasted no time and happened all the same.
type Stretch struct {
	From   time.Time
	Kind   LaneKind
	Worker int32 // Member.Worker number: runs, starts, twice: on it; down, delayed: whose it was; -1 when not known
	Said   bool  // down: its worker said that it stopped it; else it died, or the rounds alone tell
}

// Lane is what became of one unit, oldest first. The last stretch goes on.
type Lane struct {
	Unit      Unit
	Stretches []Stretch
}

// laneRounds and laneWork bound how far back lanes are told: in rounds, and in units that those moved.
const (
	laneRounds = 4096
	laneWork   = 1 << 22
)

// Extent tells whether two States of a group know the same history: lanes made of one are those of the other.
type Extent struct {
	newest         *Round
	rounds, claims int
	authors        int // how often it was found out who wrote claims
	polled         int // what else tells when a worker died
}

// SameRounds tells whether two States know the same rounds, whatever else came.
func (e Extent) SameRounds(o Extent) bool { return e.newest == o.newest && e.rounds == o.rounds }

// Extent is how much history this State knows.
func (s *State) Extent() Extent {
	e := Extent{rounds: s.Forgotten + len(s.Rounds)}
	if n := len(s.Rounds); n > 0 {
		e.newest = s.Rounds[n-1]
	}
	if s.past != nil {
		e.claims, e.authors = s.past.claimBase+len(s.past.claims), s.past.placed
	}
	if s.told != nil {
		e.polled = len(s.told.phases) + len(s.told.actions) + len(s.told.watched)
		for _, o := range s.told.outages {
			if e.polled++; !o.to.IsZero() {
				e.polled++
			}
		}
		for _, l := range s.told.lives {
			e.polled += len(l)
		}
	}
	return e
}

// LaneUnit names a unit that has a lane.
type LaneUnit int32

// everUnits bounds how many units are told of that do not exist any more.
const everUnits = 2048

// LaneUnits are the units that a lane can be made of, as units are listed: those there are, and in a group that is not
// huge those there were.
func (s *State) LaneUnits() []LaneUnit {
	if s.past == nil {
		return nil
	}
	from := s.numbers
	if len(s.past.tables.order) <= everUnits {
		from = s.past.tables.order
	}
	out := make([]LaneUnit, len(from))
	for i, n := range from {
		out[i] = LaneUnit(n)
	}
	return out
}

// LaneName is the unit of a lane.
func (s *State) LaneName(u LaneUnit) Unit { return s.past.tables.unitOf(int32(u)) }

// Lanes tells what ran where over the whole history, also beyond the moment stood on.
func (s *State) Lanes(units []LaneUnit) []Lane {
	if s.past == nil || len(s.past.rounds) == 0 || len(units) == 0 {
		return nil
	}
	numbers, out := make([]int32, len(units)), make([]Lane, len(units))
	for i, u := range units {
		numbers[i], out[i].Unit = int32(u), s.LaneName(u)
	}
	for i, events := range s.past.newLaneMaker(s).events(numbers) {
		out[i].Stretches = events.stretches()
	}
	return out
}

// laneEvent is something that changes how a unit does.
type laneEvent struct {
	at    time.Time
	order int // of those at one time
	do    func(*laneState)
}

type laneEvents struct {
	list  []laneEvent
	first laneState
	from  time.Time
}

func (e *laneEvents) add(at time.Time, order int, do func(*laneState)) {
	e.list = append(e.list, laneEvent{at, order, do})
}

// What comes first of what has one time: a round, then what workers say.
const (
	orderDeath = iota
	orderRound
	orderClaim
)

func (e *laneEvents) stretches() []Stretch {
	slices.SortStableFunc(e.list, func(a, b laneEvent) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order)) })
	now := e.first
	var out []Stretch
	put := func(at time.Time) {
		next := now.stretch(at)
		switch n := len(out); {
		case n == 0 && next.Kind == LaneNone:
		case n > 0 && out[n-1].Kind == next.Kind && out[n-1].Worker == next.Worker:
		default:
			out = append(out, next)
		}
	}
	put(e.from)
	for i := range e.list {
		e.list[i].do(&now)
		if now.blink {
			now.blink = false
			out = append(out, Stretch{From: e.list[i].at, Kind: LaneDown, Worker: now.holder(), Said: true})
		}
		put(e.list[i].at)
	}
	return out
}
