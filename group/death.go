package group

import (
	"slices"
	"time"
)

// heartbeat is Connect's default heartbeat.interval.ms: a worker's death is known to within one.
const heartbeat = 3 * time.Second

// died is when a worker that left without a word must have died. The coordinator waits a session timeout after the last
// heartbeat; then the others have a heartbeat interval to rejoin. Polling that saw the join begin, records that the worker
// still wrote, and its REST interface narrow that down.
func (f *gapFinder) died(r *Round, gone Gone) span {
	session := f.h.session(gone.Member)
	began := span{r.At.Add(-heartbeat), r.At}
	for _, p := range f.phases {
		if p.state == "PreparingRebalance" && !p.at.After(r.RecordedAt.Add(time.Second)) && p.at.After(began.low) {
			began.low, began.high = later(began.low, p.after), earlier(began.high, p.at)
			if began.high.Before(began.low) {
				began.high = began.low
			}
		}
	}
	d := span{began.low.Add(-session), began.high.Add(-session + heartbeat)}
	id := author(gone.URL, gone.Worker)
	for _, k := range slices.Backward(f.h.claims) {
		if k.worker == id && !k.at.After(r.RecordedAt) {
			d.low = later(d.low, k.at)
			break
		}
	}
	for _, l := range f.lives[gone.URL] {
		switch {
		case l.alive && !l.at.After(d.high):
			d.low = later(d.low, l.at)
		case !l.alive && !l.at.Before(d.low):
			d.high = earlier(d.high, l.at)
		}
	}
	if d.high.Before(d.low) {
		d.high = d.low
	}
	return d
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
