package group

import (
	"slices"
	"time"
)

// heartbeat is Connect's default heartbeat.interval.ms: a worker's death is known to within one.
const heartbeat = 3 * time.Second

// died is when a worker that left without a word must have died; back says that its process was back within its session. The coordinator
// waits a session timeout after the last heartbeat; then the others have a heartbeat interval to rejoin. Polling that saw the join begin,
// records that the worker still wrote, and its REST interface narrow that down. It is open where the worker may have died before the span:
// a coordinator that died too, or was away, gave it a new session, and nothing tells when the worker was last well.
func (f *gapFinder) died(r *Round, gone Gone, back bool) (d span, open bool) {
	session := f.h.session(gone.Member)
	began := span{r.At.Add(-heartbeat), r.At}
	for _, p := range f.phases {
		if !back && p.state == "PreparingRebalance" && !p.at.After(r.RecordedAt.Add(time.Second)) && p.at.After(began.low) {
			began.low, began.high = later(began.low, p.after), earlier(began.high, p.at)
			if began.high.Before(began.low) {
				began.high = began.low
			}
		}
	}
	d = span{began.low.Add(-session), began.high.Add(-session + heartbeat)}
	for _, o := range f.outages {
		if !o.from.After(r.At) && (o.to.IsZero() || !o.to.Before(d.low.Add(-heartbeat))) {
			d.low = earlier(d.low, o.from.Add(-session))
		}
	}
	s := f.signsBefore(r, gone, d.high)
	switch {
	case !s.gone.IsZero() && s.gone.Before(d.low): // its session began anew after it had died
		d, open = span{s.gone, s.gone}, true
	case !s.mute.IsZero() && !s.mute.Before(d.low):
		d.high = earlier(d.high, s.mute)
	}
	low := later(f.spoke(r, gone), s.alive)
	if back && s.mute.IsZero() { // the new process answers too
		low = f.spoke(r, gone)
	}
	if open && !low.IsZero() && !low.After(d.high) {
		d.low, open = low, false
	}
	d.low = later(d.low, low)
	if d.high.Before(d.low) {
		d.high = d.low
	}
	return d, open
}

// spoke is when a worker last wrote a status before a round.
func (f *gapFinder) spoke(r *Round, gone Gone) time.Time {
	id := author(gone.URL, gone.Worker)
	for _, k := range slices.Backward(f.h.claims) {
		if k.worker == id && !k.at.After(r.RecordedAt) && k.before(r) {
			return k.at
		}
	}
	return time.Time{}
}

// signs are what a worker's REST interface told before it was gone: when it last answered, when it first did not, and when nothing listened
// any more at its address.
type signs struct{ alive, mute, gone time.Time }

// signsBefore are the signs of a worker that had died by a time at the latest. What answers after that is a new process.
func (f *gapFinder) signsBefore(r *Round, member Gone, latest time.Time) signs {
	var s signs
	for _, l := range f.lives[member.URL] {
		switch {
		case l.at.After(r.RecordedAt):
			return s
		case l.alive && l.at.After(latest):
			return s
		case l.alive && !s.gone.IsZero() && !s.gone.Before(latest.Add(-2*heartbeat)):
			return s
		case l.alive:
			s = signs{alive: l.at}
		case !f.inGroupAt(member.Member, l.at): // the process before it was gone, not this one
		default:
			if s.mute.IsZero() {
				s.mute = l.at
			}
			if l.gone && s.gone.IsZero() {
				s.gone = l.at
			}
		}
	}
	return s
}

// inGroupAt reports whether a member was in the group's newest round at a time.
func (f *gapFinder) inGroupAt(member string, t time.Time) bool {
	i := f.roundAt(t)
	return i < 0 || slices.ContainsFunc(f.rounds[i].members.ids, func(id int32) bool { return f.h.tables.members[id].id == member })
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// session is a member's session timeout, Connect's default where no record told it.
func (h *history) session(member string) time.Duration {
	for i := len(h.tables.members) - 1; i >= 0; i-- {
		if m := h.tables.members[i]; m.id == member && m.session > 0 {
			return time.Duration(m.session) * time.Millisecond
		}
	}
	return 10 * time.Second
}
