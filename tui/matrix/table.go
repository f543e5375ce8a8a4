package matrix

import (
	"slices"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// matrixTable is how the matrix is laid out in a width. Only what is seen of it is worked out.
type matrixTable struct {
	s      *scene.Scene
	m      *matrixMemo
	dense  bool
	packed bool  // labels stand close together
	name   int   // width of a connector's name
	cols   []int // workers that are seen, as indices into State.Workers
	width  []int // of each of them
	order  []int // of all workers, as the columns have it
	first  int   // place in order of the first that is seen
	spread int   // width of the last column; 0: a narrow screen does without
	coming
}

const unitsWidth, spreadWidth = 7, 9

func newMatrixTable(s *scene.Scene, m *matrixMemo, width int) *matrixTable {
	t := &matrixTable{s: s, m: m, dense: s.Panes.Less, name: 10, spread: spreadWidth}
	if s.Lay.Class <= scene.Narrow {
		t.spread = 0
	}
	for i := range m.rows {
		t.name = max(t.name, cell.Width(m.rows[i].name))
	}
	t.name = min(t.name, max(width/5, 12))
	room := width - 2 - t.name - unitsWidth - t.spread - 1
	t.coming = comingOf(s.State)
	sum := 0
	for level, labels := range m.labels {
		t.packed, sum = level == 1, 0
		for _, w := range labels {
			sum += w + t.air()
		}
		if labels != nil && sum <= room {
			break
		}
	}
	if m.labels[0] == nil || sum > room {
		t.dense = true
	}
	across := s.Panes.List(scene.PaneColumns)
	workers := s.State.Workers
	across.Cursor = min(max(across.Cursor, 0), max(len(workers)-1, 0))
	each := make([]int, len(workers))
	for i := range workers {
		each[i] = t.columnWidth(i)
	}
	if !t.dense && len(workers) > 0 { // what is left over goes between the columns
		for i := range each {
			each[i] += min((room-sum)/len(workers), 12)
		}
	}
	t.order = t.ordered(each, room)
	t.first = t.scroll(each, room)
	for _, i := range t.order[min(t.first, len(t.order)):] {
		if room < each[i] && len(t.cols) > 0 {
			break
		}
		t.cols, t.width = append(t.cols, i), append(t.width, each[i])
		room -= each[i]
	}
	across.Rows, across.Height = len(workers), len(t.cols)
	return t
}

// air is what a column of labels has beside them: the cursor's place, and what parts it from the next.
func (t *matrixTable) air() int {
	if t.packed {
		return 3
	}
	return 4
}

func (t *matrixTable) columnWidth(i int) int {
	if !t.dense {
		level := 0
		if t.packed {
			level = 1
		}
		return t.m.labels[level][i] + t.air()
	}
	const least, most = 7, 15
	return min(max(cell.Width(t.s.State.Workers[i].Name)+3, least), most)
}

// ordered has the workers as they are; where not all find room, those that left and have units waiting stand first: they are why
// one looks.
func (t *matrixTable) ordered(each []int, room int) []int {
	sum := 0
	var waited, others []int
	for i, w := range each {
		sum += w
		if t.s.State.Workers[i].Gone && t.m.each[i] > 0 {
			waited = append(waited, i)
		} else {
			others = append(others, i)
		}
	}
	if sum <= room {
		waited, others = nil, nil
		for i := range each {
			others = append(others, i)
		}
	}
	return append(waited, others...)
}

// scroll is the first worker shown: no further from where it was than the cursor needs.
func (t *matrixTable) scroll(each []int, room int) int {
	across := t.s.Panes.List(scene.PaneColumns)
	first := min(across.Top, across.Cursor)
	for ; first < across.Cursor; first++ {
		sum := 0
		for i := first; i <= across.Cursor; i++ {
			sum += each[t.order[i]]
		}
		if sum <= room {
			break
		}
	}
	for ; first > 0; first-- { // no empty columns at the right while there are workers at the left
		sum := 0
		for _, i := range t.order[first-1:] {
			sum += each[i]
		}
		if sum > room {
			break
		}
	}
	across.Top = first
	return first
}

func (t *matrixTable) totals() int {
	if t.dense {
		return 1
	}
	return 2
}

// draw draws the table as it is, or as it will be, and says how many rows it took.
func (t *matrixTable) draw(r cell.Rect, list *ui.List, focused, ahead bool) int {
	s := t.s
	rows := max(r.H-2-t.totals()-1, 0)
	if ahead {
		rows = min(rows, len(t.m.rows))
	} else {
		list.Fit(len(t.m.rows), rows)
	}
	t.title(r, list, focused, ahead)
	t.head(r, ahead)
	last := min(list.Top+rows, len(t.m.rows))
	for i := list.Top; i < last; i++ {
		t.row(r, 2+i-list.Top, i, i == list.Cursor && !ahead, focused, ahead)
	}
	used := 2 + last - list.Top
	if len(t.m.rows) == 0 {
		l := s.Line(r, 2)
		l.Gap(2).Sentence(ui.Muted, noConnectors(s))
		return 4
	}
	used++
	t.sums(r, used, ahead)
	return used + t.totals()
}

func noConnectors(s *scene.Scene) string {
	switch {
	case !s.Panes.Filter.On() || len(s.State.Units) == 0:
		return "no unit is known"
	case s.Panes.Filter.String() == ui.OnlyLook:
		return "no unit needs a look"
	}
	return "no connector matches"
}

// cells deals the units of a row out to the columns that are seen.
func (t *matrixTable) cells(row *matrixRow, ahead bool) [][]int {
	out := make([][]int, len(t.cols))
	if len(t.cols) == 0 {
		return out
	}
	for i := row.from; i < row.to; i++ {
		u := &t.s.State.Units[i]
		at := t.m.place(u, &t.coming, ahead)
		if k := slices.Index(t.cols, at); k >= 0 {
			out[k] = append(out[k], i)
		}
	}
	return out
}

// selected are the units of the cell under the cursor.
func (t *matrixTable) selected(row int) []int {
	k := t.s.Panes.List(scene.PaneColumns).Cursor - t.first
	if row >= len(t.m.rows) || k < 0 || k >= len(t.cols) {
		return nil
	}
	return t.cells(&t.m.rows[row], false)[k]
}

func (t *matrixTable) row(r cell.Rect, n, i int, selected, focused, ahead bool) {
	s, row := t.s, &t.m.rows[i]
	l := s.Line(r, n)
	if selected {
		s.CursorAt(&l)
		l.Ground(ui.SelectGround(focused))
	}
	name := ui.Text
	if row.look > 0 {
		name = ui.Strong
	}
	l.At(2).Name(name, row.name, t.name).Number(ui.Muted, words.Thousands(row.to-row.from), unitsWidth)
	at := l.Used()
	for k, units := range t.cells(row, ahead) {
		l.At(at + 2)
		if selected && t.first+k == s.Panes.List(scene.PaneColumns).Cursor {
			l.At(at+1).Rune(ui.Strong, '▸', 1)
		}
		l.At(at + 3)
		t.cell(&l, units, t.width[k]-3, ahead, t.cols[k])
		at += t.width[k]
	}
	spread := row.spread
	if ahead {
		spread = t.spreadAhead(row)
	}
	style := ui.Text
	switch {
	case spread == 0:
		style = ui.Faint
	case spread > 1:
		style = ui.Bold
	}
	if t.spread > 0 {
		l.FromRight(t.spread).Number(style, words.Thousands(spread), t.spread-2)
	}
}

func (t *matrixTable) cell(l *cell.Line, units []int, width int, ahead bool, worker int) {
	states := t.s.State.Units
	switch {
	case len(units) == 0:
		if t.dense && !(ahead && t.s.State.Workers[worker].Gone) {
			l.Rune(ui.Faint, '·', 1)
		}
	case !t.dense:
		for n, run := range labelRuns(t.s.State, units, &t.coming, ahead, t.packed) {
			if n > 0 {
				l.Gap(1)
			}
			label := ui.Text
			if run.mark.Token == theme.Wrong {
				label = theme.Wrong.Bold()
			}
			l.Text(label, run.tasks).Rune(run.mark.Token.Plain(), run.mark.Glyph, 1)
		}
	case len(units) < width:
		for _, i := range units {
			m := t.coming.mark(&states[i], ahead)
			if states[i].Unit.IsInstance() && m.Token == theme.Running {
				l.Text(m.Token.Plain(), "c")
				continue
			}
			l.Rune(m.Token.Plain(), m.Glyph, 1)
		}
	default:
		worst := group.UnitRunning
		for _, i := range units {
			worst = min(worst, states[i].State)
		}
		m := label.UnitMarks[worst]
		l.Text(ui.Text, words.Thousands(len(units))).Rune(m.Token.Plain(), m.Glyph, 1)
	}
}
