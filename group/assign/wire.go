package assign

import "regroup/decode"

// wire puts units into the order in which Connect writes them: connectors first, those to start as Java's HashSet of them
// iterates, then tasks, each with its connector's entry where that has one.
type wire struct {
	ix      *index
	java    Java
	entry   []int32 // of each connector in the shares being made, plus one
	touched []int32
	counts  []int32
}

func newWire(ix *index, java Java) *wire {
	return &wire{ix: ix, java: java, entry: make([]int32, len(ix.names))}
}

// assignments writes everything that was decided.
func (b *board) assignments(h decode.Assignment) []decode.Assignment {
	w := newWire(b.ix, b.java)
	cs, ts := b.kinds[connectors], b.kinds[tasks]
	out := make([]decode.Assignment, len(b.req.Members))
	for i := range out {
		out[i] = h
		out[i].Assigned = w.started(cs.next[i][cs.kept[i]:], ts.next[i][ts.kept[i]:])
		out[i].Revoked = w.shares(cs.revoked[i], ts.revoked[i])
	}
	return out
}

// started orders connectors as the HashSet that what is assigned passes through, and what a worker reports too.
func (w *wire) started(cs, ts []int32) []decode.Share {
	if len(cs) > 1 {
		hashes := make([]int32, len(cs))
		for i, c := range cs {
			hashes[i] = w.ix.hashes[c]
		}
		ordered := make([]int32, len(cs))
		for i, at := range w.java.setOrder(hashes) {
			ordered[i] = cs[at]
		}
		cs = ordered
	}
	return w.shares(cs, ts)
}

// shares keeps the order it is given.
func (w *wire) shares(cs, ts []int32) []decode.Share {
	if len(cs)+len(ts) == 0 {
		return nil
	}
	w.touched, w.counts = w.touched[:0], w.counts[:0]
	for _, c := range cs {
		w.count(c)
	}
	for _, t := range ts {
		w.count(w.ix.owner[t])
	}
	out := make([]decode.Share, len(w.touched))
	room := make([]int32, len(cs)+len(ts))
	for e, c := range w.touched {
		n := w.counts[e]
		out[e] = decode.Share{Connector: w.ix.names[c], Tasks: room[:0:n]}
		room = room[n:]
	}
	for _, c := range cs {
		s := &out[w.entry[c]-1]
		s.Tasks = append(s.Tasks, decode.Instance)
	}
	for _, t := range ts {
		s := &out[w.entry[w.ix.owner[t]]-1]
		s.Tasks = append(s.Tasks, w.ix.number(t))
	}
	for _, c := range w.touched {
		w.entry[c] = 0
	}
	return out
}

func (w *wire) count(c int32) {
	if w.entry[c] == 0 {
		w.touched = append(w.touched, c)
		w.counts = append(w.counts, 0)
		w.entry[c] = int32(len(w.touched))
	}
	w.counts[w.entry[c]-1]++
}
