package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// outage is a time in which the coordinator answered nobody, as far as its sources tell: from its last answer to the first one after. To is
// zero while it lasts.
type outage struct {
	source   Source
	from, to time.Time
}

// watch is a time in which the coordinator's log was read to its end.
type watch struct{ from, to time.Time }

// watchCoordinator notes when the coordinator stops answering, and when it answers again. The log's partition is led by the coordinator
// itself.
func (m *Model) watchCoordinator(f SourceReport) {
	at := f.At
	if !f.Answered.IsZero() {
		at = f.Answered
	}
	last := slices.IndexFunc(m.outages, func(o outage) bool { return o.source == f.Source && o.to.IsZero() })
	switch f.Health {
	case HealthOK:
		if last >= 0 {
			m.outages = slices.Clone(m.outages)
			m.outages[last].to = f.At
		}
		if n := len(m.watched); f.Source == SourceLog && (n == 0 || !m.watched[n-1].to.IsZero()) {
			m.watched = appendBounded(m.watched, watch{from: f.At})
		}
	case HealthUnreachable:
		if last < 0 {
			m.outages = appendBounded(m.outages, outage{source: f.Source, from: at})
		} else if m.outages[last].from.After(at) {
			m.outages = slices.Clone(m.outages)
			m.outages[last].from = at
		}
		if n := len(m.watched); f.Source == SourceLog && n > 0 && m.watched[n-1].to.IsZero() {
			m.watched = slices.Clone(m.watched)
			m.watched[n-1].to = at
		}
	}
}

// coordinatorMoved notes that another broker coordinates the group: every member got a new session there.
func (m *Model) coordinatorMoved(f *Description) {
	if m.coordinator != "" && f.Coordinator != "" && f.Coordinator != m.coordinator {
		m.outages = appendBounded(m.outages, outage{SourceDescribe, m.polledAt, f.At})
	}
}

// afterOutage is how long a worker may take to write what it has to say once the broker is back.
const afterOutage = 10 * time.Second

// outageBefore is when an outage began that a time lies in, or shortly after.
func (f *gapFinder) outageBefore(t time.Time) (from time.Time, known bool) {
	for _, o := range f.outages {
		if o.from.After(t) || !o.to.IsZero() && o.to.Add(afterOutage).Before(t) {
			continue
		}
		if !known || o.from.Before(from) {
			from, known = o.from, true
		}
	}
	return from, known
}

// beganIn is when a unit ran at the earliest whose worker said so at k while the coordinator answered nobody, or right after: it was given
// the unit by then, and before that its status would have been taken. It is zero where the status tells the time itself.
func (f *gapFinder) beganIn(unit int32, k, next *claim) time.Time {
	var began time.Time
	unseen := f.outageUnseen(unit, k, next)
	if len(f.outages) == 0 && !unseen {
		return began
	}
	i := f.roundAt(k.at)
	for i >= 0 && k.before(f.rounds[i]) {
		i--
	}
	if unseen && i >= 0 {
		return f.rounds[i].RecordedAt
	}
	for _, o := range f.outages {
		if o.from.After(k.at) || !o.to.IsZero() && o.to.Add(afterOutage).Before(k.at) {
			continue
		}
		if i >= 0 && f.rounds[i].RecordedAt.After(o.from) { // it was over by then, or had not begun: another source tells when it did
			continue
		}
		if began.IsZero() || o.from.Before(began) {
			began = o.from
		}
	}
	return began
}

// outageUnseen reports whether a start may be of an outage that nobody watched: right after it, its worker stopped the unit by itself, so
// that both may be dated when the broker was back.
func (f *gapFinder) outageUnseen(unit int32, k, next *claim) bool {
	if next == nil || next.deleted || next.state != decode.Unassigned || next.at.Sub(k.at) > afterOutage {
		return false
	}
	for _, d := range f.dropped[unit] {
		if d.author == k.worker && next.before(f.rounds[d.i]) && (d.i == 0 || !next.before(f.rounds[d.i-1])) {
			_, open := f.cutOff(next.at, d)
			return open && !d.renewed
		}
	}
	return false
}

// cutOff is when a worker had stopped a unit at the earliest that wrote at t that it stopped it by itself. It is open where nobody watched:
// then nothing tells when the coordinator was last well.
func (f *gapFinder) cutOff(t time.Time, d droppedUnit) (from time.Time, open bool) {
	if from, known := f.outageBefore(t); known {
		return from, false
	}
	if d.renewed && f.rounds[d.i].store.unreported.othersWentOn() { // it stopped politely and was started again while the others still joined
		return t, false
	}
	from = t.Add(-f.sessionIn(d) - heartbeat) // it was cut off alone, and its session was not over
	if !slices.ContainsFunc(f.watched, func(w watch) bool { return !w.from.After(from) && (w.to.IsZero() || w.to.After(t)) }) {
		return t, true
	}
	return from, false
}
