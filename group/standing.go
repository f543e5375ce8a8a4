package group

import (
	"cmp"
	"slices"
	"strings"
)

// standing is who holds each unit at one moment, and why nobody does, by unit number.
type standing struct {
	holder []int32           // worker number, -1: nobody
	others map[int32][]int32 // every holder of those units that have several, sorted
	nobody []nobodyWas       // the units that the round left in nobody's hands
	lost   []int32           // by unit: index in nobody plus 1; nil when nobody is empty
}

func (h *history) standing(held holding, r *Round) standing {
	n := len(h.tables.units)
	s := standing{holder: make([]int32, n), others: map[int32][]int32{}}
	for u := range s.holder {
		s.holder[u] = -1
	}
	for w, units := range held {
		for _, u := range units {
			first := s.holder[u]
			if first < 0 {
				s.holder[u] = w
				continue
			}
			if s.others[u] == nil {
				s.others[u] = []int32{first}
			}
			s.others[u] = append(s.others[u], w)
		}
	}
	for u, by := range s.others {
		slices.Sort(by)
		s.holder[u] = by[0]
	}
	if r == nil {
		return s
	}
	for _, u := range r.store.delayed {
		s.nobody = append(s.nobody, nobodyWas{UnitDelayed, u})
	}
	for _, u := range r.store.unassigned {
		s.nobody = append(s.nobody, nobodyWas{UnitUnassigned, u})
	}
	for _, u := range r.store.released {
		s.nobody = append(s.nobody, nobodyWas{UnitReleased, u})
	}
	if len(s.nobody) > 0 {
		s.lost = make([]int32, n)
		for i := range s.nobody {
			s.lost[s.nobody[i].unit] = int32(i + 1)
		}
	}
	return s
}

// sorted is every unit number in the order in which units are listed. It is kept while no unit is added.
func (t *tables) sorted() []int32 {
	if len(t.order) == len(t.units) {
		return t.order
	}
	names := make([]int32, len(t.connectors))
	for i := range names {
		names[i] = int32(i)
	}
	slices.SortFunc(names, func(a, b int32) int { return strings.Compare(t.connectors[a], t.connectors[b]) })
	order := make([]int32, 0, len(t.units))
	for _, name := range names {
		order = t.unitIDs[name].appendSorted(order)
	}
	t.order = order
	return order
}

func (c *connectorUnits) appendSorted(out []int32) []int32 {
	if c.instance >= 0 {
		out = append(out, c.instance)
	}
	from := len(out)
	for _, u := range c.tasks {
		if u >= 0 {
			out = append(out, u)
		}
	}
	if len(c.far) == 0 {
		return out
	}
	number := make(map[int32]int32, len(c.tasks)+len(c.far))
	for task, u := range c.tasks {
		number[u] = int32(task)
	}
	for task, u := range c.far {
		number[u] = task
		out = append(out, u)
	}
	slices.SortFunc(out[from:], func(a, b int32) int { return cmp.Compare(number[a], number[b]) })
	return out
}
