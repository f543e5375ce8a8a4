package group

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
)

// ownership is who holds each unit at one moment, and why nobody does, by unit number.
type ownership struct {
	holder  []int32           // worker number, -1: nobody
	others  map[int32][]int32 // every holder of those units that have several, sorted
	unowned []unownedWas      // the units that the round left in nobody's hands
	lost    []int32           // by unit: index in nobody plus 1; nil when nobody is empty
}

func (h *history) ownership(held holding, r *Round) ownership {
	n := len(h.tables.units)
	s := ownership{holder: make([]int32, n), others: map[int32][]int32{}}
	for u := range s.holder {
		s.holder[u] = -1
	}
	for w, units := range held {
		for _, u := range units {
			first := s.holder[u]
			if first < 0 {
				s.holder[u] = w
				continue
			}
			if s.others[u] == nil {
				s.others[u] = []int32{first}
			}
			s.others[u] = append(s.others[u], w)
		}
	}
	for u, by := range s.others {
		slices.Sort(by)
		s.holder[u] = by[0]
	}
	if r == nil {
		return s
	}
	for _, u := range r.store.delayed {
		s.unowned = append(s.unowned, unownedWas{UnitDelayed, u})
	}
	for _, u := range r.store.unassigned {
		s.unowned = append(s.unowned, unownedWas{UnitUnassigned, u})
	}
	for _, u := range r.store.released {
		s.unowned = append(s.unowned, unownedWas{UnitReleased, u})
	}
	if len(s.unowned) > 0 {
		s.lost = make([]int32, n)
		for i := range s.unowned {
			s.lost[s.unowned[i].unit] = int32(i + 1)
		}
	}
	return s
}

// sorted is every unit number in the order in which units are listed. It is kept while no unit is added.
func (t *tables) sorted() []int32 {
	if len(t.order) == len(t.units) {
		return t.order
	}
	names := make([]int32, len(t.connectors))
	for i := range names {
		names[i] = int32(i)
	}
	slices.SortFunc(names, func(a, b int32) int { return strings.Compare(t.connectors[a], t.connectors[b]) })
	order := make([]int32, 0, len(t.units))
	for _, name := range names {
		order = t.unitIDs[name].appendSorted(order)
	}
	t.order = order
	return order
}

func (c *connectorUnits) appendSorted(out []int32) []int32 {
	if c.instance >= 0 {
		out = append(out, c.instance)
	}
	from := len(out)
	for _, u := range c.tasks {
		if u >= 0 {
			out = append(out, u)
		}
	}
	if len(c.far) == 0 {
		return out
	}
	number := make(map[int32]int32, len(c.tasks)+len(c.far))
	for task, u := range c.tasks {
		number[u] = int32(task)
	}
	for task, u := range c.far {
		number[u] = task
		out = append(out, u)
	}
	slices.SortFunc(out[from:], func(a, b int32) int { return cmp.Compare(number[a], number[b]) })
	return out
}

// unownedWas tells why a unit is in nobody's hands, and whose it was.
type unownedWas struct {
	kind UnitStateKind
	unownedUnit
}

// without is why a unit is in nobody's hands; nil when the round knows nothing of it.
func (s *ownership) without(unit int32) *unownedWas {
	if s.lost == nil || s.lost[unit] == 0 {
		return nil
	}
	return &s.unowned[s.lost[unit]-1]
}

// configured says whether a unit is configured by this moment.
func (x *moment) configured(id int32) bool {
	ref := x.h.tables.units[id]
	if int(ref.connector) >= len(x.config) {
		return false
	}
	c := &x.config[ref.connector]
	return c.live && (ref.task == decode.Instance || c.commit && ref.task < c.tasks)
}

// configuredUnit decides the state of a unit that is configured and of which the round knows nothing.
func (x *moment) configuredUnit(u *UnitState, id int32, w *witness) {
	at := &x.config[x.h.tables.units[id].connector]
	offset := at.recordOffset
	if u.Unit.Task != decode.Instance {
		offset = max(offset, at.commitOffs)
	}
	why := ""
	switch {
	case x.i < 0:
		why = "configured; no round of this group was seen"
	case x.h.rounds[x.i].Empty():
		u.State, u.Since, why = UnitUnassigned, x.h.rounds[x.i].RecordedAt, "configured; the group has no workers"
	case offset >= x.h.rounds[x.i].ConfigOffset: // the next round gives it out
		u.State = UnitStarting
		if w != nil {
			w.say(x.now, SourceConfig, fmt.Sprintf("configured at offset %d, after this round", offset))
		}
	default:
		why = "in nobody's hands; the round decided nothing"
	}
	if w != nil && why != "" {
		w.say(x.now, SourceLog, why)
	}
}

// unownedUnit decides the state of a unit in nobody's hands.
func (x *moment) unownedUnit(u *UnitState, was *unownedWas, c *unitClaims, w *witness) {
	u.State, u.Last, u.Since = was.kind, was.last, time.UnixMilli(was.since).UTC()
	if w != nil {
		w.say(u.Since, SourceLog, x.unownedBecause(was))
	}
	if was.kind != UnitReleased || x.statusesMissing() {
		return
	}
	if j, here := x.byWorker[was.last]; here { // the one that was told to stop it
		if mine := c.by(x.authors[j]); mine == nil || mine.state != decode.Unassigned || !x.saidOfThisRound(mine, u.Since) {
			u.State = UnitStopping
		}
	}
}

// saidOfThisRound reports whether a worker stopped a unit for the round stood on: it writes so in the generation that it was in when it
// was told, whatever its clock says.
func (x *moment) saidOfThisRound(k *claim, told time.Time) bool {
	if i := x.i - 1; i >= 0 && !x.h.rounds[i].Polled && !x.h.rounds[x.i].First && k.generation >= x.h.rounds[i].Generation {
		return true
	}
	return !k.at.Before(told.Add(-time.Second))
}

func (x *moment) unownedBecause(was *unownedWas) string {
	who, here := "", false
	if j, ok := x.byWorker[was.last]; ok {
		who, here = x.members[j].Name, true
	} else if g, ok := x.h.lastSeen(x.i, was.last); ok {
		who = g.Name
	}
	switch {
	case who == "":
		return "in nobody's hands; nobody held it in the rounds seen"
	case was.kind == UnitReleased:
		return who + " was told to stop it"
	case here:
		return "in nobody's hands; " + who + " had it last"
	}
	return "in nobody's hands; " + who + ", which had it, left"
}
