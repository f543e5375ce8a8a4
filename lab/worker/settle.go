package worker

import (
	"context"
	"time"

	"regroup/decode"
)

// assigned takes in an assignment; acting on it is settle's.
func (h *herder) assigned(a decode.Assignment, protocol string, generation int32) {
	h.mu.Lock()
	h.assignment, h.protocol, h.generation, h.scheduled = &a, protocol, generation, time.Time{}
	if a.DelayMs > 0 {
		h.scheduled = time.Now().Add(time.Duration(a.DelayMs) * time.Millisecond)
	}
	h.mu.Unlock()
	h.resolved = false
	if h.leads() {
		h.forgetDeleted()
	}
}

// forgetDeleted: the leader writes the tombstones of units that are not configured any more.
func (h *herder) forgetDeleted() {
	for _, u := range h.w.statuses.all() {
		_, tasks, _, ok := h.w.configs.of(u.Connector)
		if !ok || !u.IsInstance() && int(u.Task) >= len(tasks) {
			h.w.statuses.forget(u)
		}
	}
}

// settle acts on the last assignment: it catches up with the config topic and starts work. It is false when the worker has
// to join again first.
func (h *herder) settle(ctx context.Context) bool {
	if h.resolved {
		return true
	}
	h.mu.Lock()
	a := h.assignment
	rejoin := false
	if !h.scheduled.IsZero() && !time.Now().Before(h.scheduled) {
		h.scheduled = time.Time{}
		rejoin = true
	}
	h.mu.Unlock()
	if a == nil {
		return true
	}
	failed := a.Error != decode.NoError
	behind := h.w.configs.at() < a.ConfigOffset
	if (behind || failed && h.leads()) && !h.readConfigs(ctx) {
		rejoin = true
	}
	// A worker that has read further than the leader starts nothing either.
	if rejoin || failed || h.w.configs.at() != a.ConfigOffset {
		h.w.member.requestRejoin()
		return false
	}
	h.startWork(decode.Units(a.Assigned))
	h.resolved = true
	if len(a.Revoked) == 0 {
		return true
	}
	h.clearRevoked()
	h.w.member.requestRejoin()
	return false
}

// clearRevoked forgets what was revoked, also in what the worker will report.
func (h *herder) clearRevoked() {
	h.mu.Lock()
	defer h.mu.Unlock()
	done := *h.assignment
	done.Revoked = nil
	h.assignment = &done
	if m := h.w.member; m.snapshot != nil {
		kept := *m.snapshot
		kept.Revoked = nil
		m.snapshot = &kept
	}
}

// readConfigs reads the config topic to its end. A worker that cannot leaves the group, waits, and lets go of everything
// when it has waited too often.
func (h *herder) readConfigs(ctx context.Context) bool {
	err := h.w.tail.toEnd(ctx, h.w.opt.SyncTimeout, h.w.opt.Topics.Config)
	if err == nil {
		h.canRead, h.retries = true, readRetries
		return true
	}
	h.canRead = false
	h.w.member.leave(ctx)
	if h.w.member.protocol == decode.ProtocolEager {
		sleep(ctx, h.w.opt.UnsyncBackoff)
		return false
	}
	if h.retries > 0 {
		sleep(ctx, h.w.opt.MaxDelay/10/time.Duration(h.retries))
		h.retries--
		return false
	}
	h.revoke(h.units())
	h.w.member.snapshot = nil
	h.retries = readRetries
	return false
}

// startWork starts what is assigned and does not run, and what was stopped for its new configuration.
func (h *herder) startWork(assigned []decode.Unit) {
	for u := range h.restart {
		delete(h.running, u)
	}
	clear(h.restart)
	for _, u := range assigned {
		if !h.running[u] {
			h.w.units.start(u)
		}
	}
	clear(h.running)
	if h.w.member.protocol == decode.ProtocolEager {
		return
	}
	for _, u := range assigned {
		h.running[u] = true
	}
}

// revoke stops units and waits until they have stopped.
func (h *herder) revoke(units []decode.Unit) {
	if len(units) == 0 || !h.resolved && h.w.member.protocol == decode.ProtocolEager {
		return // nothing was started for an assignment that was never acted on
	}
	h.w.units.stop(units)
	for _, u := range units {
		delete(h.running, u)
	}
	h.w.flush()
}

// units lists what runs for the present assignment.
func (h *herder) units() []decode.Unit {
	out := make([]decode.Unit, 0, len(h.running))
	for u := range h.running {
		out = append(out, u)
	}
	return decode.SortUnits(out)
}
