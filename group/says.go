package group

import (
	"slices"
	"time"
)

// Given is when, and by which round, the holder of s.Units[i] was told to start it; false where nobody holds it, or where it
// has been held since before history begins.
func (s *State) Given(i int) (at time.Time, generation int32, ok bool) {
	if s.moment == nil || i < 0 || i >= len(s.numbers) || s.Units[i].Worker < 0 {
		return time.Time{}, 0, false
	}
	ms, generation := s.moment.given.of(s.numbers[i])
	if ms == 0 {
		return time.Time{}, 0, false
	}
	return time.UnixMilli(ms).UTC(), generation, true
}

// Saying is the newest thing that the status topic says of a unit.
type Saying struct {
	Worker     string // short name, else the record's own words
	WorkerID   string // as written
	InGroup    bool   // that worker is a member of the round, or it is not known who it is
	State      string // as written
	At         time.Time
	Generation int32
}

// Saying is what the status topic says of s.Units[i]; false when it says nothing.
func (s *State) Saying(i int) (Saying, bool) {
	if s.moment == nil || i < 0 || i >= len(s.numbers) {
		return Saying{}, false
	}
	x := s.moment
	c := x.claims.of(s.numbers[i])
	if !c.known || c.newest.deleted {
		return Saying{}, false
	}
	k := &c.newest
	return Saying{
		Worker: x.nameOf(k), WorkerID: k.id, InGroup: k.unplaced() || len(x.byID[k.worker]) > 0, State: k.state, At: k.at,
		Generation: k.generation,
	}, true
}

// Find is the index of a unit in s.Units, which are sorted.
func (s *State) Find(u Unit) (int, bool) {
	return slices.BinarySearchFunc(s.Units, u, func(x UnitState, u Unit) int { return x.Unit.Compare(u) })
}

// StatusAt is one status record as it came: what a worker said of a unit of this moment.
type StatusAt struct {
	Unit       int    // index into State.Units
	Worker     int    // index into State.Workers; -1: not in the group
	Name       string // the worker's short name, else the record's own words
	State      string // as written
	Kind       UnitStateKind
	At         time.Time
	Generation int32
}

// StatusesSince are the status records that came after the first n, in the order in which they came, and how many came by now. n of
// a State is the number that an earlier one gave; records older than those that are kept are left out.
func (s *State) StatusesSince(n int) ([]StatusAt, int) {
	x := s.moment
	if x == nil {
		return nil, n
	}
	end := x.h.claimBase + len(x.h.claims)
	if n >= end {
		return nil, end
	}
	index := map[int32]int{}
	for i, id := range s.numbers {
		index[id] = i
	}
	var out []StatusAt
	for i := max(n, x.h.claimBase); i < end; i++ {
		k := &x.h.claims[i-x.h.claimBase]
		at, known := index[k.unit]
		if !known || k.deleted {
			continue
		}
		o := StatusAt{Unit: at, Worker: -1, Name: x.nameOf(k), State: k.state, Kind: kindOf(k.state), At: k.at, Generation: k.generation}
		if w := x.byID[k.worker]; len(w) == 1 {
			o.Worker = int(x.index[w[0]])
		}
		out = append(out, o)
	}
	return out, end
}
