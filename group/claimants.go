package group

import (
	"slices"
	"time"
)

// Claim is the newest thing that one worker said of a unit in the status topic.
type Claim struct {
	Worker     int    // index into State.Workers; -1: it is not in the group
	WorkerID   string // as written
	Name       string // of that worker, as far as it is known; else WorkerID
	Author     int32  // Member.Worker number; -1: it is not known whose claim this is
	State      string // as written
	At         time.Time
	Generation int32 // the newest that this worker knew
	Stands     bool  // made or carried on in this membership of its worker
}

// Claims are the newest claims of each worker about s.Units[i], oldest first.
func (s *State) Claims(i int) []Claim {
	if s.moment == nil || i < 0 || i >= len(s.numbers) {
		return nil
	}
	x := s.moment
	c := x.claims.of(s.numbers[i])
	out := make([]Claim, 0, len(c.byWho))
	for j := range c.byWho {
		k := &c.byWho[j]
		o := Claim{Worker: -1, WorkerID: k.id, Name: x.writer(k), Author: x.authorOf(k), State: k.state, At: k.at, Generation: k.generation}
		if w := x.byID[k.worker]; len(w) == 1 {
			o.Worker, o.Stands = int(x.index[w[0]]), x.stillClaims(k, w[0])
		}
		out = append(out, o)
	}
	return out
}

// authorOf is the number of the worker that made a claim, the newest of those with that address; -1 where nothing tells.
func (x *moment) authorOf(k *claim) int32 {
	if w := x.byID[k.worker]; len(w) == 1 {
		return w[0]
	}
	for _, m := range slices.Backward(x.h.tables.members) {
		if author(m.url, m.worker) == k.worker {
			return m.worker
		}
	}
	return -1
}

// Ghost is a unit that the status topic tells of and that is neither held nor configured.
type Ghost struct {
	Unit     Unit
	State    string // as written
	WorkerID string
	At       time.Time
	Since    time.Time // when it was last told of, or when its connector's tasks last changed
}

// Ghosts lists them, sorted by unit. It is empty where the config topic is not known: then nobody can tell.
func (s *State) Ghosts() []Ghost {
	x := s.moment
	if x == nil || !x.seen {
		return nil
	}
	known := make([]bool, len(x.h.tables.units))
	for _, id := range s.numbers {
		known[id] = true
	}
	var out []Ghost
	for _, id := range x.h.tables.order {
		if known[id] {
			continue
		}
		if c := x.claims.of(id); c.known && !c.newest.deleted {
			since := later(c.newest.at, x.commits[x.h.tables.units[id].connector].at)
			out = append(out, Ghost{x.h.tables.unitOf(id), c.newest.state, c.newest.id, c.newest.at, since})
		}
	}
	return out
}

// Copy is an old copy of a unit: a member that does not hold the unit claims to run it, and nothing ended that claim.
type Copy struct {
	Unit       int // index into State.Units
	Worker     int // index into State.Workers
	At         time.Time
	Generation int32
}

// Copies are the old copies of the units that somebody holds, in the order of State.Units.
func (s *State) Copies() []Copy {
	x := s.moment
	if x == nil {
		return nil
	}
	var out []Copy
	for i, id := range s.numbers {
		by := x.units.holder[id]
		if by < 0 {
			continue
		}
		c := x.claims.of(id)
		for j := range c.byWho {
			k := &c.byWho[j]
			if !k.running() || k.worker == x.authors[x.seats[by]] {
				continue
			}
			if w := x.byID[k.worker]; len(w) == 1 && w[0] != by && !slices.Contains(x.units.others[id], w[0]) && x.stillClaims(k, w[0]) {
				out = append(out, Copy{i, int(x.index[w[0]]), k.at, k.generation})
			}
		}
	}
	return out
}
