package round

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

// flowWorker is a worker of the table: a member of the round, or one that left in it.
type flowWorker struct {
	number int32
	name   string
	role   string
	gone   bool
	m      *group.Member
}

// flowWorkers are the workers of the round, those that it told something first where not all fit.
func flowWorkers(s *scene.Scene) []flowWorker {
	var out []flowWorker
	for i := range s.State.Workers {
		w := &s.State.Workers[i]
		role := w.Change
		if role == "" && w.Leader {
			role = "leader"
		}
		out = append(out, flowWorker{w.Worker, w.Name, string(role), w.Gone, &w.Member})
	}
	return out
}

func leftIn(r *group.Round, worker int32) bool {
	return slices.ContainsFunc(r.Left, func(g group.Gone) bool { return g.Worker == worker })
}

// told says whether the round told a worker anything.
func (w *flowWorker) told() bool {
	return w.role != "" && w.role != "leader" || w.m.Assigned+w.m.Revoked+w.m.Restarted+w.m.Dropped > 0
}

// flowTable is how the table of a round is laid out.
type flowTable struct {
	s       *scene.Scene
	workers []flowWorker // that are shown
	first   int          // of all, in the order shown
	all     int
	name    int // width of a unit's name
	column  int // width of a worker
	full    bool
	eager   bool
	nobody  bool
}

// fullColumn is what reported, -, + and held of a worker take; slimColumn is one mark and air.
const fullColumn, slimColumn = 22, 8

func newFlowTable(s *scene.Scene, rows []group.FlowRow, visible []int32, first, width int) *flowTable {
	r, _ := s.Round()
	workers := flowWorkers(s)
	t := &flowTable{s: s, name: 8, column: fullColumn, full: true, eager: r.Mode == group.ModeEager}
	for _, i := range visible {
		row := &rows[i]
		t.name = max(t.name, cell.Width(row.Unit.String()))
		here := func(w flowWorker) bool { return w.number == row.Last }
		t.nobody = t.nobody || row.Nobody && !slices.ContainsFunc(workers, here)
	}
	t.name = min(t.name, max(width/4, 10))
	room := width - 2 - t.name - 2
	if t.nobody {
		room -= len("nobody") + 2
	}
	t.all = len(workers)
	if t.column*len(workers) > room {
		t.column, t.full = slimColumn, false
		for _, w := range workers {
			t.column = max(t.column, min(cell.Width(w.name)+2, 16))
		}
	}
	if t.full && len(workers) > 0 {
		t.column += min((room-t.column*len(workers))/len(workers), 6)
	}
	fit := max(room/t.column, 1)
	if fit < len(workers) {
		slices.SortStableFunc(workers, func(a, b flowWorker) int { return rankTold(&a) - rankTold(&b) })
		t.first = min(first%len(workers), len(workers)-fit)
		workers = workers[t.first : t.first+fit]
	}
	t.workers = workers
	return t
}

func rankTold(w *flowWorker) int {
	if w.told() {
		return 0
	}
	return 1
}

// drawFlow draws the table of a round and says how many rows it took.
func (v *View) drawFlow(s *scene.Scene, r cell.Rect, rows []group.FlowRow) int {
	focused := s.Panes.Pane(scene.PaneFlow)
	shown := v.memo.shown
	scene.StickTo(s.Panes, scene.PaneFlow, len(shown), func(i int) group.Unit { return rows[shown[i]].Unit }, func(u group.Unit) int {
		return slices.IndexFunc(shown, func(i int32) bool { return rows[i].Unit == u })
	})
	list := s.Panes.List(scene.PaneFlow)
	heads := 3
	list.Fit(len(shown), max(r.H-heads-1, 0))
	visible := shown[list.Top:min(list.Top+list.Height, len(shown))]
	t := newFlowTable(s, rows, visible, v.worker, r.W)
	t.title(r, list, focused, len(rows))
	t.heads(r)
	for n, i := range visible {
		t.row(r, heads+n, &rows[i], list.Top+n == list.Cursor, focused)
	}
	end := heads + len(visible)
	if len(visible) == 0 {
		l := s.Line(r, heads)
		word := "no unit is known"
		if len(rows) > 0 {
			word = "nothing but what was kept: z shows " + words.Plural(len(rows), "unit")
		}
		l.Gap(2).Sentence(ui.Muted, word)
		end++
	}
	t.sums(r, end)
	return end + 1
}

