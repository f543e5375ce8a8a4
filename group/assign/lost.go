package assign

import "regroup/decode"

// lost decides about work that was assigned and that nobody reports: wait for its worker, deal it to those that came
// meanwhile, or give back (again) what is to be shared out like new work. It sets the delay.
func (m *LeaderState) lost(b *board) (again [kinds][]int32) {
	cs, ts := b.kinds[connectors], b.kinds[tasks]
	nothing := len(cs.lost) == 0 && len(ts.lost) == 0
	if nothing && !m.revokedBefore {
		m.settle()
		return again
	}
	all := [kinds][]int32{cs.lost, ts.lost}
	now := b.req.Now
	switch {
	case m.scheduled <= 0 && !b.gone(*m):
		// Everyone is here: they just did not get what the last round gave them.
		return all
	case m.maxDelay == 0 && m.assignor != Released34:
		return all
	case m.scheduled > 0 && now >= m.scheduled:
		if !b.deal(m.present(b)) {
			again = all
		}
		m.settle()
		m.revokedBefore = false
	default:
		m.candidates = b.addIdle(m.candidates)
		m.delay = m.maxDelay
		if now < m.scheduled {
			m.delay = int32(min(m.scheduled-now, int64(m.maxDelay)))
		}
		m.scheduled = now + int64(m.delay)
	}
	return again
}

// settle forgets the delay that runs, and who was to get what.
func (m *LeaderState) settle() {
	m.candidates, m.scheduled, m.delay = nil, 0, 0
}

// present are the candidates that are members still, in the order in which they were noticed.
func (m *LeaderState) present(b *board) []int32 {
	at := make(map[string]int32, len(b.req.Members))
	for i, member := range b.req.Members {
		at[member.ID] = int32(i)
	}
	var out []int32
	for _, id := range m.candidates {
		if i, ok := at[id]; ok {
			out = append(out, i)
		}
	}
	return out
}

// deal gives lost work to the candidates in turn, whatever they hold by now: connectors first, tasks from the first
// candidate again. False when there is none.
func (b *board) deal(to []int32) bool {
	if len(to) == 0 {
		return false
	}
	for _, k := range b.kinds {
		for n, id := range k.lost {
			k.give(to[n%len(to)], id)
		}
	}
	return true
}

// addIdle adds the members that are to hold nothing, as Java's HashSet of them iterates.
func (b *board) addIdle(candidates []string) []string {
	var idle []string
	var hashes []int32
	for _, i := range b.order {
		if b.idle(i) {
			idle = append(idle, b.req.Members[i].ID)
			hashes = append(hashes, decode.JavaHash(b.req.Members[i].ID))
		}
	}
	known := make(map[string]bool, len(candidates))
	out := make([]string, 0, len(candidates)+len(idle))
	for _, id := range candidates {
		known[id] = true
		out = append(out, id)
	}
	for _, i := range mapOrder(hashes) {
		if !known[idle[i]] {
			out = append(out, idle[i])
		}
	}
	return out
}
