package group

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"regroup/decode"
)

// LaneKind says what a stretch of a unit's lane is.
type LaneKind uint8

// The kinds, worst last: where several fall into one cell the worst is seen.
const (
	LaneNone       LaneKind = iota // the unit does not exist
	LaneStarts                     // held by Worker, which has not said that it runs
	LanePaused                     // paused or stopped by its target state
	LaneRuns                       // runs on Worker
	LaneDelayed                    // in nobody's hands while the delay runs
	LaneDown                       // stopped, or its worker is dead
	LaneTwice                      // two workers claim to run it
	LaneUnassigned                 // in nobody's hands, and no delay runs
	LaneFailed                     // its holder says FAILED
)

// Stretch is a stretch of a unit's lane. One that begins where the next begins lasted no time and happened all the same.
type Stretch struct {
	From   time.Time
	Kind   LaneKind
	Worker int32 // Member.Worker number: runs, starts, twice: on it; down, delayed: whose it was; -1 when not known
	Said   bool  // down: its worker said that it stopped it; else it died, or the rounds alone tell
}

// Lane is what became of one unit, oldest first. The last stretch goes on.
type Lane struct {
	Unit      Unit
	Stretches []Stretch
}

// laneRounds and laneWork bound how far back lanes are told: in rounds, and in units that those moved.
const (
	laneRounds = 4096
	laneWork   = 1 << 22
)

// Extent tells whether two States of a group know the same history: lanes made of one are those of the other.
type Extent struct {
	newest         *Round
	rounds, claims int
	authors        int // how often it was found out who wrote claims
	polled         int // what else tells when a worker died
}

// SameRounds tells whether two States know the same rounds, whatever else came.
func (e Extent) SameRounds(o Extent) bool { return e.newest == o.newest && e.rounds == o.rounds }

// Extent is how much history this State knows.
func (s *State) Extent() Extent {
	e := Extent{rounds: s.Forgotten + len(s.Rounds)}
	if n := len(s.Rounds); n > 0 {
		e.newest = s.Rounds[n-1]
	}
	if s.past != nil {
		e.claims, e.authors = s.past.claimBase+len(s.past.claims), s.past.placed
	}
	if s.told != nil {
		e.polled = len(s.told.phases) + len(s.told.actions) + len(s.told.watched)
		for _, o := range s.told.outages {
			if e.polled++; !o.to.IsZero() {
				e.polled++
			}
		}
		for _, l := range s.told.lives {
			e.polled += len(l)
		}
	}
	return e
}

// LaneUnit names a unit that has a lane.
type LaneUnit int32

// everUnits bounds how many units are told of that do not exist any more.
const everUnits = 2048

// LaneUnits are the units that a lane can be made of, as units are listed: those there are, and in a group that is not
// huge those there were.
func (s *State) LaneUnits() []LaneUnit {
	if s.past == nil {
		return nil
	}
	from := s.numbers
	if len(s.past.tables.order) <= everUnits {
		from = s.past.tables.order
	}
	out := make([]LaneUnit, len(from))
	for i, n := range from {
		out[i] = LaneUnit(n)
	}
	return out
}

// LaneName is the unit of a lane.
func (s *State) LaneName(u LaneUnit) Unit { return s.past.tables.unitOf(int32(u)) }

// Lanes tells what ran where over the whole history, also beyond the moment stood on.
func (s *State) Lanes(units []LaneUnit) []Lane {
	if s.past == nil || len(s.past.rounds) == 0 || len(units) == 0 {
		return nil
	}
	numbers, out := make([]int32, len(units)), make([]Lane, len(units))
	for i, u := range units {
		numbers[i], out[i].Unit = int32(u), s.LaneName(u)
	}
	for i, events := range s.past.newLaneMaker(s).events(numbers) {
		out[i].Stretches = events.stretches()
	}
	return out
}

// laneEvent is something that changes how a unit does.
type laneEvent struct {
	at    time.Time
	order int // of those at one time
	do    func(*laneState)
}

type laneEvents struct {
	list  []laneEvent
	first laneState
	from  time.Time
}

func (e *laneEvents) add(at time.Time, order int, do func(*laneState)) {
	e.list = append(e.list, laneEvent{at, order, do})
}

