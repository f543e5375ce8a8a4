package worker

import (
	"maps"
	"slices"

	"regroup/decode"
)

// applyChanges acts on what the config topic brought. It is true when the worker has to join first.
func (h *herder) applyChanges() bool {
	c := h.w.configs.take()
	if c.rebalance {
		h.w.member.requestRejoin()
		if h.w.member.protocol == decode.ProtocolEager {
			return true // the rebalance restarts everything anyway
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.connectors)) {
		h.bounceConnector(name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.targets)) {
		h.applyTarget(name)
	}
	if h.w.member.protocol != decode.ProtocolEager {
		h.stopForRestart(c.tasks)
	}
	return c.rebalance
}

// bounceConnector restarts the instance of a connector whose own config changed.
func (h *herder) bounceConnector(name string) {
	u := decode.Unit{Connector: name, Task: decode.Instance}
	if !h.holds(u) {
		return
	}
	h.w.units.stop([]decode.Unit{u})
	if _, _, _, ok := h.w.configs.of(name); ok {
		h.w.units.start(u)
	}
}

// applyTarget pauses or resumes what runs here of a connector.
func (h *herder) applyTarget(name string) {
	_, _, target, ok := h.w.configs.of(name)
	if !ok {
		return
	}
	h.w.units.setTarget(name, target)
}

// stopForRestart stops the tasks of connectors whose tasks were committed; those still assigned start after the rebalance.
func (h *herder) stopForRestart(connectors map[string]bool) {
	h.w.units.stop(h.Recommitted(h.mine(), connectors))
}

// restartUnits acts on restarts that were asked of the whole group.
func (h *herder) restartUnits() {
	for _, r := range h.w.configs.takeRestarts() {
		var units []decode.Unit
		for _, u := range h.mine() {
			if u.Connector == r.Connector && (r.WithTasks || u.IsInstance()) && (!r.OnlyFailed || h.failed(u)) {
				units = append(units, u)
			}
		}
		h.w.units.stop(units)
		for _, u := range units {
			h.w.statuses.put(u, decode.Restarting, "")
			h.w.units.start(u)
		}
	}
}

func (h *herder) failed(u decode.Unit) bool {
	s, ok := h.w.statuses.of(u)
	return ok && s.State == decode.Failed
}
