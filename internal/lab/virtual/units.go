package virtual

import (
	"strconv"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/lab/herder"
)

// run is a unit that was started in a process and has not stopped.
type run struct {
	cancelled bool // it is being stopped
}

// startUnits starts units side by side; how that ends is in their statuses. What runs here already cannot start again.
func (w *worker) startUnits(list []decode.Unit) {
	var start []decode.Unit
	var runs []*run
	for _, u := range list {
		if w.on[u] != nil {
			w.say(u, decode.Failed, alreadyThere(u))
			continue
		}
		r := &run{}
		w.on[u] = r
		start, runs = append(start, u), append(runs, r)
	}
	if len(start) == 0 {
		return
	}
	w.busy++
	w.after(w.s.opt.Start, func() {
		w.busy--
		for i, u := range start {
			if runs[i].cancelled {
				continue
			}
			w.say(u, decode.Running, "")
			if u.IsInstance() {
				w.want(0, func(then func()) { w.reconfigure(u.Connector, 0, then) })
			}
		}
	})
}

// alreadyThere is what a worker says that is given a unit which it still runs: a downgrade to eager leaves such behind.
func alreadyThere(u decode.Unit) string {
	if u.IsInstance() {
		return "Connector with name " + u.Connector + " already exists"
	}
	return "Task already exists in this worker: " + u.Connector + "-" + strconv.Itoa(int(u.Task))
}

// stopUnits stops units side by side and goes on when all have stopped.
func (w *worker) stopUnits(list []decode.Unit, then func()) {
	var stop []decode.Unit
	for _, u := range list {
		if r := w.on[u]; r != nil {
			r.cancelled = true
			stop = append(stop, u)
		}
	}
	if len(stop) == 0 {
		then()
		return
	}
	w.after(w.s.opt.Stop, func() {
		for _, u := range stop {
			w.say(u, decode.Unassigned, "")
			delete(w.on, u)
		}
		w.s.stopped(len(stop))
		then()
	})
}

// everything lists what runs in the process, whatever the group says about it.
func (w *worker) everything() []decode.Unit {
	out := make([]decode.Unit, 0, len(w.on))
	for u := range w.on {
		out = append(out, u)
	}
	return decode.SortUnits(out)
}

// say writes a status. UNASSIGNED and FAILED give way to another worker's claim of a later generation.
func (w *worker) say(u decode.Unit, state, trace string) {
	was, there := w.s.claims[u]
	if there && !was.gone && was.worker != w.address && herder.GivesWay(state, w.Claimed, was.generation) {
		return
	}
	w.s.claims[u] = claim{worker: w.address, generation: w.Claimed}
	w.s.status(decode.StatusRecord{Unit: u, State: state, Trace: trace, WorkerID: w.address, Generation: w.Claimed})
}

func (s *Sim) status(r decode.StatusRecord) {
	r.Kind, r.Key = decode.StatusOfUnit, "status-connector-"+r.Unit.Connector
	if !r.Unit.IsInstance() {
		r.Key = "status-task-" + r.Unit.Connector + "-" + strconv.Itoa(int(r.Unit.Task))
	}
	s.fact(group.StatusRecord{At: s.now, Topic: "status", Offset: s.claimed, Record: r})
	s.claimed++
}

// deleteStatuses writes the tombstones of units that are not configured any more.
func (w *worker) deleteStatuses(e herder.DeleteStatuses) {
	var gone []decode.Unit
	for u, c := range w.s.claims {
		if !c.gone && e.Deleted(u) {
			gone = append(gone, u)
		}
	}
	for _, u := range decode.SortUnits(gone) {
		w.s.claims[u] = claim{gone: true}
		w.s.status(decode.StatusRecord{Unit: u, Deleted: true})
	}
}
