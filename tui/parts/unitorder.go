package parts

import (
	"slices"

	"regroup/group"
	"regroup/tui/scene"
)

// UnitOrder is the order in which the units of a State are listed: those that pass a filter, sorted.
type UnitOrder struct {
	key    UnitsKey
	filter string
	sort   int
	made   bool
	rows   []int32 // indices into State.Units
}

// unitSort is an order of the list of units.
type unitSort struct {
	Name string
	sort func(s *group.State, rows []int32)
}

// UnitSorts are the orders of the list of units, in the order in which s goes through them.
var UnitSorts = []unitSort{
	{"worst first", worstFirst},
	{"by name", func(*group.State, []int32) {}}, // as they come
	{"by worker", byUnitWorker},
	{"newest change first", newestChange},
}

// Of is what is kept for a State, made anew where that is another.
func (o *UnitOrder) Of(s *group.State, filter string, by int) []int32 {
	key := KeyOf(s)
	if o.made && o.key == key && o.filter == filter && o.sort == by {
		return o.rows
	}
	o.made, o.key, o.filter, o.sort = true, key, filter, by
	o.rows = o.rows[:0]
	match := scene.UnitMatcher(s, filter)
	for i := range s.Units {
		if match(&s.Units[i]) {
			o.rows = append(o.rows, int32(i))
		}
	}
	UnitSorts[by%len(UnitSorts)].sort(s, o.rows)
	return o.rows
}

// worstFirst deals the units out by their states, which come worst first.
func worstFirst(s *group.State, rows []int32) {
	deal(rows, scene.UnitKinds, func(i int32) int { return int(s.Units[i].State) })
}

// byUnitWorker lists workers in their order, then what nobody holds.
func byUnitWorker(s *group.State, rows []int32) {
	n := len(s.Workers)
	deal(rows, n+1, func(i int32) int {
		if w := s.Units[i].Worker; w >= 0 && w < n {
			return w
		}
		return n
	})
}

func newestChange(s *group.State, rows []int32) {
	slices.SortStableFunc(rows, func(a, b int32) int { return s.Units[b].Since.Compare(s.Units[a].Since) })
}

// deal sorts by a small number and leaves what is equal in its order.
func deal(rows []int32, kinds int, kind func(int32) int) {
	from := make([]int, kinds+1)
	for _, i := range rows {
		from[kind(i)+1]++
	}
	for k := range kinds {
		from[k+1] += from[k]
	}
	out := make([]int32, len(rows))
	for _, i := range rows {
		k := kind(i)
		out[from[k]] = i
		from[k]++
	}
	copy(rows, out)
}

// UnitsKey tells whether the units of two States are the same ones: States share them while nothing that decides them came.
type UnitsKey struct {
	first *group.UnitState
	n     int
	round *group.Round
}

// KeyOf is the key of a State's units.
func KeyOf(s *group.State) UnitsKey {
	k := UnitsKey{n: len(s.Units), round: s.Round()}
	if k.n > 0 {
		k.first = &s.Units[0]
	}
	return k
}
