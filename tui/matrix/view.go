package matrix

import (
	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// View is connectors down and workers across, one mark a unit.
type View struct {
	scene.Common
	predict bool // it shows what comes next
	memo    *matrixMemo
}

// New is the view as the program begins with it.
func New() *View {
	return &View{Common: scene.NewCommon(scene.PaneMatrix), predict: true, memo: &matrixMemo{}}
}

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied(), v.predict, v.memo} }

// Open implements scene.View.
func (v *View) Open(*scene.Scene) scene.Action { return v.OpenIn(scene.PaneCell) }

// Target implements scene.View.
func (v *View) Target(s *scene.Scene) actions.Target {
	if k, ok := v.At[scene.PaneMatrix].(matrixKey); ok && v.Focus == scene.PaneMatrix {
		return actions.Target{Connector: k.connector}
	}
	return v.Common.Target(s)
}

// Sheet implements scene.View.
func (v *View) Sheet(s *scene.Scene) *scene.Sheet { return parts.UnitSheet(s, v.Filter.String(), 1) }

// Press implements scene.View.
func (v *View) Press(_ *scene.Scene, what keys.ID) scene.Action {
	switch columns := v.List(scene.PaneColumns); what {
	case keys.DoColumnBefore:
		columns.Move(-1)
	case keys.DoColumnAfter:
		columns.Move(+1)
	case keys.DoPredict:
		v.predict = !v.predict
	}
	return nil
}

// Facts implements scene.View.
func (*View) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	living := 0
	for i := range s.State.Workers {
		if !s.State.Workers[i].Gone {
			living++
		}
	}
	by := matrixSorts[s.Panes.Sort%len(matrixSorts)].name
	left = []scene.FactItem{
		{[]ui.Piece{{ui.Muted, words.Plural(s.State.Connectors, "connector") + " × " + words.Plural(living, "worker")}}, 20},
		{[]ui.Piece{{ui.Muted, words.Plural(len(s.State.Units), "unit")}}, 15},
	}
	if s.State.Past || s.Recorded() {
		return left, scene.SourceFacts(s)
	}
	return left, []scene.FactItem{{[]ui.Piece{{ui.Muted, "s sorted " + by}}, 5}}
}

// Draw implements scene.View.
func (v *View) Draw(s *scene.Scene, r cell.Rect) {
	if s.State == nil {
		return
	}
	m := v.memo.of(s.State, s.Panes.Filter.String(), s.Panes.Sort%len(matrixSorts))
	t := newMatrixTable(s, m, r.W)
	focused := s.Panes.Pane(scene.PaneMatrix)
	list := s.Panes.List(scene.PaneMatrix)
	scene.StickTo(s.Panes, scene.PaneMatrix, len(m.rows), func(i int) matrixKey { return matrixKey{m.rows[i].name} }, func(k matrixKey) int {
		for i := range m.rows {
			if m.rows[i].name == k.connector {
				return i
			}
		}
		return -1
	})
	list.Fit(len(m.rows), list.Height)
	units := t.selected(list.Cursor)
	legend, detail := 0, 0
	if r.H >= 14 && len(m.rows) > 0 {
		detail = min(max(len(units), 2), max(r.H/6, 3)) + 2
	}
	if r.H >= 20 || r.H >= len(m.rows)+t.totals()+3+detail+3 {
		legend = 3
	}
	ahead := t.round
	below := 0
	if ahead != nil && v.predict {
		if need := len(m.rows) + t.totals() + 4; need+len(m.rows)+t.totals()+4+legend+detail <= r.H {
			below = need
		}
	}
	main := r.Rows(0, r.H-legend-detail-below)
	used := t.draw(main, list, focused, false)
	if below > 0 {
		used += 1 + t.draw(r.Rows(used+1, below), list, false, true)
	}
	if detail > 0 {
		at := max(used+1, 0)
		t.drawCell(r.Rows(at, min(detail, r.H-legend-at)), list.Cursor, units)
	}
	if legend > 0 {
		drawMatrixLegend(s, r.Rows(r.H-2, 2), t.dense)
	}
}

