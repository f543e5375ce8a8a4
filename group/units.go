package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
)

// listUnits makes every known or held unit with its state, sorted.
func (x *moment) listUnits(s *State) {
	x.index, x.seats = make([]int32, x.h.tables.workers), make([]int32, x.h.tables.workers)
	for i := range s.Workers {
		x.index[s.Workers[i].Worker] = int32(i)
	}
	for j := range x.members {
		x.seats[x.members[j].Worker] = int32(j)
	}
	x.units = x.h.ownership(x.held, s.Round())
	order := x.h.tables.order
	s.Units, s.numbers = make([]UnitState, len(order)), make([]int32, 0, len(order))
	for _, id := range order {
		if u := &s.Units[len(s.numbers)]; x.unit(u, id, nil) {
			s.numbers = append(s.numbers, id)
			s.counts[u.State]++
		}
	}
	s.Units = s.Units[:len(s.numbers)]
}

// unit writes one unit with its state; false when it is neither held nor known.
func (x *moment) unit(u *UnitState, id int32, w *witness) bool {
	*u = UnitState{Unit: x.h.tables.unitOf(id), Worker: -1, Last: -1, State: UnitUnknown}
	c := x.claims.of(id)
	if c.known && !c.newest.deleted {
		u.Reported = c.newest.state
	}
	switch by, nobody := x.units.holder[id], x.units.without(id); {
	case by >= 0:
		u.Worker, u.Last = int(x.index[by]), by
		x.heldUnit(u, id, by, c, w)
	case nobody != nil:
		x.unownedUnit(u, nobody, c, w)
	case x.configured(id):
		x.configuredUnit(u, id, w)
	default:
		*u = UnitState{}
		return false
	}
	x.marks(u, c, w)
	return true
}

// heldUnit decides the state of a unit that somebody holds: DESIGN.md, section 5, the first line that fits.
func (x *moment) heldUnit(u *UnitState, id, by int32, c *unitClaims, w *witness) {
	j := x.seats[by]
	m := &x.members[j]
	givenMs, givenGen := x.given.of(id)
	if givenMs > 0 {
		u.Since = time.UnixMilli(givenMs).UTC()
	}
	mine := c.by(x.authors[j])
	fresh := x.saidSince(mine, by, givenMs, givenGen)
	twice, other := x.claimedTwice(id, by, c, mine)
	if w != nil {
		x.heldBecause(w, u.Since, givenGen, m, mine)
	}
	switch {
	case fresh && mine.state == decode.Failed:
		u.State, u.Since, u.Trace = UnitFailed, mine.at, mine.trace
	case twice:
		u.State = UnitDuplicated
		if w != nil && other != "" {
			w.say(x.now, SourceStatus, other+" never said UNASSIGNED")
		}
	case x.statusesMissing():
		u.State = UnitUnknown
		if w != nil {
			why := "no status topic"
			if x.h.elsewhere != "" {
				why = "the status topic holds statuses of " + x.h.elsewhere + " alone"
			}
			w.say(x.now, SourceStatus, why+": whether it runs cannot be told")
		}
	case !fresh:
		u.State = UnitStarting
		if c.known && c.newest.deleted { // it was taken out of the configuration, and is to start again since it is back
			u.Since = later(u.Since, c.newest.at)
		}
	default:
		u.Since = mine.at
		u.State = x.said(id, mine)
		if w != nil && givenMs > 0 && mine.running() && mine.generation < givenGen {
			w.say(mine.at, SourceStatus, m.Name+" never stopped this copy: a downgrade to eager took the unit from it (KAFKA-13816)")
		}
		if w != nil && u.State == UnitUnknown {
			w.say(mine.at, SourceStatus, "a state that is not known: "+decode.Printable(mine.state))
		}
	}
}

// saidSince reports whether a holder's newest claim was made after it was told to start the unit, or is one of a copy that it runs
// on from before: what a downgrade to eager took from a worker, and gives it again later, it never stopped.
func (x *moment) saidSince(mine *claim, by int32, givenMs int64, givenGen int32) bool {
	switch {
	case mine == nil:
		return false
	case givenMs == 0, mine.generation >= givenGen && mine.at.UnixMilli() >= givenMs:
		return true
	case x.h.rounds[x.i].Polled:
		return mine.at.UnixMilli() >= givenMs
	}
	if i, earlierLife := x.h.roundOf(mine, x.i); !earlierLife && i >= 0 && x.h.rounds[i].Generation >= givenGen {
		return true
	}
	if !mine.running() {
		return false
	}
	_, end := x.h.claimEnd(mine, by, x.i)
	return end == claimStands
}

