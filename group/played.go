package group

import "regroup/decode"

// played is one round with what every worker did in it, by worker number.
type played struct {
	*Round
	tables                                *tables
	before, reported, held                holding
	assigned, revoked, restarted, dropped holding
}

// play makes round i again from what is kept of it.
func (h *history) play(i int) *played {
	r := h.rounds[i]
	p := &played{
		Round: r, tables: &h.tables, before: h.heldBefore(i), assigned: byWorker(r.store.assigned), revoked: byWorker(r.store.revoked),
		restarted: byWorker(r.store.restarted), dropped: byWorker(r.store.dropped),
	}
	p.reported, p.held = r.replay(p.before)
	if r.Mode == ModeEager && r.Error == 0 {
		for j, id := range r.members.ids {
			if w := h.tables.members[id].worker; r.members.problem(j) == "" {
				p.assigned[w] = p.held[w]
			}
		}
	}
	return p
}

func byWorker(portions []portion) holding {
	out := make(holding, len(portions))
	for _, p := range portions {
		out[p.worker] = p.units
	}
	return out
}

// counted is the members of round i with their numbers.
func (h *history) counted(i int) []Member {
	p := h.play(i)
	out := make([]Member, len(p.members.ids))
	for j := range out {
		out[j] = p.member(j)
	}
	return out
}

// member is one member with its numbers, by the rules of fold.
func (p *played) member(j int) Member {
	r, info := p.Round, p.tables.members[p.members.ids[j]]
	m := r.member(j, info)
	before, reported, held := p.before[m.Worker], p.reported[m.Worker], p.held[m.Worker]
	m.Reported, m.Assigned, m.Revoked, m.Held = len(reported), len(p.assigned[m.Worker]), len(p.revoked[m.Worker]), len(held)
	m.Restarted, m.Dropped = len(p.restarted[m.Worker]), len(p.dropped[m.Worker])
	for _, u := range held {
		if p.tables.units[u].task == decode.Instance {
			m.HeldConns++
		}
	}
	carried := reported
	switch {
	case m.Err != "":
	case r.prevMode == ModeEager && !r.First:
		carried = nil
	case r.Mode == ModeEager && r.prevMode == ModeCooperative:
		carried = before
	}
	m.Kept = common(carried, held)
	m.Started = len(held) - m.Kept
	m.Kept -= m.Restarted
	m.Stopped = m.Revoked
	if r.prevMode == ModeEager && m.Err == "" {
		m.Stopped = len(before)
	}
	if r.Error != 0 {
		m.Started, m.Stopped = 0, 0
	}
	return m
}

// common counts what two lists have in common. Most lists of a round are the same as before but for their ends.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) {
		return n
	}
	have := setOf(a[n:])
	for _, u := range b[n:] {
		if have.has(u) {
			n++
		}
	}
	return n
}

// member is who a member is.
func (r *Round) member(j int, info memberInfo) Member {
	out := Member{
		ID: info.id, Client: info.client, Host: info.host, URL: info.url, Name: r.members.names[j],
		Wire: int(r.members.wire[j]), Worker: info.worker, ConfigOffset: r.ConfigOffset, Err: r.members.problem(j),
	}
	if r.offsets != nil {
		out.ConfigOffset = r.offsets[j]
	}
	return out
}

// problem says why a member could not be read.
func (s *memberSet) problem(j int) string {
	if s.problems == nil {
		return ""
	}
	return s.problems[j]
}
