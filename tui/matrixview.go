package tui

import (
	"regroup/actions"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// matrixView is connectors down and workers across, one mark a unit.
type matrixView struct {
	common
	predict bool // it shows what comes next
	memo    *matrixMemo
}

func newMatrixView() *matrixView {
	return &matrixView{common: newCommon(paneMatrix), predict: true, memo: &matrixMemo{}}
}

func (v *matrixView) copied() view { return &matrixView{v.common.copied(), v.predict, v.memo} }

func (v *matrixView) open(*scene) action { return v.openIn(paneCell) }

func (v *matrixView) target(s *scene) actions.Target {
	if k, ok := v.at[paneMatrix].(matrixKey); ok && v.focus == paneMatrix {
		return actions.Target{Connector: k.connector}
	}
	return v.common.target(s)
}

func (v *matrixView) press(_ *scene, what handlerID) action {
	switch columns := v.list(paneColumns); what {
	case doColumnBefore:
		columns.move(-1)
	case doColumnAfter:
		columns.move(+1)
	case doPredict:
		v.predict = !v.predict
	}
	return nil
}

func (*matrixView) facts(s *scene) (left, right []factItem) {
	living := 0
	for i := range s.state.Workers {
		if !s.state.Workers[i].Gone {
			living++
		}
	}
	by := matrixSorts[s.panes.sort%len(matrixSorts)].name
	left = []factItem{
		{[]piece{{muted, plural(s.state.Connectors, "connector") + " × " + plural(living, "worker")}}, 20},
		{[]piece{{muted, plural(len(s.state.Units), "unit")}}, 15},
	}
	if s.state.Past || s.recorded() {
		return left, sourceFacts(s)
	}
	return left, []factItem{{[]piece{{muted, "s sorted " + by}}, 5}}
}

func (v *matrixView) draw(s *scene, r cell.Rect) {
	if s.state == nil {
		return
	}
	m := v.memo.of(s.state, s.panes.filter.text, s.panes.sort%len(matrixSorts))
	t := newMatrixTable(s, m, r.W)
	focused := s.panes.pane(paneMatrix)
	list := s.panes.list(paneMatrix)
	stickTo(s.panes, paneMatrix, len(m.rows), func(i int) matrixKey { return matrixKey{m.rows[i].name} }, func(k matrixKey) int {
		for i := range m.rows {
			if m.rows[i].name == k.connector {
				return i
			}
		}
		return -1
	})
	list.fit(len(m.rows), list.height)
	units := t.selected(list.cursor)
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
		t.drawCell(r.Rows(at, min(detail, r.H-legend-at)), list.cursor, units)
	}
	if legend > 0 {
		drawMatrixLegend(s, r.Rows(r.H-2, 2), t.dense)
	}
}

func drawMatrixLegend(s *scene, r cell.Rect, dense bool) {
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
		m := unitMarks[k.kind]
		l.Rune(m.token.Bold(), m.glyph, 1).Gap(1).Text(muted, k.word).Gap(2)
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
		l.Text(muted, w)
	}
}

// drawCell lists the units of the cell under the cursor.
func (t *matrixTable) drawCell(r cell.Rect, row int, units []int) {
	s := t.s
	if r.H < 2 || row >= len(t.m.rows) {
		return
	}
	focused := s.panes.pane(paneCell)
	name := cell.Middle(t.m.rows[row].name, 30)
	if at := s.panes.list(paneColumns).cursor; at < len(t.order) {
		name += " on " + s.state.Workers[t.order[at]].Name
	}
	note := "tab, enter opens a unit"
	if focused {
		note = "enter opens a unit"
	}
	stickTo(s.panes, paneCell, len(units), func(i int) group.Unit { return s.state.Units[units[i]].Unit }, func(u group.Unit) int {
		for i, at := range units {
			if s.state.Units[at].Unit == u {
				return i
			}
		}
		return -1
	})
	list := s.panes.list(paneCell)
	list.fit(len(units), r.H-1)
	if list.rows > list.height {
		note = count(list.top+1) + "-" + count(list.top+list.height) + " of " + count(list.rows) + " · " + note
	}
	s.title(r, name, "", note, focused)
	if len(units) == 0 {
		l := s.Line(r, 1)
		l.Gap(2).Sentence(muted, "nothing of it")
	}
	digits := 1
	for _, i := range units {
		digits = max(digits, len(taskText(s.state.Units[i].Unit)))
	}
	for n := range min(list.height, len(units)-list.top) {
		u := &s.state.Units[units[list.top+n]]
		l := s.Line(r, n+1)
		if focused && list.top+n == list.cursor {
			s.selected(&l, true)
		}
		m := unitMarks[u.State]
		l.At(2).Number(text, taskText(u.Unit), digits).Gap(1).Rune(m.token.Bold(), m.glyph, 1).Gap(1).Words(m.token.Plain(), u.State.String(), 11)
		since := ""
		if !u.Since.IsZero() {
			since = "since " + s.clock(u.Since)
		}
		l.Words(muted, since, 16)
		drawUnitReason(s, &l, units[list.top+n])
	}
}

// drawUnitReason is the last column of a unit's line: its trace, the claim that does not fit, or the newest status.
func drawUnitReason(s *scene, l *cell.Line, i int) {
	u := &s.state.Units[i]
	switch said, ok := s.state.Saying(i); {
	case u.State == group.UnitFailed:
		l.Sentence(text, traceWords(u.Trace, u.Unit))
	case u.State == group.UnitDuplicated || !ok:
		drawEvidence(l, s.state, i)
	case u.Orphaned:
		l.Text(theme.Delayed.Plain(), "@ ").Sentence(muted, "status still claims RUNNING on "+said.Worker)
	default:
		l.Sentence(muted, "status "+said.State+", generation "+count(int(said.Generation)))
	}
}
