package herder

import (
	"maps"
	"slices"
	"time"

	"regroup/decode"
)

// assigned takes in an assignment; acting on it is settle's.
func (h *Herder) assigned(a decode.Assignment, generation int32) Effect {
	h.Assignment, h.Claimed, h.scheduled = &a, generation, scheduled(a, h.now)
	h.work.resolved = false
	h.rejoin = h.rejoin || h.again
	if h.Leads() {
		return DeleteStatuses{h.configs.Config()}
	}
	return nil
}

// settle acts on the last assignment: it catches up with the config topic and starts work.
func (h *Herder) settle() Effect {
	a := h.Assignment
	if h.work.resolved || a == nil {
		return nil
	}
	over := due(h.scheduled, h.now)
	if over {
		h.scheduled = time.Time{}
	}
	act := func() Effect { return h.act(a, over) }
	if h.configs.Config().Offset < a.ConfigOffset || a.Error != decode.NoError && h.Leads() {
		return h.readConfigs(act)
	}
	return act()
}

// act has the worker join again first when a delay is over, when it has read further in the config topic than the leader had, or when it has
// stopped what was revoked, which only then can be given to others.
func (h *Herder) act(a *decode.Assignment, over bool) Effect {
	if over || !startable(*a, h.configs.Config().Offset) {
		h.rejoin = true
		return h.instead()
	}
	h.work.resolved = true
	if len(a.Revoked) > 0 {
		h.Assignment, h.snapshot = acted(a), acted(h.snapshot)
		h.rejoin = true
		h.instead()
	}
	if units := h.work.start(decode.Units(a.Assigned), h.Protocol); len(units) > 0 {
		return Start{units}
	}
	return nil
}

// catchUp is for a worker that could not read the config topic: it does nothing else until it can.
func (h *Herder) catchUp() Effect {
	if !h.unread {
		return nil
	}
	return h.readConfigs()
}

// readConfigs reads the config topic to its end. A worker that cannot leaves the group, waits, and lets go of everything
// when it has waited too often.
func (h *Herder) readConfigs(then ...step) Effect {
	return h.await(ReadConfigs{}, func() Effect {
		if h.answer.Err == nil {
			h.unread, h.retries = false, readRetries
			return h.first(then...)
		}
		h.unread, h.rejoin = true, true
		return h.instead(h.leave, h.unsynced)
	})
}

func (h *Herder) unsynced() Effect {
	if h.Protocol == decode.ProtocolEager {
		return Sleep{h.opt.UnsyncBackoff}
	}
	if h.retries > 0 {
		h.retries--
		return Sleep{h.opt.MaxDelay / 10 / time.Duration(h.retries+1)}
	}
	h.retries = readRetries
	return h.drop(h.work.units())
}

// drop stops units, and has the worker report nothing when it joins again.
func (h *Herder) drop(units []decode.Unit) Effect {
	h.first(func() Effect { h.snapshot = nil; return nil })
	return h.revoke(units)
}

// revoke stops units. Nothing was started for an eager assignment that was never acted on.
func (h *Herder) revoke(units []decode.Unit) Effect {
	units = h.work.stop(units, h.Protocol)
	return h.stop(units, true, func() Effect { h.work.stopped(units); return nil })
}

func (h *Herder) stop(units []decode.Unit, flush bool, then ...step) Effect {
	if len(units) == 0 {
		return h.first(then...)
	}
	return h.await(Stop{Units: units, Flush: flush}, then...)
}

// applyChanges acts on what the config topic brought. What wants a rebalance has the worker join next.
func (h *Herder) applyChanges() Effect {
	if !h.scheduled.IsZero() {
		h.work.resolved = false
	}
	c := h.configs.Take()
	if c.Rebalance {
		h.rejoin = true
		h.instead()
		if h.Protocol == decode.ProtocolEager {
			return nil // the rebalance restarts everything anyway
		}
	}
	var steps []step
	for _, name := range slices.Sorted(maps.Keys(c.Connectors)) {
		steps = append(steps, func() Effect { return h.bounce(name) })
	}
	for _, name := range slices.Sorted(maps.Keys(c.Targets)) {
		steps = append(steps, func() Effect { return SetTarget{name} })
	}
	if h.Protocol != decode.ProtocolEager {
		steps = append(steps, func() Effect { return h.stop(h.work.recommitted(h.Units(), c.Tasks), false) })
	}
	return h.first(steps...)
}

// bounce restarts the instance of a connector whose own config changed.
func (h *Herder) bounce(name string) Effect {
	u := decode.Unit{Connector: name, Task: decode.Instance}
	if !h.Holds(u) {
		return nil
	}
	return h.stop([]decode.Unit{u}, false, func() Effect {
		if _, ok := h.configs.Config().Connectors[name]; !ok {
			return nil
		}
		return Start{[]decode.Unit{u}}
	})
}
