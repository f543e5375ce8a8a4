package worker

import (
	"context"
	"time"

	"regroup/decode"
	"regroup/internal/lab/rules"
)

// assigned takes in an assignment; acting on it is settle's.
func (h *herder) assigned(a decode.Assignment, protocol string, generation int32) {
	h.mu.Lock()
	h.assignment, h.protocol, h.generation, h.scheduled = &a, protocol, generation, rules.Scheduled(a, time.Now())
	h.mu.Unlock()
	h.Resolved = false
	if h.leads() {
		h.forgetDeleted()
	}
}

// forgetDeleted: the leader writes the tombstones of units that are not configured any more.
func (h *herder) forgetDeleted() {
	for _, u := range h.w.statuses.all() {
		_, tasks, _, ok := h.w.configs.of(u.Connector)
		if rules.Deleted(u, ok, len(tasks)) {
			h.w.statuses.forget(u)
		}
	}
}

// settle acts on the last assignment: it catches up with the config topic and starts work. It is false when the worker has
// to join again first.
func (h *herder) settle(ctx context.Context) bool {
	if h.Resolved {
		return true
	}
	h.mu.Lock()
	a := h.assignment
	rejoin := rules.Due(h.scheduled, time.Now())
	if rejoin {
		h.scheduled = time.Time{}
	}
	h.mu.Unlock()
	if a == nil {
		return true
	}
	behind := h.w.configs.at() < a.ConfigOffset
	if (behind || a.Error != decode.NoError && h.leads()) && !h.readConfigs(ctx) {
		rejoin = true
	}
	if rejoin || !rules.Startable(*a, h.w.configs.at()) {
		h.w.member.requestRejoin()
		return false
	}
	for _, u := range h.Start(decode.Units(a.Assigned), h.w.member.protocol) {
		h.w.units.start(u)
	}
	h.Resolved = true
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
	h.assignment, h.w.member.snapshot = rules.Acted(h.assignment), rules.Acted(h.w.member.snapshot)
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
	h.revoke(h.Units())
	h.w.member.snapshot = nil
	h.retries = readRetries
	return false
}

// revoke stops units and waits until they have stopped.
func (h *herder) revoke(units []decode.Unit) {
	if units = h.Stop(units, h.w.member.protocol); len(units) == 0 {
		return
	}
	h.w.units.stop(units)
	h.Stopped(units)
	h.w.flush()
}
