package assign

// decide is the round of a leader of 3.4 and later. Only its order makes it exact: lost work is dealt before balancing looks,
// and balancing before what is new is shared.
func (m LeaderState) decide(b *board) LeaderState {
	if m.assignor == Proposed {
		m = m.honour(b)
	}
	for kind, k := range b.kinds {
		b.keep(kind, k)
	}
	again := m.lost(b)
	m.balance(b)
	for kind, k := range b.kinds {
		b.share(k, append(k.created, again[kind]...))
	}
	b.record(&m)
	return m
}

// keep starts from what members report. What is deleted is stopped, and what two report is stopped by both: it comes back
// as new in the next round.
func (b *board) keep(kind int, k *kind) {
	for i, own := range k.own {
		var stop []int32
		k.next[i] = make([]int32, 0, len(own))
		for _, id := range own {
			if k.holders[id] > 1 || k.isDeleted(id) {
				stop = append(stop, id)
			} else {
				k.next[i] = append(k.next[i], id)
			}
		}
		k.kept[i] = len(k.next[i])
		if len(stop) > 0 {
			k.revoked[i] = b.stopOrder(kind, k, own)
		}
	}
}

func (k *kind) isDeleted(id int32) bool { return k.deleted != nil && k.deleted[id] }

// stopOrder lists what of own is deleted, and then what is held twice, as Java's HashSet of own iterates.
func (b *board) stopOrder(kind int, k *kind, own []int32) []int32 {
	hashes := make([]int32, len(own))
	for i, id := range own {
		hashes[i] = b.ix.hash(kind, id)
	}
	order := b.java.setOrder(hashes)
	var out []int32
	for _, i := range order {
		if k.isDeleted(own[i]) {
			out = append(out, own[i])
		}
	}
	for _, i := range order {
		if k.holders[own[i]] > 1 && !k.isDeleted(own[i]) {
			out = append(out, own[i])
		}
	}
	return out
}
