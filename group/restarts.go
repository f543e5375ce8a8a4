package group

import (
	"cmp"
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

// SlowStop is a worker that had to stop units and rejoined without some of them though it never wrote that they stopped: they did not
// end within its task.shutdown.graceful.timeout.ms, and it cancelled them.
type SlowStop struct {
	Worker   int    // index into State.Workers
	Round    *Round // told it to stop them; where no round did, the one that it rejoined in
	Why      StopCause
	Rejoined time.Time // without them
	Units    []Unit    // sorted
}

// StopCause is why a worker had to stop units.
type StopCause int

// The causes.
const (
	StopTold  StopCause = iota // a round told it to
	StopLost                   // it had lost the coordinator
	StopEager                  // under eager everything stops before a worker rejoins
)

// slowStopRounds and slowStopUnits bound how far back slow stops are looked for.
const (
	slowStopRounds = 200
	slowStopUnits  = 20_000
)

// SlowStops are those of present workers after a time, oldest first. A worker says nothing either of what others started since
// in a generation that it had missed; that is no slow stop.
func (s *State) SlowStops(after time.Time) []SlowStop {
	x := s.moment
	if x == nil || s.At < 1 {
		return nil
	}
	h, looked := x.h, 0
	var out []SlowStop
	for j := s.At; j > max(0, s.At-slowStopRounds) && h.rounds[j].RecordedAt.After(after) && looked < slowStopUnits; j-- {
		r := h.rounds[j]
		if r.Polled || r.First {
			continue
		}
		if r.prevMode == ModeEager {
			looked += r.Units
		}
		for _, list := range []struct {
			portions []portion
			end      claimEnd
			why      StopCause
		}{
			{h.rounds[j-1].store.revoked, endedByStop, StopTold},
			{r.store.dropped, endedByDrop, StopLost},
			{h.stoppedForEager(j), endedByRejoin, StopEager},
		} {
			for _, p := range list.portions {
				i, here := x.byWorker[p.worker]
				if !here {
					continue
				}
				looked += len(p.units)
				units := h.cancelled(p, j, list.end)
				if len(units) == 0 {
					continue
				}
				stop := SlowStop{Worker: int(x.index[x.members[i].Worker]), Round: r, Why: list.why, Rejoined: r.RecordedAt, Units: h.tables.unitsOf(units)}
				if list.why == StopTold {
					stop.Round = h.rounds[j-1]
				}
				out = append(out, stop)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// stoppedForEager is what workers held after an eager round and had to stop before they joined round j, for those that wrote of some of
// it that it stopped: a worker that writes nothing tells nothing of its stops.
func (h *history) stoppedForEager(j int) []portion {
	if h.rounds[j].prevMode != ModeEager {
		return nil
	}
	var out []portion
	for worker, units := range h.heldAt.after(h, j-1) {
		if h.memberOf(j, worker) >= 0 && h.stoppedByItself(j, worker) {
			out = append(out, portion{worker, units})
		}
	}
	slices.SortFunc(out, func(a, b portion) int { return cmp.Compare(a.worker, b.worker) })
	return out
}

// cancelled are the units of a portion that their worker ran, and that it rejoined without in round j without a word.
func (h *history) cancelled(p portion, j int, want claimEnd) []int32 {
	id := h.memberOf(j, p.worker)
	if id < 0 {
		return nil
	}
	name := author(h.tables.members[id].url, p.worker)
	var out []int32
	for _, unit := range p.units {
		k := h.claimBefore(unit, name, h.rounds[j].Generation)
		if k == nil || !k.running() && k.state != decode.Paused {
			continue
		}
		if at, end := h.claimEnd(k, p.worker, j); at == j && end == want && !h.overwritten(j-1, p.worker, k) {
			out = append(out, unit)
		}
	}
	slices.Sort(out)
	return out
}

// overwritten reports whether another worker had said something of a unit before round i, in a generation that the worker had missed:
// Connect writes no UNASSIGNED over that.
func (h *history) overwritten(i int, worker int32, k *claim) bool {
	last := i - 1
	for last >= 0 && h.memberOf(last, worker) < 0 {
		last--
	}
	if last < 0 {
		return false
	}
	for at := h.newest.of(k.unit).newest.seq; at > k.seq && at >= h.claimBase; {
		o := &h.claims[at-h.claimBase]
		at = o.prev
		if o.worker != k.worker && o.generation > h.rounds[last].Generation && o.generation <= h.rounds[i].Generation {
			return true
		}
	}
	return false
}

// StartTimes are how long processes of workers took here from their start until they were in the group.
type StartTimes struct {
	Times
	Seen   int // starts by this program: measured
	Absent int // workers that left and came back as a new process: each start took no longer than that
}

// Known reports whether anything here tells how long a start takes.
func (t StartTimes) Known() bool { return t.Seen+t.Absent > 0 }

// assumedStart is for a group of which nothing is known: a JVM that only reads its plugins takes seconds, one on a busy machine a minute.
var assumedStart = Times{time.Second, time.Minute}

// maxStart bounds what is taken for a start: a worker that was away for longer was not started at once.
const maxStart = 3 * time.Minute

// StartTimes tells them by the rounds in which workers joined: after this program started one, or after the worker had left. An absence
// is no start alone, so twice the shortest one bounds those to come, and a heartbeat, for the others notice a new member within one.
// Before any the range is wide.
func (s *State) StartTimes() StartTimes {
	out := StartTimes{Times: assumedStart}
	if s.past == nil {
		return out
	}
	var took, away []time.Duration
	for _, a := range s.Actions() {
		if a.Answer == "" && (a.Verb == "add" || a.Verb == "start") {
			if d, ok := s.joinedWithin(a.At, maxStart); ok {
				took = append(took, d)
			}
		}
	}
	left := map[int32]time.Time{}
	for i, r := range s.Rounds {
		if i > s.At {
			break
		}
		for _, g := range r.Left {
			left[g.Worker] = r.RecordedAt
			if c, ok := s.Cost(r); ok && c.Crash { // the group noticed when its session was over
				left[g.Worker] = r.RecordedAt.Add(-s.past.session(g.Member))
			}
		}
		if !slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Kind == CauseWorkerReturned }) {
			continue
		}
		d := s.past.detail(i)
		for _, m := range d.Members {
			at, gone := left[m.Worker]
			if delete(left, m.Worker); gone && m.Member.Reported == 0 { // with work in hand it is the same process
				if d := r.RecordedAt.Sub(at); d <= maxStart {
					away = append(away, d)
				}
			}
		}
	}
	out.Seen, out.Absent = len(took), len(away)
	switch {
	case out.Seen > 0:
		out.Times = Times{slices.Min(took) * 2 / 3, slices.Max(took)*3/2 + heartbeat}
	case out.Absent > 0:
		out.Times = Times{min(assumedStart.Low, slices.Min(away)), 2*slices.Min(away) + heartbeat}
	}
	return out
}

// joinedWithin is how long after a moment the first worker joined.
func (s *State) joinedWithin(from time.Time, limit time.Duration) (time.Duration, bool) {
	for i, r := range s.Rounds {
		if i > s.At || r.RecordedAt.After(from.Add(limit)) {
			break
		}
		if r.RecordedAt.After(from) && slices.ContainsFunc(r.Causes, func(c Cause) bool {
			return c.Kind == CauseWorkerJoined || c.Kind == CauseWorkerReturned
		}) {
			return r.RecordedAt.Sub(from), true
		}
	}
	return 0, false
}