// said is the state of a unit by what its holder says.
func (x *moment) said(id int32, mine *claim) UnitStateKind {
	switch mine.state {
	case decode.Restarting:
		return UnitRestarting
	case decode.Unassigned:
		if x.reconfigured(id, mine.at) {
			return UnitRestarting
		}
		return UnitStopping
	case decode.Paused:
		return UnitPaused
	case decode.Stopped:
		return UnitStopped
	case decode.Running:
		return UnitRunning
	}
	return UnitUnknown
}

func (x *moment) heldBecause(w *witness, given time.Time, generation int32, m *Member, mine *claim) {
	if given.IsZero() {
		w.say(given, SourceLog, "held by "+m.Name+" since before history begins")
	} else {
		w.say(given, SourceLog, fmt.Sprintf("given to %s in round %d", m.Name, generation))
	}
	if mine != nil {
		w.say(mine.at, SourceStatus, fmt.Sprintf("%s says %s, generation %d", m.Name, decode.Printable(mine.state), mine.generation))
	}
}

// claimedTwice says whether two members hold or report a unit, or another one than its holder claims to run it.
func (x *moment) claimedTwice(id, by int32, c *unitClaims, mine *claim) (bool, string) {
	if x.units.others[id] != nil {
		return true, ""
	}
	if _, found := slices.BinarySearch(x.h.rounds[x.i].store.duplicated, id); found {
		return true, ""
	}
	if mine == nil || !mine.running() {
		return false, ""
	}
	for i := range c.byWho {
		k := &c.byWho[i]
		if k == mine || !k.running() {
			continue
		}
		workers := x.byID[k.worker]
		if len(workers) != 1 || workers[0] == by {
			continue
		}
		if x.stillClaims(k, workers[0]) {
			return true, x.members[x.byWorker[workers[0]]].Name
		}
	}
	return false, ""
}

func (x *moment) statusesMissing() bool {
	return x.h.elsewhere != "" || len(x.h.claims) == 0 && (x.statuses == nil || x.statuses.Health != HealthOK && x.statuses.Health != HealthCatchingUp)
}

// reconfigured says whether a task commit or a restart request explains that a unit stopped at a moment.
func (x *moment) reconfigured(id int32, at time.Time) bool {
	ref := x.h.tables.units[id]
	const near = 10 * time.Second
	nearBy := func(e configEvent, ok bool) bool { return ok && !e.deleted && at.Sub(e.at).Abs() < near }
	e, ok := x.commits[ref.connector]
	if ref.task != decode.Instance && nearBy(e, ok) {
		return true
	}
	e, ok = x.restarts[ref.connector]
	return nearBy(e, ok)
}

// marks notes claims that do not fit: orphaned, stale.
func (x *moment) marks(u *UnitState, c *unitClaims, w *witness) {
	if !c.known || c.newest.deleted {
		return
	}
	k := &c.newest
	if k.running() && !k.unplaced() && len(x.byID[k.worker]) == 0 {
		u.Orphaned = true
		if w != nil {
			w.say(k.at, SourceStatus, fmt.Sprintf("RUNNING claimed by %s, which is not in the group", x.writer(k)))
		}
	}
	for i := range c.byWho {
		if o := &c.byWho[i]; o.generation > k.generation && o.worker != k.worker {
			u.Stale = true
			if w != nil {
				w.say(k.at, SourceStatus, fmt.Sprintf("the newest record is %s's of generation %d, though %s wrote %s in generation %d already",
					x.writer(k), k.generation, x.writer(o), decode.Printable(o.state), o.generation))
			}
		}
	}
}

// holds tells each worker which units it holds, and counts.
func (x *moment) holds(s *State) {
	gone := map[int32]int{}
	for i := range s.Workers {
		if s.Workers[i].Gone {
			gone[s.Workers[i].Worker] = i
		} else {
			s.Workers[i].Holds = make([]int, 0, s.Workers[i].Held)
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Unit.IsInstance() {
			s.Connectors++
		} else {
			s.Tasks++
		}
		if j, ok := gone[u.Last]; u.Worker >= 0 {
			s.Workers[u.Worker].Holds = append(s.Workers[u.Worker].Holds, i)
		} else if ok {
			s.Workers[j].Holds = append(s.Workers[j].Holds, i)
		}
	}
}
