package virtual

import (
	"maps"
	"slices"
	"time"

	"regroup/decode"
	"regroup/internal/lab/rules"
)

// assigned takes in an assignment; acting on it is settle's.
func (w *worker) assigned(a decode.Assignment, protocol string, generation int32) {
	w.assignment, w.protocol, w.claimed = &a, protocol, generation
	w.scheduled = rules.Scheduled(a, w.s.now)
	w.Resolved = false
	if w.leads() {
		w.forgetDeleted()
	}
}

// settle acts on the last assignment. It is false when the worker has to join again first: because a delay is over, because it
// has read further in the config topic than the leader had, or because it has stopped what was revoked, which only then can be
// given to others.
func (w *worker) settle(then func(settled bool)) {
	if w.Resolved || w.assignment == nil {
		then(true)
		return
	}
	a := w.assignment
	due := rules.Due(w.scheduled, w.s.now)
	if due {
		w.scheduled = time.Time{}
	}
	if due || !rules.Startable(*a, w.configs().offset) {
		w.rejoin = true
		then(false)
		return
	}
	w.startUnits(w.Start(decode.Units(a.Assigned), w.protocol))
	w.Resolved = true
	if len(a.Revoked) == 0 {
		then(true)
		return
	}
	w.assignment, w.snapshot = rules.Acted(a), rules.Acted(w.snapshot)
	w.rejoin = true
	then(false)
}

// revoke stops units and goes on when they have stopped.
func (w *worker) revoke(units []decode.Unit, then func()) {
	if units = w.Stop(units, w.protocol); len(units) == 0 {
		then()
		return
	}
	w.block(func(over func()) { w.stopUnits(units, over) }, func() {
		w.Stopped(units)
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
	stop := w.Recommitted(w.mine(), connectors)
	w.block(func(over func()) { w.stopUnits(stop, over) }, then)
}