func (t *flowTable) title(r cell.Rect, l *ui.List, focused bool, all int) {
	round, _ := t.s.Round()
	how := "reported - revoked + assigned = held"
	if t.eager {
		how = "eager: all is assigned anew"
	}
	note := words.Plural(all, "unit")
	if hidesKept(t.s) {
		note = words.Thousands(l.Rows) + " of " + note
	}
	if l.Rows > l.Height {
		note = words.Thousands(l.Top+1) + "-" + words.Thousands(min(l.Top+l.Height, l.Rows)) + " of " + note
	}
	if len(t.workers) < t.all {
		note += " · workers " + words.Thousands(t.first+1) + "-" + words.Thousands(t.first+len(t.workers)) + " of " + words.Thousands(t.all)
	}
	name := "Round " + label.Generation(round)
	if cell.Width(name)+cell.Width(how)+cell.Width(note)+8 > r.W {
		how = ""
	}
	t.s.Title(r, name, how, note, focused)
}

func (t *flowTable) heads(r cell.Rect) {
	names, parts := t.s.Line(r, 1), t.s.Line(r, 2)
	at := 2 + t.name + 2
	for _, w := range t.workers {
		names.At(at)
		style := ui.Strong
		if w.gone {
			style = ui.Muted
		}
		nameWidth := t.column - 2
		if t.full && w.role != "" {
			nameWidth = t.column - 2 - cell.Width(w.role) - 1
		}
		name := cell.Middle(w.name, nameWidth)
		names.Text(style, name)
		role := roleStyle(w.role)
		if t.full {
			names.Gap(1).Text(role, w.role)
			before := "reported"
			if t.eager {
				before = "before"
			}
			parts.At(at).Words(ui.Muted, before, 10).Words(ui.Muted, "-", 3).Words(ui.Muted, "+", 3).Text(ui.Muted, "held")
		} else {
			parts.At(at).Text(role, cell.End(w.role, t.column-2))
		}
		at += t.column
	}
	if t.nobody {
		names.At(at).Text(ui.Muted, "nobody")
	}
}

func roleStyle(role string) theme.Style {
	switch role {
	case "left":
		return theme.Delayed.Bold()
	case "leader", "":
		return ui.Muted
	}
	return theme.Started.Bold()
}

// sums are the counts under the table.
func (t *flowTable) sums(r cell.Rect, n int) {
	l := t.s.Line(r, n)
	l.At(2).Words(ui.Muted, "units", t.name)
	at := 2 + t.name + 2
	number := func(x, n int, some theme.Style) {
		style := some
		if n == 0 {
			style = ui.Faint
		}
		digits := words.Thousands(n)
		l.At(at+max(x+1-len(digits), 0)).Text(style, digits)
	}
	for _, w := range t.workers {
		before := w.m.Reported
		if t.eager {
			before = w.m.Kept + w.m.Stopped
		}
		switch {
		case w.gone && leftIn(t.s.State.Round(), w.number):
			number(3, w.m.Held, ui.Text)
		case w.gone:
		case t.full:
			number(3, before, ui.Text)
			number(10, w.m.Stopped, theme.Stopped.Bold())
			number(13, max(w.m.Assigned, w.m.Started)+w.m.Restarted, theme.Started.Bold())
			number(17, w.m.Held, ui.Text)
		default:
			number(1, w.m.Held, ui.Text)
		}
		at += t.column
	}
	round, _ := t.s.Round()
	if t.nobody {
		l.At(at).Text(theme.Delayed.Bold(), words.Thousands(round.Released+round.Delayed+round.Unassigned))
	}
}

