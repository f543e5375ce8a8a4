package group

import (
	"slices"
	"time"
)

// Gap is a stretch of time in which a unit did not run because of a round.
type Gap struct {
	Unit Unit
	Seq  int // of the round that it belongs to
	// From is when it stopped, at the earliest; after a crash it is known only to within a heartbeat: Latest is its other end.
	From, Latest time.Time
	To           time.Time // it runs again, or failed, or was paused; the State's now while it still waits
	Ended        bool
	Measured     bool // told by status records, not by rounds alone
	Crash        bool // its worker left without a word, and is taken to have died with it
	Frozen       bool // its worker left and came back with it in hand: it may have stood still, or run all the while
	Open         bool // it may have stopped before From: nothing tells how long before
	// Began is when it ran again, at the earliest: To, unless its status is of a broker outage and so dated when the broker was back.
	Began time.Time
}

// Outages lists the gaps of the rounds up to the one stood on, by when they began.
func (s *State) Outages() []Gap {
	found := s.gapList()
	out := make([]Gap, 0, len(found))
	for i := range found {
		out = append(out, s.outage(&found[i]))
	}
	return out
}

func (s *State) outage(g *gap) Gap {
	to := at(s.Now)
	if g.ended {
		to = g.runs()
	}
	return Gap{s.past.tables.unitOf(g.unit), g.seq, g.from.low, g.from.high, to.high, g.ended, g.measured, g.crash, g.frozen, g.open, to.low}
}

// outagesOf lists the gaps that belong to a round, by unit and time.
func (s *State) outagesOf(r *Round) []Gap {
	s.costs()
	var out []Gap
	found := s.gapList()
	for _, i := range s.gapsBySeq[r.Seq] {
		out = append(out, s.outage(&found[i]))
	}
	slices.SortStableFunc(out, func(a, b Gap) int { return a.Unit.Compare(b.Unit) })
	return out
}
