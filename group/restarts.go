package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// Restart is a unit that stopped and ran again on one worker with no round between.
type Restart struct {
	Unit   Unit
	Worker string // short name, else as the status has it
	Member string // its member id, "" when it is not in the group
	Stop   time.Time
	Start  time.Time
	Failed bool // it had failed before
}

// Restarts are those of the units of this moment that ran again after a time, oldest first.
func (s *State) Restarts(after time.Time) []Restart {
	x := s.moment
	if x == nil {
		return nil
	}
	known := make([]bool, len(x.h.tables.units))
	for _, id := range s.numbers {
		known[id] = true
	}
	var out []Restart
	for i := range x.h.claims {
		k := &x.h.claims[i]
		if !k.running() || !k.at.After(after) || k.at.After(x.now) && x.past || !known[k.unit] {
			continue
		}
		if r, ok := x.h.restart(k); ok {
			r.Worker = x.nameOf(k)
			if w := x.byID[k.worker]; len(w) == 1 {
				r.Member = x.members[x.byWorker[w[0]]].ID
			}
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Restart) int { return a.Start.Compare(b.Start) })
	return out
}

// restart is what a worker's RUNNING ends: a stop that the same worker wrote in the same generation.
func (h *history) restart(k *claim) (Restart, bool) {
	r := Restart{Unit: h.tables.unitOf(k.unit), Start: k.at}
	for at := k.prev; at >= h.claimBase; {
		o := &h.claims[at-h.claimBase]
		if at = o.prev; o.deleted || o.worker != k.worker || o.generation != k.generation {
			break
		}
		switch o.state {
		case decode.Failed:
			r.Failed = true
		case decode.Unassigned, decode.Restarting:
		default:
			return r, !r.Stop.IsZero()
		}
		r.Stop = o.at
	}
	return r, !r.Stop.IsZero()
}

// Rewrite is a record that replaced the configuration of a connector, with no commit of its tasks before the next one: its instance
// restarted, and no round came of it.
type Rewrite struct {
	Connector string
	At        time.Time
	Unchanged bool // it says what the one before said
}

// Rewrites are those after a time, oldest first.
func (s *State) Rewrites(after time.Time) []Rewrite {
	if s.past == nil {
		return nil
	}
	type state struct {
		digest uint64
		live   bool
		last   int // index in out plus 1 of its newest rewrite, while no commit followed
	}
	states := map[int32]*state{}
	var out []Rewrite
	for _, e := range s.past.config {
		if e.connector < 0 || s.Past && e.at.After(s.Now) {
			continue
		}
		c := states[e.connector]
		if c == nil {
			c = &state{}
			states[e.connector] = c
		}
		switch {
		case e.kind == decode.ConfigCommit && c.last > 0:
			out[c.last-1].Connector = "" // a round follows, which tells of it
			c.last = 0
		case e.kind == decode.ConfigConnector:
			if c.live && !e.deleted {
				out = append(out, Rewrite{s.past.tables.connectors[e.connector], e.at, e.digest == c.digest})
				c.last = len(out)
			}
			c.live, c.digest = !e.deleted, e.digest
		}
	}
	return slices.DeleteFunc(out, func(r Rewrite) bool { return r.Connector == "" || !r.At.After(after) })
}

// RestartRequests counts the requests to restart a connector with its tasks that the config topic has, after a time.
func (s *State) RestartRequests(connector string, after time.Time) int {
	n := 0
	if s.past != nil {
		for _, e := range s.past.config {
			if e.kind == decode.ConfigRestart && s.past.tables.connectors[e.connector] == connector && e.at.After(after) && !(s.Past && e.at.After(s.Now)) {
				n++
			}
		}
	}
	return n
}
