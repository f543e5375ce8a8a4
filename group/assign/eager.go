package assign

import (
	"regroup/decode"
)

// eager deals everything out anew: members in the order of their ids, one connector each in the order of their names, and on
// from there the tasks.
func (m LeaderState) eager(req *Request, leader *Member) (Decision, LeaderState) {
	config, offset, ok := req.config()
	if !ok {
		return mismatch(req, leader, 0, offset), m
	}
	h := header(req, leader, 0, offset)
	out := make([]decode.Assignment, len(req.Members))
	again := m.assignor == Proposed && m.cooperative
	m.cooperative = false
	if again {
		for i := range out {
			out[i] = h
		}
		return Decision{Assignments: out, Again: true}, m
	}

	ix := newIndex(config)
	order := memberRanks(req.Members)
	given := [kinds][][]int32{make([][]int32, len(out)), make([][]int32, len(out))}
	next := 0
	for k, of := range ix.configured {
		for id := range int32(of) {
			i := order[next]
			given[k][i] = append(given[k][i], id)
			next = (next + 1) % len(order)
		}
	}
	w := newWire(ix, m.java)
	for i := range out {
		out[i] = h
		out[i].Assigned = w.started(given[connectors][i], given[tasks][i])
	}
	return Decision{Assignments: out}, m
}
