package units

import (
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// List is every unit in a flat list: what the group says of it, what the status topic says, and how old that is.
type List struct {
	scene.Common
	memo *parts.UnitOrder
	life *lifeMemo
}

// NewList is the list of units as the program begins with it.
func NewList() *List {
	return &List{scene.NewCommon(scene.PaneUnitList), &parts.UnitOrder{}, &lifeMemo{}}
}

// Copied implements scene.View.
func (v *List) Copied() scene.View { return &List{v.Common.Copied(), v.memo, v.life} }

// Open implements scene.View.
func (v *List) Open(*scene.Scene) scene.Action { return v.OpenIn(scene.PaneUnitList) }

// Sheet implements scene.View.
func (v *List) Sheet(s *scene.Scene) *scene.Sheet {
	return parts.UnitSheet(s, v.Filter.String(), v.Sort%len(parts.UnitSorts))
}

// GoTo puts the cursor on a unit.
func (v *List) GoTo(u group.Unit) {
	v.At[scene.PaneUnitList] = u
	l := v.List(scene.PaneUnitList)
	l.Moved, l.Placed = false, true
	v.Filter = ui.Filter{}
}

// Facts implements scene.View.
func (*List) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	d := s.Digest()
	left = []scene.FactItem{{[]ui.Piece{{ui.Muted, words.Plural(d.All, "unit")}}, 20}}
	for k, n := range d.Counts {
		if kind := group.UnitStateKind(k); n > 0 {
			left = append(left, scene.FactItem{[]ui.Piece{{ui.Text, words.Thousands(n)}, {ui.Muted, " " + kind.String()}}, 19 - k})
		}
	}
	return left, scene.SourceFacts(s)
}

// Draw implements scene.View.
func (v *List) Draw(s *scene.Scene, r cell.Rect) {
	if s.State == nil {
		return
	}
	by := s.Panes.Sort % len(parts.UnitSorts)
	rows := v.memo.Of(s.State, s.Panes.Filter.String(), by)
	focused := s.Panes.Pane(scene.PaneUnitList)
	list := s.Panes.List(scene.PaneUnitList)
	if !list.Placed {
		list.Cursor, list.Top = 0, 0
		delete(s.Panes.At, scene.PaneUnitList)
	}
	scene.StickTo(s.Panes, scene.PaneUnitList, len(rows), func(i int) group.Unit { return s.State.Units[rows[i]].Unit }, func(u group.Unit) int {
		at, _ := s.State.Find(u)
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
	list.Fit(len(rows), height-2)
	drawUnitListTitle(s, r, list, parts.UnitSorts[by].Name, focused)
	columns := unitColumns(s, rows[list.Top:min(list.Top+list.Height, len(rows))], r.W)
	head := s.Line(r, 1)
	head.Gap(4)
	for _, c := range columns {
		head.Words(ui.Muted, c.head, c.width).Gap(c.gap)
	}
	for n := list.Top; n < min(list.Top+list.Height, len(rows)); n++ {
		drawUnitRow(s, r, 2+n-list.Top, int(rows[n]), columns, n == list.Cursor, focused)
	}
	if len(rows) == 0 {
		l := s.Line(r, 2)
		l.Gap(4).Sentence(ui.Muted, parts.NoUnits(s))
		return
	}
	if below > 0 {
		drawUnitBrief(s, v.life, r.Rows(height+1, r.H), int(rows[list.Cursor]))
	}
}

func drawUnitListTitle(s *scene.Scene, r cell.Rect, list *ui.List, sorted string, focused bool) {
	var note string
	switch all := len(s.State.Units); {
	case s.Panes.Filter.On():
		note = scene.FilterNote(s, focused) + "  " + words.Thousands(list.Rows) + " of " + words.Thousands(all)
	case list.Rows > list.Height:
		note = words.Thousands(list.Top+1) + "-" + words.Thousands(list.Top+list.Height) + " of " + words.Thousands(all)
	default:
		note = words.Thousands(all)
	}
	s.Title(r, "Units", sorted, note, focused)
}

// unitColumn is one of the list's.
type unitColumn struct {
	head       string
	width, gap int
	draw       func(s *scene.Scene, l *cell.Line, i, w int)
}

// unitColumns are those that there is room for: what leaves first is what the group says, for state and worker say most of it;
// then since when, then the age, then what the status topic says.
func unitColumns(s *scene.Scene, visible []int32, room int) []unitColumn {
	name, worker, says := 8, 8, 12
	for _, i := range visible {
		u := &s.State.Units[i]
		name = max(name, cell.Width(u.Unit.String()))
		worker = max(worker, cell.Width(label.Holder(s.State, u)))
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
		{"unit", name, gap, func(s *scene.Scene, l *cell.Line, i, w int) {
			l.Name(unitStyle(s, i), s.State.Units[i].Unit.String(), w)
		}},
		{"state", 10, gap, func(s *scene.Scene, l *cell.Line, i, w int) {
			m := label.UnitMarks[s.State.Units[i].State]
			l.Words(m.Token.Plain(), s.State.Units[i].State.String(), w)
		}},
		{"worker", worker, gap, func(s *scene.Scene, l *cell.Line, i, w int) {
			l.Name(workerStyle(s, i), label.Holder(s.State, &s.State.Units[i]), w)
		}},
		{"since", 8, gap, func(s *scene.Scene, l *cell.Line, i, w int) { l.Words(ui.Muted, s.Clock(s.State.Units[i].Since), w) }},
		{"group says", group, gap, func(s *scene.Scene, l *cell.Line, i, w int) { l.Words(ui.Text, groupText(s, i), w) }},
		{"status says", min(says, 40), gap, drawStatusText},
		{"age", 6, 0, func(s *scene.Scene, l *cell.Line, i, w int) { l.Words(ui.Muted, statusAge(s, i), w) }},
	}
	used := 4
	for _, c := range out {
		used += c.width + c.gap
	}
	const worthIt = 40
	if left := room - used - gap; left >= worthIt {
		out[len(out)-1].gap = gap
		return append(out, unitColumn{"why", left, 0, func(s *scene.Scene, l *cell.Line, i, _ int) { parts.DrawUnitReason(s, l, i) }})
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
func drawUnitRow(s *scene.Scene, r cell.Rect, row, i int, columns []unitColumn, selected, focused bool) {
	l := s.Line(r, row)
	if selected {
		s.Selected(&l, focused)
	}
	m := label.UnitMarks[s.State.Units[i].State]
	l.At(2).Rune(m.Token.Bold(), m.Glyph, 1).Gap(1)
	for _, c := range columns {
		from := l.Used()
		c.draw(s, &l, i, min(c.width, max(l.Left(), 0)))
		l.At(from + c.width + c.gap)
	}
}

// unitStyle underlines nothing and dims nothing: a unit that needs a look stands out.
func unitStyle(s *scene.Scene, i int) theme.Style {
	if scene.NeedsLook(s.State.Units[i].State) {
		return ui.Bold
	}
	return ui.Text
}

func workerStyle(s *scene.Scene, i int) theme.Style {
	if s.State.Units[i].Worker < 0 {
		return ui.Muted
	}
	return ui.Text
}