func drawMatrixLegend(s *scene.Scene, r cell.Rect, dense bool) {
	l := s.Line(r, 0)
	for _, k := range []struct {
		kind group.UnitStateKind
		word string
	}{
		{group.UnitRunning, "running"},
		{group.UnitStarting, "starts"},
		{group.UnitStopping, "stops"},
		{group.UnitRestarting, "restarting"},
		{group.UnitDelayed, "delayed"},
		{group.UnitFailed, "failed"},
		{group.UnitDuplicated, "duplicated"},
		{group.UnitReleased, "released"},
		{group.UnitUnassigned, "unassigned"},
	} {
		if l.Left() < cell.Width(k.word)+2 {
			break
		}
		m := label.UnitMarks[k.kind]
		l.Rune(m.Token.Bold(), m.Glyph, 1).Gap(1).Text(ui.Muted, k.word).Gap(2)
	}
	l = s.Line(r, 1)
	words := []string{"c the connector itself, 0 1 2 its tasks.", "spread: most minus fewest units of it on one worker.", "@ orphaned claim"}
	if dense {
		words = []string{"c the connector itself.", "spread: most minus fewest units of it on one worker.", "12! many units, the worst of them"}
	}
	for i, w := range words {
		if l.Left() < cell.Width(w)+2 {
			continue
		}
		if i > 0 {
			l.Gap(2)
		}
		l.Text(ui.Muted, w)
	}
}

// drawCell lists the units of the cell under the cursor.
func (t *matrixTable) drawCell(r cell.Rect, row int, units []int) {
	s := t.s
	if r.H < 2 || row >= len(t.m.rows) {
		return
	}
	focused := s.Panes.Pane(scene.PaneCell)
	name := cell.Middle(t.m.rows[row].name, 30)
	if at := s.Panes.List(scene.PaneColumns).Cursor; at < len(t.order) {
		name += " on " + s.State.Workers[t.order[at]].Name
	}
	note := "tab, enter opens a unit"
	if focused {
		note = "enter opens a unit"
	}
	scene.StickTo(s.Panes, scene.PaneCell, len(units), func(i int) group.Unit { return s.State.Units[units[i]].Unit }, func(u group.Unit) int {
		for i, at := range units {
			if s.State.Units[at].Unit == u {
				return i
			}
		}
		return -1
	})
	list := s.Panes.List(scene.PaneCell)
	list.Fit(len(units), r.H-1)
	if list.Rows > list.Height {
		note = words.Thousands(list.Top+1) + "-" + words.Thousands(list.Top+list.Height) + " of " + words.Thousands(list.Rows) + " · " + note
	}
	s.Title(r, name, "", note, focused)
	if len(units) == 0 {
		l := s.Line(r, 1)
		l.Gap(2).Sentence(ui.Muted, "nothing of it")
	}
	digits := 1
	for _, i := range units {
		digits = max(digits, len(label.TaskText(s.State.Units[i].Unit)))
	}
	for n := range min(list.Height, len(units)-list.Top) {
		u := &s.State.Units[units[list.Top+n]]
		l := s.Line(r, n+1)
		if focused && list.Top+n == list.Cursor {
			s.Selected(&l, true)
		}
		m := label.UnitMarks[u.State]
		l.At(2).Number(ui.Text, label.TaskText(u.Unit), digits).Gap(1).Rune(m.Token.Bold(), m.Glyph, 1).Gap(1).Words(m.Token.Plain(), u.State.String(), 11)
		since := ""
		if !u.Since.IsZero() {
			since = "since " + s.Clock(u.Since)
		}
		l.Words(ui.Muted, since, 16)
		parts.DrawUnitReason(s, &l, units[list.Top+n])
	}
}
