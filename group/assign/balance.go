package assign

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