func (t *flowTable) row(r cell.Rect, n int, row *group.FlowRow, selected, focused bool) {
	l := t.s.Line(r, n)
	if selected && focused {
		l.Ground(theme.Select)
	}
	changed := differs(t.s, row)
	switch {
	case selected:
		t.s.CursorAt(&l)
		l.Rune(ui.Strong, '▸', 1)
	case changed:
		token := changeToken(row)
		l.Rune(token.Plain(), '▌', 1)
	}
	name := ui.Text
	if changed {
		name = ui.Strong
	}
	l.At(2).Name(name, row.Unit.String(), t.name)
	at, shown := 2+t.name+2, false
	for _, w := range t.workers {
		here := row.Nobody && row.Last == w.number
		var marks group.FlowMark
		for _, c := range row.Cells {
			if c.Worker == w.number {
				marks = c.Marks
			}
		}
		if marks != 0 || here {
			t.cell(&l, at, marks, w.gone && marks != 0, row, here)
		}
		shown = shown || here
		at += t.column
	}
	if row.Nobody && !shown {
		m := label.UnitMarks[row.Kind]
		l.At(at).Rune(m.Token.Bold(), m.Glyph, 1)
	}
}

// changeToken is the colour of what a round did about a unit: the stop before the start.
func changeToken(row *group.FlowRow) theme.Token {
	if row.Nobody {
		return label.UnitMarks[row.Kind].Token
	}
	for _, c := range row.Cells {
		if c.Marks&(group.FlowRevoked|group.FlowDropped|group.FlowRestarted) != 0 {
			return theme.Stopped
		}
	}
	return theme.Started
}

// flowMarks are what happened to a unit on a worker: how it began, what it was told, how it ended.
func (t *flowTable) marks(m group.FlowMark) (before, stop, start, held rune) {
	had, wasEager := m.Has(group.FlowReported), leavesEager(t.s)
	if t.eager {
		had = m.Has(group.FlowBefore)
	}
	if had || wasEager && m.Has(group.FlowBefore) || m.Has(group.FlowDropped) {
		before = '■'
	}
	switch {
	case m.Has(group.FlowRevoked), m.Has(group.FlowDropped):
		stop = '▼'
	case m.Has(group.FlowBefore) && wasEager:
		stop = '▼'
	}
	switch {
	case m.Has(group.FlowRestarted):
		stop, start = 0, '◆'
	case t.eager && m.Has(group.FlowHeld) && !(m.Has(group.FlowBefore) && !wasEager): // a downgrade stops nothing
		start = '▲'
	case !t.eager && (m.Has(group.FlowAssigned) || wasEager && m.Has(group.FlowHeld)):
		start = '▲'
	}
	if m.Has(group.FlowHeld) {
		held = '■'
	}
	return before, stop, start, held
}

// cell draws one unit on one worker. here says that this worker had it last, and nobody has it now.
func (t *flowTable) cell(l *cell.Line, at int, m group.FlowMark, gone bool, row *group.FlowRow, here bool) {
	before, stop, start, held := t.marks(m)
	heldToken := theme.Running
	if here {
		held, heldToken = label.UnitMarks[row.Kind].Glyph, label.UnitMarks[row.Kind].Token
	}
	if gone {
		before = '■'
	}
	put := func(x int, glyph rune, token theme.Token) {
		if glyph != 0 {
			l.At(at+x).Rune(token.Plain(), glyph, 1)
		}
	}
	startToken := theme.Started
	if start == '◆' {
		startToken = theme.Stopped
	}
	if t.full {
		put(3, before, theme.Running)
		put(10, stop, theme.Stopped)
		put(13, start, startToken)
		put(17, held, heldToken)
		return
	}
	switch { // one mark says it all
	case here && stop == 0:
		put(1, held, heldToken)
	case start == '▲' && stop != 0:
		put(1, '◆', theme.Stopped)
	case start != 0:
		put(1, start, startToken)
	case stop != 0:
		put(1, stop, theme.Stopped)
	default:
		put(1, held, theme.Running)
	}
}
