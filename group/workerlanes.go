package group

import (
	"maps"
	"slices"
	"strings"
	"time"
)

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
	Came  string // "joined", "back", "left"; "": it was as it is
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
	for _, list := range [][]unheldUnit{r.store.delayed, r.store.unassigned} {
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
			step.Came = "joined"
		case back[info.id]:
			step.Came = "back"
		}
		run.put(info.worker, r.members.names[j], r, step)
		delete(waits, info.worker)
	}
	for _, g := range r.Left {
		if run.heldByMember(r, g.Worker) {
			continue // another member id of the same worker
		}
		run.put(g.Worker, g.Name, r, WorkerStep{Came: "left", Wait: waits[g.Worker]})
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
