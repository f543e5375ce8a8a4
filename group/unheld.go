package group

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

func cmpStrings(a, b string) int { return strings.Compare(a, b) }

var digestSeed = maphash.MakeSeed()

// digest tells two sets of properties apart within this process.
func digest(properties map[string]string) uint64 {
	var sum uint64
	for k, v := range properties {
		var h maphash.Hash
		h.SetSeed(digestSeed)
		h.WriteString(k)
		h.WriteByte(0)
		h.WriteString(v)
		sum += h.Sum64()
	}
	return sum
}

func (r *Round) delay() time.Duration { return time.Duration(r.DelayMs) * time.Millisecond }

// known calls yield for every unit known at a round.
func (l *ledger) known(offset int64, yield func(unit int32)) {
	if l.config.seen {
		l.config.knownUnits(offset, func(u int32) bool { return int(u) < len(l.ever) && l.ever[u] }, yield)
		return
	}
	for u, ever := range l.ever {
		if ever && !l.gone[u] {
			yield(int32(u))
		}
	}
}

// giveUp drops, for lack of a config topic, units that were revoked and given to nobody by their episode's end, and what
// an eager round left out: they were deleted. The units that are held now are marked.
func (l *ledger) giveUp(r *Round, rec *record) {
	for u := range l.revoked {
		if l.marked(u) {
			delete(l.revoked, u)
		}
	}
	for i := range rec.members {
		for _, u := range rec.members[i].revoked {
			l.revoked[u] = struct{}{}
		}
	}
	if r.Mode == ModeEager && r.Error == 0 {
		for u := range l.ever {
			l.gone[u] = l.gone[u] || l.ever[u] && !l.marked(int32(u))
		}
	}
	if r.Settled {
		for u := range l.revoked {
			l.gone[u] = true
		}
	}
}

// unheld finds the units in nobody's hands: released, delayed or unassigned.
func (l *ledger) unheld(r *Round, rec *record, p *parts) {
	l.tick++
	held := 0
	for i := range p.each {
		for _, u := range p.each[i].held {
			if !l.marked(u) {
				held++
			}
			l.stamp[u] = l.tick
		}
	}
	l.giveUp(r, rec)
	if r.Empty() || r.Error != 0 {
		return
	}
	known := make([]int32, 0, len(l.tables.units))
	l.known(r.ConfigOffset, func(u int32) { known = append(known, u) })
	l.grow()
	r.Units = held
	revoked := map[int32]bool{}
	for i := range rec.members {
		for _, u := range rec.members[i].revoked {
			revoked[u] = true
		}
	}
	var nobody []unheldUnit
	for _, u := range known {
		if l.marked(u) {
			l.unheldAt[u] = 0
			continue
		}
		l.stamp[u] = l.tick
		r.Units++
		if l.unheldAt[u] == 0 {
			l.unheldAt[u] = r.RecordedAt.UnixMilli()
		}
		n := unheldUnit{u, l.last[u], l.unheldAt[u]}
		if revoked[u] {
			r.store.released = append(r.store.released, n)
		} else {
			nobody = append(nobody, n)
		}
	}
	if r.DelayMs > 0 {
		r.store.delayed = nobody
	} else {
		r.store.unassigned = nobody
	}
	r.store.duplicated = p.dups
	slices.SortFunc(r.store.duplicated, cmp.Compare)
	if l.prev != nil && slices.Equal(l.prev.store.delayed, r.store.delayed) {
		r.store.delayed = l.prev.store.delayed
	}
	if l.prev != nil && slices.Equal(l.prev.store.unassigned, r.store.unassigned) {
		r.store.unassigned = l.prev.store.unassigned
	}
	r.Released, r.Delayed, r.Unassigned = len(r.store.released), len(r.store.delayed), len(r.store.unassigned)
	r.Duplicated = len(r.store.duplicated)
}
