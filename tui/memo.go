package tui

import "regroup/group"

// memo keeps what views work out of a State, so that a frame costs what is seen and not what is known.
type memo struct {
	life lifeMemo
	time timeMemo
	pace paceMemo
}

// traceMemo keeps the trace looked at last, wrapped.
type traceMemo struct {
	trace string
	width int
	lines []traceLine
}

func (m *traceMemo) of(trace string, width int) []traceLine {
	if m.trace != trace || m.width != width {
		m.trace, m.width, m.lines = trace, width, traceLines(trace, width)
	}
	return m.lines
}

// unitsKey tells whether the units of two States are the same ones: States share them while nothing that decides them came.
type unitsKey struct {
	first *group.UnitState
	n     int
	round *group.Round
}

func keyOf(s *group.State) unitsKey {
	k := unitsKey{n: len(s.Units), round: s.Round()}
	if k.n > 0 {
		k.first = &s.Units[0]
	}
	return k
}

// lifeMemo keeps the story of the unit looked at last.
type lifeMemo struct {
	state *group.State
	unit  group.Unit
	lines []group.Happening
	sum   group.LifeSum
}

func (m *lifeMemo) of(s *group.State, i int) ([]group.Happening, group.LifeSum) {
	if u := s.Units[i].Unit; m.state != s || m.unit != u {
		m.state, m.unit = s, u
		m.lines, m.sum = s.Life(i), s.LifeSum(i)
	}
	return m.lines, m.sum
}
