package assign

import (
	"slices"

	"regroup/decode"
)

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

// balance stops work of those that have more than their share, unless a delay runs. When the round before did that too it
// waits first, longer each time, and stops nothing now.
func (m *LeaderState) balance(b *board) {
	if m.delay != 0 {
		m.revokedBefore = false
		return
	}
	surplus, uneven := b.surplus()
	switch {
	case uneven && m.revokedBefore:
		m.streak++
		m.delay = backoff(m.streak, m.maxDelay)
		if m.delay != 0 {
			m.scheduled = b.req.Now + int64(m.delay)
			return
		}
		b.takeAll(surplus)
	case uneven:
		b.takeAll(surplus)
		m.revokedBefore = true
	case m.revokedBefore:
		m.revokedBefore, m.streak = false, 0
	}
}

func (b *board) takeAll(surplus [kinds][]int) {
	for kind, k := range b.kinds {
		for i, n := range surplus[kind] {
			k.take(int32(i), n)
		}
	}
}

// surplus says how much of each kind every member has to give away.
func (b *board) surplus() (out [kinds][]int, uneven bool) {
	idle := true
	for i := range b.req.Members {
		idle = idle && b.idle(int32(i))
	}
	for kind, k := range b.kinds {
		out[kind] = make([]int, len(b.req.Members))
		if idle || b.ix.configured[connectors]+b.ix.configured[tasks] == 0 {
			continue
		}
		uneven = k.surplus(b.order, out[kind]) || uneven
	}
	return out, uneven
}

// surplus counts what each member holds above its share. Members come in the order of a hash table, and the first of those
// that hold more than the least keep one more, as many as the division leaves over.
func (k *kind) surplus(order []int32, out []int) (uneven bool) {
	least, extras := k.configured/len(order), k.configured%len(order)
	even, more := 0, 0
	for _, next := range k.next {
		switch len(next) {
		case least:
			even++
		case least + 1:
			more++
		}
	}
	if more == extras && even+more == len(order) {
		return false
	}
	for _, i := range order {
		n := len(k.next[i])
		if n <= least {
			continue
		}
		share := least
		if extras > 0 {
			extras--
			share++
		}
		out[i] = n - share
		uneven = uneven || n > share
	}
	return uneven
}

// honour makes a new leader wait as the one before it would have. KIP-415's example of a leader that bounces has it count on a delay
// that its own worker was told, for the units of its predecessor too; the sketch of the same protocol for consumers says what it
// does when none runs: a leader that is gone is a member that is lost. No release does either.
func (m LeaderState) honour(b *board) LeaderState {
	if m.generation == b.req.LastCompleted {
		return m
	}
	until := max(m.scheduled, b.req.Scheduled)
	switch before := b.req.Before; {
	case until > b.req.Now:
		m.scheduled = until
	case before != nil && !b.here(before.Leader):
		m.settle()
		m.members = []string{before.Leader}
	default:
		return m
	}
	for kind, k := range b.kinds {
		k.lost, k.created = b.known(kind, k.created)
	}
	return m
}

func (b *board) here(member string) bool {
	return slices.ContainsFunc(b.req.Members, func(m Member) bool { return m.ID == member })
}

// known parts what was configured already when the new leader's worker was last told what to do from what is new since. Without
// that memory all of it was.
func (b *board) known(kind int, ids []int32) (was, since []int32) {
	if b.req.Before == nil {
		return ids, nil
	}
	for _, id := range ids {
		if b.configured(b.req.Before.Config, kind, id) {
			was = append(was, id)
		} else {
			since = append(since, id)
		}
	}
	return was, since
}

func (b *board) configured(c Config, kind int, id int32) bool {
	if kind == connectors {
		_, ok := c.Connectors[b.ix.names[id]]
		return ok
	}
	return int(b.ix.number(id)) < c.Connectors[b.ix.names[b.ix.owner[id]]]
}
