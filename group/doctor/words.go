package doctor

import (
	"fmt"
	"strings"

	"regroup/decode"
	"regroup/group"
)

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// is picks the verb's form.
func is(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// some names the first few units: "sink-a 3, sink-b c and 4 more".
func some(units []group.Unit) string {
	const most = 4
	var names []string
	for i, u := range units {
		if i == most {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(units)-most)
		}
		names = append(names, decode.Printable(u.String()))
	}
	return strings.Join(names, ", ")
}

// inState lists the indices of units in a state.
func inState(s *group.State, kind group.UnitStateKind) []int {
	var out []int
	for i := range s.Units {
		if s.Units[i].State == kind {
			out = append(out, i)
		}
	}
	return out
}

func unitsOf(s *group.State, at []int) []group.Unit {
	out := make([]group.Unit, len(at))
	for i, k := range at {
		out[i] = s.Units[k].Unit
	}
	return out
}

// worker is the name of a worker by its index in State.Workers.
func worker(s *group.State, i int) string {
	if i < 0 || i >= len(s.Workers) {
		return "nobody"
	}
	return decode.Printable(s.Workers[i].Name)
}

// evidence gives each unit's own evidence, for the first few.
func evidence(s *group.State, at []int) []Evidence {
	const most = 6
	var out []Evidence
	for _, i := range at[:min(most, len(at))] {
		for _, e := range s.Evidence(i) {
			out = append(out, Evidence{At: e.At, Source: e.Source, Text: decode.Printable(s.Units[i].Unit.String()) + ": " + e.Text})
		}
	}
	return out
}

// present are the members of the round, without those that left.
func present(s *group.State) []group.Worker {
	var out []group.Worker
	for _, w := range s.Workers {
		if !w.Gone {
			out = append(out, w)
		}
	}
	return out
}
