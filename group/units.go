package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
)

// units is every known or held unit with its state, sorted.
func (x *moment) units(s *State) []UnitState {
	t := &x.h.tables
	index := make(map[int32]int, len(s.Workers)) // worker number → index in State.Workers
	for i := range s.Workers {
		index[s.Workers[i].Worker] = i
	}
	holders := map[int32][]int32{}
	for w, units := range x.held {
		for _, u := range units {
			holders[u] = append(holders[u], w)
		}
	}
	r := s.Round()
	nobody := x.nobody(r)
	all := x.present(holders, nobody)
	out := make([]UnitState, 0, len(all))
	for _, id := range all {
		u := UnitState{Unit: t.unitOf(id), Worker: -1, Last: -1, State: UnitUnknown}
		c := x.claims.of(id)
		if c.known && !c.newest.deleted {
			u.Reported = c.newest.state
		}
		if by := holders[id]; len(by) > 0 {
			slices.Sort(by)
			u.Worker, u.Last = index[by[0]], by[0]
			x.heldUnit(&u, id, by, c)
		} else {
			x.unheldUnit(&u, id, nobody[id], c)
		}
		x.marks(&u, c)
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b UnitState) int { return a.Unit.Compare(b.Unit) })
	return out
}

// nobodyWas tells why a unit is in nobody's hands, and whose it was.
type nobodyWas struct {
	kind UnitStateKind
	unheldUnit
	by int32 // released: who was told to stop it
}

func (x *moment) nobody(r *Round) map[int32]nobodyWas {
	out := map[int32]nobodyWas{}
	if r == nil {
		return out
	}
	for _, u := range r.store.delayed {
		out[u.unit] = nobodyWas{UnitDelayed, u, -1}
	}
	for _, u := range r.store.unassigned {
		out[u.unit] = nobodyWas{UnitUnassigned, u, -1}
	}
	for _, u := range r.store.released {
		out[u.unit] = nobodyWas{UnitReleased, u, u.last}
	}
	return out
}

// present is every unit that is held, in nobody's hands, or configured by now.
func (x *moment) present(holders map[int32][]int32, nobody map[int32]nobodyWas) []int32 {
	set := make(map[int32]bool, len(holders)+len(nobody))
	for u := range holders {
		set[u] = true
	}
	for u := range nobody {
		set[u] = true
	}
	byConnector := map[int32]connectorAt{}
	for c, at := range x.config {
		if at.live {
			byConnector[c] = at
		}
	}
	for id, u := range x.h.tables.units {
		c, ok := byConnector[u.connector]
		if ok && (u.task == decode.Instance || c.commit && u.task < c.tasks) {
			set[int32(id)] = true
		}
	}
	out := make([]int32, 0, len(set))
	for u := range set {
		out = append(out, u)
	}
	return out
}

// heldUnit decides the state of a unit that somebody holds: DESIGN.md, section 5, the first line that fits.
func (x *moment) heldUnit(u *UnitState, id int32, by []int32, c *unitClaims) {
	m := x.members[x.byWorker[by[0]]]
	givenMs, givenGen := x.given(id)
	if givenMs > 0 {
		u.Since = time.UnixMilli(givenMs).UTC()
		u.evidence(u.Since, SourceLog, fmt.Sprintf("given to %s in round %d", m.Name, givenGen))
	} else {
		u.evidence(time.Time{}, SourceLog, "held by "+m.Name+" since before history begins")
	}
	mine, ok := c.by(hostPort(m.URL))
	fresh := ok && (mine.generation >= givenGen && givenMs > 0 || mine.at.UnixMilli() >= givenMs)
	if ok {
		u.evidence(mine.at, SourceStatus, fmt.Sprintf("%s says %s, generation %d", m.Name, decode.Printable(mine.state), mine.generation))
	}
	twice, other := x.claimedTwice(id, by, c, m)
	switch {
	case fresh && mine.state == decode.Failed:
		u.State, u.Since, u.Trace = UnitFailed, mine.at, mine.trace
	case len(by) > 1 || twice:
		u.State = UnitDuplicated
		if other != "" {
			u.evidence(x.now, SourceStatus, other+" never said that it stopped it")
		}
	case x.statusesMissing():
		u.State = UnitUnknown
		u.evidence(x.now, SourceStatus, "no status topic: whether it runs cannot be told")
	case !fresh:
		u.State = UnitStarting
	case mine.state == decode.Unassigned || mine.state == decode.Restarting:
		u.State, u.Since = UnitStopping, mine.at
		if mine.state == decode.Restarting || x.reconfigured(id, mine.at) {
			u.State = UnitRestarting
		}
	case mine.state == decode.Paused:
		u.State, u.Since = UnitPaused, mine.at
	case mine.state == decode.Stopped:
		u.State, u.Since = UnitStopped, mine.at
	case mine.state == decode.Running:
		u.State, u.Since = UnitRunning, mine.at
	default:
		u.State, u.Since = UnitUnknown, mine.at
		u.evidence(mine.at, SourceStatus, "a state that is not known: "+decode.Printable(mine.state))
	}
}

