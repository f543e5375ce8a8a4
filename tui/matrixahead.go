package tui

import "regroup/group"

// coming is the round that comes next by itself, by unit.
type coming struct {
	round  *group.Coming
	starts map[group.Unit]int // index of the worker that gets it
	stops  map[group.Unit]bool
	exact  bool
}

// comingOf is the next round, if one comes by itself.
func comingOf(s *group.State) coming {
	rounds, exact := s.Coming()
	if len(rounds) == 0 {
		return coming{}
	}
	c := coming{round: &rounds[0], starts: map[group.Unit]int{}, stops: map[group.Unit]bool{}, exact: exact}
	index := map[string]int{}
	for i := range s.Workers {
		index[s.Workers[i].ID] = i
	}
	for _, w := range rounds[0].Workers {
		for _, u := range w.Start {
			c.starts[u] = index[w.Member]
		}
		for _, u := range w.Stop {
			c.stops[u] = true
		}
	}
	return c
}

// mark is how a unit is drawn in a cell.
func (c *coming) mark(u *group.UnitState, ahead bool) unitMark {
	if _, starts := c.starts[u.Unit]; ahead && starts {
		return unitMarks[group.UnitStarting]
	}
	return unitMarks[u.State]
}

func (t *matrixTable) spreadAhead(row *matrixRow) int {
	counts := make([]int, len(t.s.state.Workers))
	for i := row.from; i < row.to; i++ {
		u := &t.s.state.Units[i]
		if w, ok := t.starts[u.Unit]; ok {
			counts[w]++
		} else if u.Worker >= 0 && !t.stops[u.Unit] {
			counts[u.Worker]++
		}
	}
	most, fewest := 0, row.to-row.from
	for i, n := range counts {
		if !t.s.state.Workers[i].Gone {
			most, fewest = max(most, n), min(fewest, n)
		}
	}
	return max(most-fewest, 0)
}
