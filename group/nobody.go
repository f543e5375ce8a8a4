package group

import (
	"fmt"
	"time"

	"regroup/decode"
)

// nobodyWas tells why a unit is in nobody's hands, and whose it was.
type nobodyWas struct {
	kind UnitStateKind
	unheldUnit
}

// without is why a unit is in nobody's hands; nil when the round knows nothing of it.
func (s *standing) without(unit int32) *nobodyWas {
	if s.lost == nil || s.lost[unit] == 0 {
		return nil
	}
	return &s.nobody[s.lost[unit]-1]
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

// unheldUnit decides the state of a unit in nobody's hands.
func (x *moment) unheldUnit(u *UnitState, was *nobodyWas, c *unitClaims, w *witness) {
	u.State, u.Last, u.Since = was.kind, was.last, time.UnixMilli(was.since).UTC()
	if w != nil {
		w.say(u.Since, SourceLog, x.unheldBecause(was))
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

func (x *moment) unheldBecause(was *nobodyWas) string {
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
