package matrix

import (
	"cmp"
	"slices"
	"strings"

	"regroup/group"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// matrixRow is one connector: where its units are in State.Units, and how unevenly they lie.
type matrixRow struct {
	name     string
	from, to int
	spread   int // most minus fewest units of it on one worker
	look     int // units that need a look
}

// matrixSort is an order of the matrix.
type matrixSort struct {
	name    string
	compare func(a, b *matrixRow) int
}

var matrixSorts = []matrixSort{
	{"by spread", func(a, b *matrixRow) int { return b.spread - a.spread }},
	{"by name", func(a, b *matrixRow) int { return cmp.Compare(a.name, b.name) }},
	{"by units", func(a, b *matrixRow) int { return (b.to - b.from) - (a.to - a.from) }},
	{"worst first", func(a, b *matrixRow) int { return b.look - a.look }},
}

// matrixMemo is the matrix without its cells: those are worked out for what is seen alone.
type matrixMemo struct {
	key    parts.UnitsKey
	filter string
	sort   int
	made   bool
	rows   []matrixRow
	column map[int32]int // worker number → index in State.Workers
	// labels are the widths of the columns in which every unit has its number, with room and packed; nil where there are too
	// many units for that.
	labels [2][]int
	each   []int // how many units each worker has
}

// labelled bounds how many units are drawn by their numbers.
const labelled = 600

func (m *matrixMemo) of(s *group.State, filter string, by int) *matrixMemo {
	key := parts.KeyOf(s)
	if m.made && m.key == key && m.filter == filter && m.sort == by {
		return m
	}
	*m = matrixMemo{made: true, key: key, filter: filter, sort: by, column: map[int32]int{}, each: make([]int, len(s.Workers))}
	living := 0
	for i := range s.Workers {
		m.column[s.Workers[i].Worker] = i
		if !s.Workers[i].Gone {
			living++
		}
	}
	counts := make([]int, len(s.Workers))
	for i := 0; i < len(s.Units); {
		row := matrixRow{name: s.Units[i].Unit.Connector, from: i}
		for ; i < len(s.Units) && s.Units[i].Unit.Connector == row.name; i++ {
			u := &s.Units[i]
			if scene.NeedsLook(u.State) {
				row.look++
			}
			if at := m.at(u); at >= 0 {
				m.each[at]++
			}
			if u.Worker >= 0 && u.Worker < len(counts) {
				counts[u.Worker]++
			}
		}
		row.to = i
		row.spread = spreadOf(s, row, counts, living)
		if passes(&row, filter) {
			m.rows = append(m.rows, row)
		}
	}
	slices.SortStableFunc(m.rows, func(a, b matrixRow) int { return matrixSorts[by].compare(&a, &b) })
	m.measure(s)
	return m
}

// spreadOf takes the counts of one connector, and empties them.
func spreadOf(s *group.State, row matrixRow, counts []int, living int) int {
	most, fewest, holders := 0, row.to-row.from, 0
	for i := row.from; i < row.to; i++ {
		w := s.Units[i].Worker
		if w < 0 || w >= len(counts) || counts[w] == 0 {
			continue
		}
		most, fewest = max(most, counts[w]), min(fewest, counts[w])
		counts[w] = 0
		holders++
	}
	if holders < living || holders == 0 {
		fewest = 0
	}
	return most - fewest
}

func passes(row *matrixRow, filter string) bool {
	switch want := strings.ToLower(strings.TrimSpace(filter)); want {
	case "":
		return true
	case ui.OnlyLook:
		return row.look > 0
	default:
		return strings.Contains(strings.ToLower(row.name), want)
	}
}

// at is the column of a unit: of its holder, or of the one that had it last; -1 where neither is in the table.
func (m *matrixMemo) at(u *group.UnitState) int {
	if u.Worker >= 0 {
		return u.Worker
	}
	if i, ok := m.column[u.Last]; ok && u.Last >= 0 {
		return i
	}
	return -1
}

// measure finds how wide the columns are when every unit has its number, as they are and as they will be.
func (m *matrixMemo) measure(s *group.State) {
	if len(s.Units) > labelled {
		return
	}
	next := comingOf(s)
	for packed := range m.labels {
		labels := make([]int, len(s.Workers))
		for i := range s.Workers {
			labels[i] = cell.Width(headOf(&s.Workers[i], packed == 1))
		}
		for r := range m.rows {
			for _, ahead := range []bool{false, true} {
				if ahead && next.round == nil {
					continue
				}
				for at, units := range m.deal(s, &m.rows[r], &next, ahead) {
					labels[at] = max(labels[at], runsWidth(labelRuns(s, units, &next, ahead, packed == 1)))
				}
			}
		}
		m.labels[packed] = labels
	}
}

// deal gives the units of a row to their workers' columns, by index in State.Workers.
func (m *matrixMemo) deal(s *group.State, row *matrixRow, next *coming, ahead bool) map[int][]int {
	out := map[int][]int{}
	for i := row.from; i < row.to; i++ {
		if at := m.place(&s.Units[i], next, ahead); at >= 0 {
			out[at] = append(out[at], i)
		}
	}
	return out
}

// place is where a unit is, or will be; -1: nowhere.
func (m *matrixMemo) place(u *group.UnitState, next *coming, ahead bool) int {
	if !ahead {
		return m.at(u)
	}
	if w, ok := next.starts[u.Unit]; ok {
		return w
	}
	if u.Worker < 0 || next.stops[u.Unit] {
		return -1
	}
	return m.at(u)
}

// headOf is a worker's name and role, as the head of a column; packed, the name alone of those that stay.
func headOf(w *group.Worker, packed bool) string {
	name := cell.Middle(w.Name, 16)
	switch {
	case packed && !w.Gone:
		return name
	case w.Change != "":
		return name + " " + string(w.Change)
	case w.Gone:
		return name + " left"
	case w.Leader:
		return name + " leader"
	}
	return name
}

// matrixKey is a cell, whatever row and column it has moved to.
type matrixKey struct{ connector string }

// labelRun is a task's number with its mark, or those of several in a row that are alike: 0■, 0-5■.
type labelRun struct {
	tasks string
	mark  label.UnitMark
}

// labelRuns are the labels of a cell. Packed, three or more in a row that are alike are one.
func labelRuns(s *group.State, units []int, next *coming, ahead, packed bool) []labelRun {
	var out []labelRun
	for i := 0; i < len(units); {
		u := &s.Units[units[i]]
		run := labelRun{label.TaskText(u.Unit), next.mark(u, ahead)}
		n := 1
		for packed && !u.Unit.IsInstance() && i+n < len(units) {
			v := &s.Units[units[i+n]]
			if v.Unit.Task != u.Unit.Task+int32(n) || next.mark(v, ahead) != run.mark {
				break
			}
			n++
		}
		if n < 3 {
			n = 1
		} else {
			run.tasks += "-" + label.TaskText(s.Units[units[i+n-1]].Unit)
		}
		out, i = append(out, run), i+n
	}
	return out
}

func runsWidth(runs []labelRun) int {
	w := -1
	for _, r := range runs {
		w += len(r.tasks) + 2
	}
	return max(w, 0)
}

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
func (c *coming) mark(u *group.UnitState, ahead bool) label.UnitMark {
	if _, starts := c.starts[u.Unit]; ahead && starts {
		return label.UnitMarks[group.UnitStarting]
	}
	return label.UnitMarks[u.State]
}

func (t *matrixTable) spreadAhead(row *matrixRow) int {
	counts := make([]int, len(t.s.State.Workers))
	for i := row.from; i < row.to; i++ {
		u := &t.s.State.Units[i]
		if w, ok := t.starts[u.Unit]; ok {
			counts[w]++
		} else if u.Worker >= 0 && !t.stops[u.Unit] {
			counts[u.Worker]++
		}
	}
	most, fewest := 0, row.to-row.from
	for i, n := range counts {
		if !t.s.State.Workers[i].Gone {
			most, fewest = max(most, n), min(fewest, n)
		}
	}
	return max(most-fewest, 0)
}
