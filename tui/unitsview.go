package tui

import (
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// unitsView is every unit in a flat list: what the group says of it, what the status topic says, and how old that is.
type unitsView struct {
	common
	memo *unitOrder
}

func newUnitsView() *unitsView { return &unitsView{newCommon(paneUnitList), &unitOrder{}} }

func (v *unitsView) copied() view { return &unitsView{v.common.copied(), v.memo} }

func (v *unitsView) open(*scene) action { return v.openIn(paneUnitList) }

func (v *unitsView) sheet(s *scene) *sheet { return unitSheet(s, v.filter.text, v.sort%len(unitSorts)) }

// goTo puts the cursor on a unit.
func (v *unitsView) goTo(u group.Unit) {
	v.at[paneUnitList] = u
	l := v.list(paneUnitList)
	l.moved, l.placed = false, true
	v.filter = filter{}
}

func (*unitsView) facts(s *scene) (left, right []factItem) {
	d := s.digest()
	left = []factItem{{[]piece{{muted, plural(d.all, "unit")}}, 20}}
	for k, n := range d.counts {
		if kind := group.UnitStateKind(k); n > 0 {
			left = append(left, factItem{[]piece{{text, count(n)}, {muted, " " + kind.String()}}, 19 - k})
		}
	}
	return left, sourceFacts(s)
}

func (v *unitsView) draw(s *scene, r cell.Rect) {
	if s.state == nil {
		return
	}
	by := s.panes.sort % len(unitSorts)
	rows := v.memo.of(s.state, s.panes.filter.text, by)
	focused := s.panes.pane(paneUnitList)
	list := s.panes.list(paneUnitList)
	if !list.placed {
		list.cursor, list.top = 0, 0
		delete(s.panes.at, paneUnitList)
	}
	stickTo(s.panes, paneUnitList, len(rows), func(i int) group.Unit { return s.state.Units[rows[i]].Unit }, func(u group.Unit) int {
		at, _ := s.state.Find(u)
		for i, row := range rows {
			if int(row) == at {
				return i
			}
		}
		return -1
	})
	below := 0
	if r.H >= 20 && len(rows) > 0 {
		below = min(max(r.H/3, 9), 15)
	}
	height := r.H - below
	if below > 0 {
		height = min(len(rows)+2, height-1)
	}
	list.fit(len(rows), height-2)
	drawUnitListTitle(s, r, list, unitSorts[by].name, focused)
	columns := unitColumns(s, rows[list.top:min(list.top+list.height, len(rows))], r.W)
	head := s.Line(r, 1)
	head.Gap(4)
	for _, c := range columns {
		head.Words(muted, c.head, c.width).Gap(c.gap)
	}
	for n := list.top; n < min(list.top+list.height, len(rows)); n++ {
		drawUnitRow(s, r, 2+n-list.top, int(rows[n]), columns, n == list.cursor, focused)
	}
	if len(rows) == 0 {
		l := s.Line(r, 2)
		l.Gap(4).Sentence(muted, noUnits(s))
		return
	}
	if below > 0 {
		drawUnitBrief(s, r.Rows(height+1, r.H), int(rows[list.cursor]))
	}
}

func noUnits(s *scene) string {
	switch {
	case len(s.state.Units) == 0:
		return "no unit is known"
	case s.panes.filter.text == onlyLook:
		return "no unit needs a look"
	}
	return "no unit matches"
}

func drawUnitListTitle(s *scene, r cell.Rect, list *list, sorted string, focused bool) {
	var note string
	switch all := len(s.state.Units); {
	case s.panes.filter.on():
		note = filterNote(s, focused) + "  " + count(list.rows) + " of " + count(all)
	case list.rows > list.height:
		note = count(list.top+1) + "-" + count(list.top+list.height) + " of " + count(all)
	default:
		note = count(all)
	}
	s.title(r, "Units", sorted, note, focused)
}

// unitColumn is one of the list's.
type unitColumn struct {
	head       string
	width, gap int
	draw       func(s *scene, l *cell.Line, i, w int)
}

// unitColumns are those that there is room for: what leaves first is what the group says, for state and worker say most of it;
// then since when, then the age, then what the status topic says.
func unitColumns(s *scene, visible []int32, room int) []unitColumn {
	name, worker, says := 8, 8, 12
	for _, i := range visible {
		u := &s.state.Units[i]
		name = max(name, cell.Width(u.Unit.String()))
		worker = max(worker, cell.Width(holder(s.state, u)))
		says = max(says, cell.Width(statusText(s, int(i)))+2)
	}
	wide := room >= 110
	limit, gap := 16, 2
	if wide {
		limit, gap = 30+(room-118)/4, 3
	}
	whole := name
	name, worker = min(name, limit), min(worker, limit/2+4)
	group := min(worker, 20) + 13
	out := []unitColumn{
		{"unit", name, gap, func(s *scene, l *cell.Line, i, w int) { l.Name(unitStyle(s, i), s.state.Units[i].Unit.String(), w) }},
		{"state", 10, gap, func(s *scene, l *cell.Line, i, w int) {
			m := unitMarks[s.state.Units[i].State]
			l.Words(m.token.Plain(), s.state.Units[i].State.String(), w)
		}},
		{"worker", worker, gap, func(s *scene, l *cell.Line, i, w int) {
			l.Name(workerStyle(s, i), holder(s.state, &s.state.Units[i]), w)
		}},
		{"since", 8, gap, func(s *scene, l *cell.Line, i, w int) { l.Words(muted, s.clock(s.state.Units[i].Since), w) }},
		{"group says", group, gap, func(s *scene, l *cell.Line, i, w int) { l.Words(text, groupText(s, i), w) }},
		{"status says", min(says, 40), gap, drawStatusText},
		{"age", 6, 0, func(s *scene, l *cell.Line, i, w int) { l.Words(muted, statusAge(s, i), w) }},
	}
	used := 4
	for _, c := range out {
		used += c.width + c.gap
	}
	const worthIt = 40
	if left := room - used - gap; left >= worthIt {
		out[len(out)-1].gap = gap
		return append(out, unitColumn{"why", left, 0, func(s *scene, l *cell.Line, i, _ int) { drawUnitReason(s, l, i) }})
	}
	for _, least := range []string{"group says", "since", "age", "status says"} {
		sum := 4
		for _, c := range out {
			sum += c.width + c.gap
		}
		if sum <= room+gap {
			break
		}
		for i, c := range out {
			if c.head == least {
				out = append(out[:i:i], out[i+1:]...)
				break
			}
		}
	}
	spare := room - 4
	for _, c := range out {
		spare -= c.width + c.gap
	}
	out[0].width = min(whole, name+max(spare, 0)) // what is left is the names'
	return out
}

// drawUnitRow draws one unit: the cursor, its mark, and the columns.
func drawUnitRow(s *scene, r cell.Rect, row, i int, columns []unitColumn, selected, focused bool) {
	l := s.Line(r, row)
	if selected {
		s.selected(&l, focused)
	}
	m := unitMarks[s.state.Units[i].State]
	l.At(2).Rune(m.token.Bold(), m.glyph, 1).Gap(1)
	for _, c := range columns {
		from := l.Used()
		c.draw(s, &l, i, min(c.width, max(l.Left(), 0)))
		l.At(from + c.width + c.gap)
	}
}

func selectGround(focused bool) theme.Ground {
	if focused {
		return theme.Select
	}
	return theme.Select2
}

// unitStyle underlines nothing and dims nothing: a unit that needs a look stands out.
func unitStyle(s *scene, i int) theme.Style {
	if needsLook(s.state.Units[i].State) {
		return bold
	}
	return text
}

func workerStyle(s *scene, i int) theme.Style {
	if s.state.Units[i].Worker < 0 {
		return muted
	}
	return text
}
