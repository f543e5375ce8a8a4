package group

import (
	"cmp"
	"slices"
	"time"

	"regroup/decode"
)

// claim is one record of the status topic: what a worker said of a unit.
type claim struct {
	at          time.Time
	unit        int32
	id          string // worker_id, as written
	worker      string // its author: an address, or a worker's number; id where nothing tells
	state       string
	trace       string
	generation  int32
	partition   int32
	offset      int64
	deleted     bool
	foreign     bool // of another pair of clusters: this is not the group's topic, or not its alone
	unaddressed bool // id names no address: rounds tell whose it is
	seq, prev   int  // its number, and that of the unit's claim before it; -1 for none
}

// running says whether a claim is one of running: paused units hold their resources and count as held, not as running.
func (k claim) running() bool { return k.state == decode.Running }

// compare orders claims by time: the partitions of the status topic arrive in any order.
func (k claim) compare(o claim) int {
	return cmp.Or(k.at.Compare(o.at), cmp.Compare(k.partition, o.partition), cmp.Compare(k.offset, o.offset))
}

// unitClaims is what the status topic says of one unit: its newest record, and the newest of each worker that claims to
// run it. A worker's claim ends only by that worker's own record, or by its leaving.
type unitClaims struct {
	newest claim
	known  bool
	byWho  []claim // newest of each worker, oldest first
	epoch  int     // of the table when this was made: what an older one made is shared
}

func (c *unitClaims) apply(k claim) {
	if k.deleted {
		c.newest, c.known, c.byWho = k, true, nil
		return
	}
	c.newest, c.known = k, true
	if i := slices.IndexFunc(c.byWho, func(o claim) bool { return o.worker == k.worker }); i >= 0 {
		c.byWho = slices.Delete(c.byWho, i, i+1)
	}
	c.byWho = append(c.byWho, k)
}

// by is the newest claim of one worker, nil when it made none.
func (c *unitClaims) by(worker string) *claim {
	for i := range c.byWho {
		if c.byWho[i].worker == worker {
			return &c.byWho[i]
		}
	}
	return nil
}

// claimTable is what the status topic says of every unit up to some moment, by unit number. What a snapshot of it shares
// is copied before it changes.
type claimTable struct {
	units  []*unitClaims
	epoch  int
	shared bool // units lies in a snapshot
}

func (t *claimTable) apply(k claim) {
	if t.shared {
		t.units, t.shared = slices.Clone(t.units), false
	}
	for int(k.unit) >= len(t.units) {
		t.units = append(t.units, nil)
	}
	c := t.units[k.unit]
	switch {
	case c == nil:
		c = &unitClaims{epoch: t.epoch}
	case c.epoch != t.epoch:
		c = &unitClaims{newest: c.newest, known: c.known, byWho: slices.Clone(c.byWho), epoch: t.epoch}
	}
	c.apply(k)
	t.units[k.unit] = c
}

// snapshot is the table as it stands, for readers while it goes on.
func (t *claimTable) snapshot() claimTable {
	if !t.shared {
		t.epoch++
		t.shared = true
	}
	return claimTable{units: t.units, epoch: t.epoch}
}

// replace makes the entry of a unit anew from all the claims about it, oldest first.
func (t *claimTable) replace(unit int32, claims []claim) {
	if t.shared {
		t.units, t.shared = slices.Clone(t.units), false
	}
	c := &unitClaims{epoch: t.epoch}
	for _, k := range claims {
		c.apply(k)
	}
	t.units[unit] = c
}

var noClaims = &unitClaims{}

func (t *claimTable) of(unit int32) *unitClaims {
	if int(unit) < len(t.units) && t.units[unit] != nil {
		return t.units[unit]
	}
	return noClaims
}

// maxClaims bounds the status records kept for looking back; the newest of each unit is kept whatever comes.
const maxClaims = 1 << 20

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

// LatestStatus is the newest thing that the status topic says of a unit.
type LatestStatus struct {
	Worker     string // short name, else the record's own words
	WorkerID   string // as written
	InGroup    bool   // that worker is a member of the round, or it is not known who it is
	State      string // as written
	At         time.Time
	Generation int32
}

// LatestStatus is what the status topic says of s.Units[i]; false when it says nothing.
func (s *State) LatestStatus(i int) (LatestStatus, bool) {
	if s.moment == nil || i < 0 || i >= len(s.numbers) {
		return LatestStatus{}, false
	}
	x := s.moment
	c := x.claims.of(s.numbers[i])
	if !c.known || c.newest.deleted {
		return LatestStatus{}, false
	}
	k := &c.newest
	return LatestStatus{
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