// What comes first of what has one time: a round, then what workers say.
const (
	orderDeath = iota
	orderRound
	orderClaim
)

func (e *laneEvents) stretches() []Stretch {
	slices.SortStableFunc(e.list, func(a, b laneEvent) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order)) })
	now := e.first
	var out []Stretch
	put := func(at time.Time) {
		next := now.stretch(at)
		switch n := len(out); {
		case n == 0 && next.Kind == LaneNone:
		case n > 0 && out[n-1].Kind == next.Kind && out[n-1].Worker == next.Worker:
		default:
			out = append(out, next)
		}
	}
	put(e.from)
	for i := range e.list {
		e.list[i].do(&now)
		if now.blink {
			now.blink = false
			out = append(out, Stretch{From: e.list[i].at, Kind: LaneDown, Worker: now.holder(), Said: true})
		}
		put(e.list[i].at)
	}
	return out
}

// laneState is how one unit does at one moment: who holds it by the rounds, and what workers say of it.
type laneState struct {
	holders []int32
	nobody  UnitStateKind // delayed, unassigned or released; UnitRunning: none of them
	exists  bool
	said    []saying // newest of each worker, oldest first
	spoke   bool     // a worker has said something of it
	given   bool     // to its holder, which has said nothing since
	freed   int32    // the worker that was told to stop it before that, -1 when none was
	last    int32    // the last one that held it or claimed to run it
	clean   bool     // its last worker said that it stopped it
	blink   bool     // it was stopped and started in one round that no status record tells of
}

// saying is what a worker said last.
type saying struct {
	worker int32
	state  string
}

func (l *laneState) holder() int32 {
	if len(l.holders) > 0 {
		return l.holders[0]
	}
	return l.last
}

// say takes note of a worker's status record.
func (l *laneState) say(worker int32, state string) {
	l.unsay(worker)
	if worker == l.freed {
		l.freed = -1
	}
	l.said = append(l.said, saying{worker, state})
	l.spoke, l.exists = true, true
	if slices.Contains(l.holders, worker) {
		l.given = false
	}
	if state == decode.Unassigned {
		l.clean = true
		return
	}
	l.last = worker
}

// unsay forgets what a worker said: it is dead.
func (l *laneState) unsay(worker int32) {
	l.said = slices.DeleteFunc(l.said, func(s saying) bool { return s.worker == worker })
}

func (l *laneState) die(worker int32) {
	l.unsay(worker)
	l.clean = false
}

func (l *laneState) remove() {
	l.said, l.spoke, l.given = nil, true, false
	if len(l.holders) == 0 && l.nobody == UnitRunning {
		l.exists = false
	}
}

// stretch decides what the unit's lane shows.
func (l *laneState) stretch(at time.Time) Stretch {
	s := Stretch{From: at, Worker: l.last}
	if !l.exists {
		return Stretch{From: at, Worker: -1}
	}
	running, newest := 0, int32(-1)
	var own string
	for _, k := range l.said {
		if k.state == decode.Running {
			running, newest = running+1, k.worker
		}
		if slices.Contains(l.holders, k.worker) || len(l.holders) == 0 {
			own = k.state
		}
	}
	held := len(l.holders) > 0
	switch {
	case l.nobody == UnitDelayed:
		s.Kind = LaneDelayed
	case l.nobody == UnitUnassigned:
		s.Kind = LaneUnassigned
	case own == decode.Failed:
		s.Kind, s.Worker = LaneFailed, l.holder()
	case running > 1 || len(l.holders) > 1:
		s.Kind, s.Worker = LaneTwice, max(newest, -1)
		if newest < 0 {
			s.Worker = l.holders[0]
		}
	case running == 1 && held && l.given && newest == l.freed: // an old claim of one that has let go of it
		s.Kind, s.Worker = LaneStarts, l.holders[0]
	case running == 1:
		s.Kind, s.Worker = LaneRuns, newest
	case own == decode.Paused || own == decode.Stopped:
		s.Kind, s.Worker = LanePaused, l.holder()
	case held && !l.spoke: // the rounds alone tell
		s.Kind, s.Worker = LaneRuns, l.holders[0]
	case held && l.given:
		s.Kind, s.Worker = LaneStarts, l.holders[0]
	default:
		s.Kind, s.Said = LaneDown, l.clean || l.nobody == UnitReleased
	}
	return s
}

