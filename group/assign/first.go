package assign

import "slices"

// decide23 is the round of a leader of 2.3. It knows nothing of generations, of members that merely missed their sync, or of
// work reported twice, and never forgets a delay before it ends.
func (m LeaderState) decide23(b *board) LeaderState {
	mayRevoke := !m.revokedBefore || b.undone(m)
	for _, k := range b.kinds {
		k.keep23()
	}
	for kind, k := range b.kinds {
		b.stopDeleted23(kind, k)
	}
	again := m.lost23(b)

	// What is revoked counts as held still when new work is shared: it is taken from next only afterwards.
	var stop [kinds][][]int32
	m.revokedBefore = m.delay != 0
	if m.delay == 0 && mayRevoke {
		stop = b.surplus23()
		m.revokedBefore = slices.ContainsFunc(stop[connectors], notEmpty) || slices.ContainsFunc(stop[tasks], notEmpty)
	}
	for kind, k := range b.kinds {
		b.share(k, append(k.created, again[kind]...))
	}
	for kind, k := range b.kinds {
		for i, ids := range stop[kind] {
			k.revoked[i] = append(k.revoked[i], ids...)
		}
	}
	b.record(&m)
	b.recordDeleted23(&m)
	return m
}

// recordDeleted23 counts what is deleted as told to stop although nobody may be left to be told.
func (b *board) recordDeleted23(m *LeaderState) {
	for kind, k := range b.kinds {
		for id, deleted := range k.deleted {
			if !deleted {
				continue
			}
			if m.revoked == nil {
				m.revoked = newLedger(b.ix)
			}
			m.revoked.has[kind][id] = true
		}
	}
}

func notEmpty(ids []int32) bool { return len(ids) > 0 }

func (k *kind) keep23() {
	for i, own := range k.own {
		for _, id := range own {
			if !k.isDeleted(id) {
				k.next[i] = append(k.next[i], id)
			}
		}
		k.kept[i] = len(k.next[i])
	}
}

// stopDeleted23 tells one worker to stop what is deleted, in the order of names: of several that report it the last, as the
// hash table of members iterates.
func (b *board) stopDeleted23(kind int, k *kind) {
	if k.deleted == nil {
		return
	}
	holder := map[int32]int32{}
	for _, i := range b.order {
		for _, id := range k.own[i] {
			if k.deleted[id] {
				holder[id] = i
			}
		}
	}
	ids := make([]int32, 0, len(holder))
	for id := range holder {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y int32) int { return b.ix.compare(kind, x, y) })
	for _, id := range ids {
		k.revoked[holder[id]] = append(k.revoked[holder[id]], id)
	}
}

// lost23 waits for lost work's worker even when everyone is here, and gives all of it to the first candidate.
func (m *LeaderState) lost23(b *board) (again [kinds][]int32) {
	cs, ts := b.kinds[connectors], b.kinds[tasks]
	if len(cs.lost) == 0 && len(ts.lost) == 0 {
		return again
	}
	now := b.req.Now
	if m.scheduled > 0 && now >= m.scheduled {
		if to := m.present(b); !b.deal(to[:min(1, len(to))]) {
			again = [kinds][]int32{cs.lost, ts.lost}
		}
		m.settle()
		return again
	}
	m.candidates = b.addIdle(m.candidates)
	m.delay = m.maxDelay
	if now < m.scheduled {
		m.delay = int32(min(m.scheduled-now, int64(m.maxDelay)))
	}
	m.scheduled = now + int64(m.delay)
	return again
}

// surplus23 takes from workers in the order of the hash table until one average load of each kind is found, and only when
// some worker has nothing and some other has something.
func (b *board) surplus23() (out [kinds][][]int32) {
	loaded, idle := b.loaded23()
	for kind, k := range b.kinds {
		out[kind] = make([][]int32, len(k.own))
		if len(loaded) == 0 || !idle {
			continue
		}
		active := 0
		for _, n := range k.holders {
			if n > 0 {
				active++
			}
		}
		floor := active / len(k.own)
		left := floor
		for _, i := range loaded {
			own := k.next[i][:k.kept[i]]
			n := max(0, min(len(own)-floor, left))
			out[kind][i] = own[:n]
			left -= n
		}
	}
	return out
}

func (b *board) loaded23() (loaded []int32, idle bool) {
	for _, i := range b.order {
		if b.kinds[connectors].kept[i]+b.kinds[tasks].kept[i] > 0 {
			loaded = append(loaded, i)
		} else {
			idle = true
		}
	}
	return loaded, idle
}
