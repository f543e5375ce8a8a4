package virtual

import (
	"maps"
	"slices"
	"time"

	"regroup/decode"
)

// assigned takes in an assignment; acting on it is settle's.
func (w *worker) assigned(a decode.Assignment, protocol string, generation int32) {
	w.assignment, w.protocol, w.claimed, w.scheduled = &a, protocol, generation, time.Time{}
	if a.DelayMs > 0 {
		w.scheduled = w.s.now.Add(time.Duration(a.DelayMs) * time.Millisecond)
	}
	w.resolved = false
	if w.leads() {
		w.forgetDeleted()
	}
}

// settle acts on the last assignment. It is false when the worker has to join again first: because a delay is over, because it
// has read further in the config topic than the leader had, or because it has stopped what was revoked, which only then can be
// given to others.
func (w *worker) settle(then func(settled bool)) {
	if w.resolved || w.assignment == nil {
		then(true)
		return
	}
	a := w.assignment
	due := !w.scheduled.IsZero() && !w.s.now.Before(w.scheduled)
	if due {
		w.scheduled = time.Time{}
	}
	if due || a.Error != decode.NoError || w.configs().offset != a.ConfigOffset {
		w.rejoin = true
		then(false)
		return
	}
	w.startWork(decode.Units(a.Assigned))
	w.resolved = true
	if len(a.Revoked) == 0 {
		then(true)
		return
	}
	done := *a
	done.Revoked = nil
	w.assignment = &done
	if w.snapshot != nil {
		kept := *w.snapshot
		kept.Revoked = nil
		w.snapshot = &kept
	}
	w.rejoin = true
	then(false)
}

// startWork starts what is assigned and does not run, and what was stopped for its new configuration.
func (w *worker) startWork(assigned []decode.Unit) {
	for u := range w.restart {
		delete(w.running, u)
	}
	clear(w.restart)
	var start []decode.Unit
	for _, u := range assigned {
		if !w.running[u] {
			start = append(start, u)
		}
	}
	w.startUnits(start)
	clear(w.running)
	if w.protocol == decode.ProtocolEager {
		return
	}
	for _, u := range assigned {
		w.running[u] = true
	}
}

// revoke stops units and goes on when they have stopped.
func (w *worker) revoke(units []decode.Unit, then func()) {
	if len(units) == 0 || !w.resolved && w.protocol == decode.ProtocolEager {
		then() // nothing was started for an assignment that was never acted on
		return
	}
	w.block(func(over func()) { w.stopUnits(units, over) }, func() {
		for _, u := range units {
			delete(w.running, u)
		}
		then()
	})
}

// applyChanges acts on what the config topic brought. It is true when the worker has to join first.
func (w *worker) applyChanges(then func(joinFirst bool)) {
	c := w.news
	w.news = changes{}
	if c.rebalance {
		w.rejoin = true
		if w.protocol == decode.ProtocolEager {
			then(true) // the rebalance restarts everything anyway
			return
		}
	}
	w.bounce(slices.Sorted(maps.Keys(c.connectors)), func() {
		if w.protocol == decode.ProtocolEager {
			then(c.rebalance)
			return
		}
		w.stopForRestart(c.tasks, func() { then(c.rebalance) })
	})
}

// bounce restarts the instances of connectors whose own config changed, one after another.
func (w *worker) bounce(names []string, then func()) {
	if len(names) == 0 {
		then()
		return
	}
	u := decode.Unit{Connector: names[0], Task: decode.Instance}
	if !slices.Contains(w.mine(), u) {
		w.bounce(names[1:], then)
		return
	}
	w.block(func(over func()) { w.stopUnits([]decode.Unit{u}, over) }, func() {
		if _, ok := w.configs().connectors[u.Connector]; ok {
			w.startUnits([]decode.Unit{u})
		}
		w.bounce(names[1:], then)
	})
}

// stopForRestart stops the tasks of connectors whose tasks were committed; those still assigned start after the rebalance.
func (w *worker) stopForRestart(connectors map[string]bool, then func()) {
	var stop []decode.Unit
	for _, u := range w.mine() {
		if !u.IsInstance() && connectors[u.Connector] {
			stop = append(stop, u)
			w.restart[u] = true
		}
	}
	w.block(func(over func()) { w.stopUnits(stop, over) }, then)
}