// WorkerLane is how much a worker held over time, oldest step first. The last step goes on.
type WorkerLane struct {
	Worker int32 // Member.Worker number
	Name   string
	Steps  []WorkerStep
}

// WorkerStep is how a worker stands from a round on.
type WorkerStep struct {
	At    time.Time
	Seq   int // of the round
	Here  bool
	Leads bool
	Came  WorkerChange // "": it was as it is
	Held  int
	Wait  int // of a worker that left: units that wait for it, or for somebody else
}

// WorkerLanes tells how much every worker held over the whole history, by name, also beyond the moment stood on.
func (s *State) WorkerLanes() []WorkerLane {
	if s.past == nil || len(s.past.rounds) == 0 {
		return nil
	}
	h := s.past
	first := h.laneStart()
	run := workerRun{h: h, held: maps.Clone(h.heldBefore(first)), lanes: map[int32]*WorkerLane{}}
	for _, r := range h.rounds[first:] {
		run.round(r)
	}
	out := make([]WorkerLane, 0, len(run.lanes))
	for _, l := range run.lanes {
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b WorkerLane) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return int(a.Worker - b.Worker)
	})
	return out
}

// workerRun follows the workers through the rounds.
type workerRun struct {
	h     *history
	held  holding
	lanes map[int32]*WorkerLane
}

func (run *workerRun) round(r *Round) {
	r.advance(run.held)
	waits := map[int32]int{}
	for _, list := range [][]unownedUnit{r.store.delayed, r.store.unassigned} {
		for _, u := range list {
			waits[u.last]++
		}
	}
	joined, back := map[string]bool{}, map[string]bool{}
	for _, c := range r.Causes {
		switch c.Kind {
		case CauseWorkerJoined:
			joined[c.Worker] = true
		case CauseWorkerReturned:
			back[c.Worker] = true
		}
	}
	for j, id := range r.members.ids {
		info := &run.h.tables.members[id]
		step := WorkerStep{Here: true, Leads: info.id == r.Leader, Held: len(run.held[info.worker])}
		switch {
		case joined[info.id]:
			step.Came = WorkerJoined
		case back[info.id]:
			step.Came = WorkerBack
		}
		run.put(info.worker, r.members.names[j], r, step)
		delete(waits, info.worker)
	}
	for _, g := range r.Left {
		if run.heldByMember(r, g.Worker) {
			continue // another member id of the same worker
		}
		run.put(g.Worker, g.Name, r, WorkerStep{Came: WorkerLeft, Wait: waits[g.Worker]})
		delete(waits, g.Worker)
	}
	for w, l := range run.lanes { // those that left earlier: their units wait, or have gone to others
		if last := l.Steps[len(l.Steps)-1]; !last.Here && last.Seq != r.Seq {
			run.put(w, l.Name, r, WorkerStep{Wait: waits[w]})
		}
	}
}

func (run *workerRun) heldByMember(r *Round, worker int32) bool {
	return slices.ContainsFunc(r.members.ids, func(id int32) bool { return run.h.tables.members[id].worker == worker })
}

// put adds a step, unless it says nothing new.
func (run *workerRun) put(w int32, name string, r *Round, step WorkerStep) {
	step.At, step.Seq = r.RecordedAt, r.Seq
	l := run.lanes[w]
	if l == nil {
		l = &WorkerLane{Worker: w}
		run.lanes[w] = l
	}
	l.Name = name
	if n := len(l.Steps); n > 0 {
		last := &l.Steps[n-1]
		if step.Came == "" && last.Here == step.Here && last.Leads == step.Leads && last.Held == step.Held && last.Wait == step.Wait {
			return
		}
	}
	l.Steps = append(l.Steps, step)
}

// WorkerName is the short name that a worker had last; "" for one that no round has shown.
func (s *State) WorkerName(worker int32) string {
	if s.past == nil || worker < 0 {
		return ""
	}
	for i := len(s.past.rounds) - 1; i >= 0 && i >= len(s.past.rounds)-laneRounds; i-- {
		if name := s.past.nameIn(s.past.rounds[i], worker); name != "" {
			return name
		}
	}
	return ""
}
