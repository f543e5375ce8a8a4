package worker

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

// heartbeats go on while the herder is busy stopping work; only a join that waits needs none.
func (m *member) heartbeats(ctx context.Context) {
	for sleep(ctx, m.interval()) {
		m.w.gate.pass(ctx)
		m.heartbeat(ctx)
	}
}

// interval is short while the coordinator is being looked for.
func (m *member) interval() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.away.IsZero() {
		return min(retryBackoff, m.w.opt.Heartbeat)
	}
	return m.w.opt.Heartbeat
}

func (m *member) beat(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beating = on
}

func (m *member) heartbeat(ctx context.Context) {
	m.mu.Lock()
	id, generation, beating := m.id, m.generation, m.beating
	m.mu.Unlock()
	if !beating {
		return
	}
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.MemberID, req.Generation = m.w.opt.Group, id, generation
	resp, err := req.RequestWith(ctx, m.w.cl)
	if err != nil {
		if ctx.Err() == nil {
			m.unreachable()
			m.w.poke()
		}
		return
	}
	m.reachable()
	if resp.ErrorCode != 0 {
		m.heardHeartbeat(id, generation, resp.ErrorCode)
	}
}

// heardHeartbeat takes in an error that still is about the worker's present place.
func (m *member) heardHeartbeat(id string, generation int32, code int16) {
	if idNow, now := m.place(); now != generation || idNow != id {
		return
	}
	if code == kerr.RebalanceInProgress.Code {
		m.requestRejoin() // it beats on until it joins
	} else {
		m.lostPlace(code)
	}
	m.w.poke()
}

func (m *member) unreachable() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away.IsZero() {
		m.away = time.Now()
	}
}

func (m *member) reachable() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = time.Time{}
}

// letGoIfAway: a worker that has not reached its coordinator for a heartbeat interval stops everything, since others may
// have been given it, and has nothing to report when it joins again.
func (m *member) letGoIfAway() {
	m.mu.Lock()
	long := !m.away.IsZero() && time.Since(m.away) >= m.w.opt.Heartbeat
	m.mu.Unlock()
	if !long || m.snapshot == nil || m.snapshot.Error != decode.NoError || m.w.opt.old() {
		return
	}
	m.w.herder.revoke(decode.Units(m.snapshot.Assigned))
	m.snapshot = nil
}
