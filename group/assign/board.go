package assign

import (
	"slices"

	"regroup/decode"
)

// board is one cooperative round while it is decided, in the numbers of its index.
type board struct {
	req   *Request
	java  Java
	ix    *index
	order []int32 // members as Java's HashMap of their ids iterates: who is asked first
	rank  []int32 // of each member's id in Java's order: who is given first
	kinds [kinds]*kind
}

// kind is the half of a board that is about connectors, or tasks.
type kind struct {
	configured int
	holders    []int32   // of each number: members that report it
	own        [][]int32 // of each member: what it reports, in its order, without repeats
	previous   []bool    // remembered as assigned after the last round
	deleted    []bool    // remembered and not configured any more
	lost       []int32   // remembered, configured and reported by nobody
	created    []int32   // configured, not remembered and reported by nobody
	next       [][]int32 // of each member: what it is to hold after this round
	kept       []int     // of each member: how many of next, from the front, it reports; the rest is to start
	revoked    [][]int32 // of each member: what it is to stop
}

func newBoard(req *Request, config Config, m LeaderState) *board {
	b := &board{req: req, java: m.java, ix: newIndex(config)}
	hashes := make([]int32, len(req.Members))
	for i, member := range req.Members {
		hashes[i] = decode.JavaHash(member.ID)
	}
	b.order = mapOrder(hashes)
	b.rank = make([]int32, len(req.Members))
	for r, i := range memberRanks(req.Members) {
		b.rank[i] = int32(r)
	}
	own := b.reported()
	// Only the first rules keep what they remember when the leader's last join did not end with it.
	if m.assignor != Released23 && m.generation != req.LastCompleted {
		m.previous = nil
	}
	m.previous.each(b.ix, func(int, int32) {})
	m.revoked.each(b.ix, func(int, int32) {})
	for k := range b.kinds {
		b.kinds[k] = newKind(b.ix.configured[k], b.ix.size(k), own[k])
	}
	b.remember(m)
	return b
}

// memberRanks lists members in Java's order of their ids.
func memberRanks(members []Member) []int32 {
	out := make([]int32, len(members))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortFunc(out, func(a, b int32) int { return compareJava(members[a].ID, members[b].ID) })
	return out
}

// reported numbers what the members hold.
func (b *board) reported() [kinds][][]int32 {
	var own [kinds][][]int32
	own[connectors] = make([][]int32, len(b.req.Members))
	own[tasks] = make([][]int32, len(b.req.Members))
	for i, m := range b.req.Members {
		if len(m.Reported) == 0 {
			continue
		}
		cs := make([]int32, 0, len(m.Reported))
		ts := make([]int32, 0, decode.Count(m.Reported))
		for _, s := range m.Reported {
			c := b.ix.connector(s.Connector)
			for _, t := range s.Tasks {
				if t == decode.Instance {
					cs = append(cs, c)
				} else {
					ts = append(ts, b.ix.task(c, t))
				}
			}
		}
		own[connectors][i], own[tasks][i] = cs, ts
	}
	return own
}

func newKind(configured, size int, own [][]int32) *kind {
	n := len(own)
	k := &kind{
		configured: configured, own: own, holders: make([]int32, size), previous: make([]bool, size),
		next: make([][]int32, n), kept: make([]int, n), revoked: make([][]int32, n),
	}
	seen := make([]int32, size) // by which member last, plus one
	for i, ids := range own {
		once := ids[:0]
		for _, id := range ids {
			if seen[id] != int32(i)+1 {
				seen[id] = int32(i) + 1
				k.holders[id]++
				once = append(once, id)
			}
		}
		k.own[i] = once
	}
	return k
}

// remember sets what was assigned, and so what is lost, deleted and created.
func (b *board) remember(m LeaderState) {
	undone := b.undone(m)
	if !undone {
		m.previous.each(b.ix, func(kind int, id int32) { b.kinds[kind].previous[id] = true })
	}
	for _, k := range b.kinds {
		for id := range k.previous {
			if undone {
				k.previous[id] = k.holders[id] > 0
			}
			switch {
			case id < k.configured && k.holders[id] > 0:
			case id < k.configured && k.previous[id]:
				k.lost = append(k.lost, int32(id))
			case id < k.configured:
				k.created = append(k.created, int32(id))
			case k.previous[id]:
				if k.deleted == nil {
					k.deleted = make([]bool, len(k.previous))
				}
				k.deleted[id] = true
			}
		}
	}
}

// undone says whether something that was told to stop is reported still: then what is reported is what is remembered.
func (b *board) undone(m LeaderState) bool {
	undone := false
	m.revoked.each(b.ix, func(kind int, id int32) { undone = undone || b.kinds[kind].holders[id] > 0 })
	return undone
}

// give adds to what member i is to hold.
func (k *kind) give(i, id int32) { k.next[i] = append(k.next[i], id) }

// take makes member i stop the first n of what it is to hold: also what this round just gave it.
func (k *kind) take(i int32, n int) {
	k.revoked[i] = append(k.revoked[i], k.next[i][:n]...)
	k.next[i] = k.next[i][n:]
	k.kept[i] = max(0, k.kept[i]-n)
}

// idle says whether member i is to hold nothing.
func (b *board) idle(i int32) bool {
	return len(b.kinds[connectors].next[i]) == 0 && len(b.kinds[tasks].next[i]) == 0
}

// share deals ids to those that have the least, one each in a lap, in the order of their ids.
func (b *board) share(k *kind, ids []int32) {
	if len(ids) == 0 {
		return
	}
	by := slices.Clone(b.order)
	slices.SortFunc(by, func(x, y int32) int {
		if d := len(k.next[x]) - len(k.next[y]); d != 0 {
			return d
		}
		return int(b.rank[x] - b.rank[y])
	})
	for len(ids) > 0 {
		least := len(k.next[by[0]])
		for _, i := range by {
			if len(k.next[i]) > least || len(ids) == 0 {
				break
			}
			k.give(i, ids[0])
			ids = ids[1:]
		}
	}
}

// record is what is assigned after the round, with the lost work that waits, and what was told to stop.
func (b *board) record(m *LeaderState) {
	previous, revoked := newLedger(b.ix), newLedger(b.ix)
	stops := false
	for kind, k := range b.kinds {
		has, stopped := previous.has[kind], revoked.has[kind]
		for _, ids := range k.next {
			for _, id := range ids {
				has[id] = true
			}
		}
		for _, ids := range k.revoked {
			stops = stops || len(ids) > 0
			for _, id := range ids {
				has[id], stopped[id] = false, true
			}
		}
		for _, id := range k.lost {
			has[id] = true
		}
	}
	m.previous, m.revoked = previous, nil
	if stops {
		m.revoked = revoked
	}
	m.generation = b.req.Generation
	m.members = make([]string, len(b.req.Members))
	for i, member := range b.req.Members {
		m.members[i] = member.ID
	}
}

// gone says whether a member of the last round is not in this one.
func (b *board) gone(m LeaderState) bool {
	here := make(map[string]bool, len(b.req.Members))
	for _, member := range b.req.Members {
		here[member.ID] = true
	}
	return slices.ContainsFunc(m.members, func(id string) bool { return !here[id] })
}