// claimedTwice says whether another member claims to run a unit, or a second one reports it.
func (x *moment) claimedTwice(id int32, by []int32, c *unitClaims, holder Member) (bool, string) {
	r := x.h.rounds[x.i]
	if slices.Contains(r.store.duplicated, id) && len(by) < 2 {
		return true, ""
	}
	if mine, ok := c.by(hostPort(holder.URL)); !ok || !mine.running() {
		return false, ""
	}
	for _, k := range c.byWho {
		if !k.running() || k.worker == hostPort(holder.URL) {
			continue
		}
		workers := x.byID[k.worker]
		if len(workers) != 1 || workers[0] == holder.Worker {
			continue
		}
		// A claim ends when its worker leaves: one made before this membership began is an old one.
		if since := x.h.memberSince(x.i, workers[0]); !k.at.Before(since) {
			return true, x.members[x.byWorker[workers[0]]].Name
		}
	}
	return false, ""
}

// memberSince is when a worker's present, unbroken membership began; zero when before the history.
func (h *history) memberSince(i int, worker int32) time.Time {
	for ; i >= 0; i-- {
		for _, g := range h.rounds[i].Left {
			if g.Worker == worker {
				return h.rounds[i].RecordedAt
			}
		}
	}
	return time.Time{}
}

func (x *moment) statusesMissing() bool {
	return len(x.h.claims) == 0 && (x.statuses == nil || x.statuses.Health != HealthOK && x.statuses.Health != HealthCatchingUp)
}

// reconfigured says whether a task commit or a restart request explains that a unit stopped at a moment.
func (x *moment) reconfigured(id int32, at time.Time) bool {
	ref := x.h.tables.units[id]
	const near = 10 * time.Second
	close := func(e configEvent, ok bool) bool { return ok && !e.deleted && at.Sub(e.at).Abs() < near }
	e, ok := x.commits[ref.connector]
	if ref.task != decode.Instance && close(e, ok) {
		return true
	}
	e, ok = x.restarts[ref.connector]
	return close(e, ok)
}

// unheldUnit decides the state of a unit in nobody's hands.
func (x *moment) unheldUnit(u *UnitState, id int32, was nobodyWas, c *unitClaims) {
	u.Last = -1
	switch {
	case was.since == 0: // configured after this round: the next one gives it out
		u.State = UnitStarting
		at := x.config[x.h.tables.units[id].connector]
		u.evidence(x.now, SourceConfig, fmt.Sprintf("configured at offset %d, after this round", max(at.recordOffset, at.commitOffs)))
		return
	default:
		u.State, u.Last, u.Since = was.kind, was.last, time.UnixMilli(was.since).UTC()
	}
	if was.kind == UnitReleased && !x.statusesMissing() {
		if j, here := x.byWorker[was.by]; here {
			mine, ok := c.by(hostPort(x.members[j].URL))
			if !ok || mine.state != decode.Unassigned || mine.at.Before(u.Since.Add(-time.Second)) {
				u.State = UnitStopping
			}
		}
	}
}

// marks notes claims that do not fit: orphaned, stale.
func (x *moment) marks(u *UnitState, c *unitClaims) {
	if !c.known || c.newest.deleted {
		return
	}
	k := c.newest
	if k.running() && len(x.byID[k.worker]) == 0 {
		u.Orphaned = true
		u.evidence(k.at, SourceStatus, fmt.Sprintf("RUNNING claimed by %s, which is not in the group", decode.Printable(k.worker)))
	}
	for _, o := range c.byWho {
		if o.generation > k.generation && o.worker != k.worker {
			u.Stale = true
		}
	}
}

func (u *UnitState) evidence(at time.Time, s Source, text string) {
	u.Evidence = append(u.Evidence, Evidence{at, s, text})
}

// index tells each worker which units it holds, and counts.
func (x *moment) index(s *State) {
	for i := range s.Units {
		u := &s.Units[i]
		if u.Unit.IsInstance() {
			s.Connectors++
		} else {
			s.Tasks++
		}
		if u.Worker >= 0 {
			s.Workers[u.Worker].Holds = append(s.Workers[u.Worker].Holds, i)
			continue
		}
		for j := range s.Workers {
			if s.Workers[j].Gone && s.Workers[j].Worker == u.Last {
				s.Workers[j].Holds = append(s.Workers[j].Holds, i)
			}
		}
	}
}
