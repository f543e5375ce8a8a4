package tui

import (
	"slices"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
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
func flowWorkers(s *scene) []flowWorker {
	var out []flowWorker
	for i := range s.state.Workers {
		w := &s.state.Workers[i]
		role := w.Change
		if role == "" && w.Leader {
			role = "leader"
		}
		out = append(out, flowWorker{w.Worker, w.Name, role, w.Gone, &w.Member})
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
	s       *scene
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

func newFlowTable(s *scene, rows []group.FlowRow, visible []int32, first, width int) *flowTable {
	r, _ := s.round()
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
func (v *roundView) drawFlow(s *scene, r cell.Rect, rows []group.FlowRow) int {
	focused := s.panes.pane(paneFlow)
	shown := v.memo.shown
	stickTo(s.panes, paneFlow, len(shown), func(i int) group.Unit { return rows[shown[i]].Unit }, func(u group.Unit) int {
		return slices.IndexFunc(shown, func(i int32) bool { return rows[i].Unit == u })
	})
	list := s.panes.list(paneFlow)
	heads := 3
	list.fit(len(shown), max(r.H-heads-1, 0))
	visible := shown[list.top:min(list.top+list.height, len(shown))]
	t := newFlowTable(s, rows, visible, v.worker, r.W)
	t.title(r, list, focused, len(rows))
	t.heads(r)
	for n, i := range visible {
		t.row(r, heads+n, &rows[i], list.top+n == list.cursor, focused)
	}
	end := heads + len(visible)
	if len(visible) == 0 {
		l := s.Line(r, heads)
		word := "no unit is known"
		if len(rows) > 0 {
			word = "nothing but what was kept: z shows " + plural(len(rows), "unit")
		}
		l.Gap(2).Sentence(muted, word)
		end++
	}
	t.sums(r, end)
	return end + 1
}

func (t *flowTable) title(r cell.Rect, l *list, focused bool, all int) {
	round, _ := t.s.round()
	how := "reported - revoked + assigned = held"
	if t.eager {
		how = "eager: all is assigned anew"
	}
	note := plural(all, "unit")
	if t.s.hidesKept() {
		note = count(l.rows) + " of " + note
	}
	if l.rows > l.height {
		note = count(l.top+1) + "-" + count(min(l.top+l.height, l.rows)) + " of " + note
	}
	if len(t.workers) < t.all {
		note += " · workers " + count(t.first+1) + "-" + count(t.first+len(t.workers)) + " of " + count(t.all)
	}
	name := "Round " + generation(round)
	if cell.Width(name)+cell.Width(how)+cell.Width(note)+8 > r.W {
		how = ""
	}
	t.s.title(r, name, how, note, focused)
}

func (t *flowTable) heads(r cell.Rect) {
	names, parts := t.s.Line(r, 1), t.s.Line(r, 2)
	at := 2 + t.name + 2
	for _, w := range t.workers {
		names.At(at)
		style := strong
		if w.gone {
			style = muted
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
			parts.At(at).Words(muted, before, 10).Words(muted, "-", 3).Words(muted, "+", 3).Text(muted, "held")
		} else {
			parts.At(at).Text(role, cell.End(w.role, t.column-2))
		}
		at += t.column
	}
	if t.nobody {
		names.At(at).Text(muted, "nobody")
	}
}

func roleStyle(role string) theme.Style {
	switch role {
	case "left":
		return theme.Delayed.Bold()
	case "leader", "":
		return muted
	}
	return theme.Started.Bold()
}

// sums are the counts under the table.
func (t *flowTable) sums(r cell.Rect, n int) {
	l := t.s.Line(r, n)
	l.At(2).Words(muted, "units", t.name)
	at := 2 + t.name + 2
	number := func(x, n int, some theme.Style) {
		style := some
		if n == 0 {
			style = faint
		}
		digits := count(n)
		l.At(at+max(x+1-len(digits), 0)).Text(style, digits)
	}
	for _, w := range t.workers {
		before := w.m.Reported
		if t.eager {
			before = w.m.Kept + w.m.Stopped
		}
		switch {
		case w.gone && leftIn(t.s.state.Round(), w.number):
			number(3, w.m.Held, text)
		case w.gone:
		case t.full:
			number(3, before, text)
			number(10, w.m.Stopped, theme.Stopped.Bold())
			number(13, max(w.m.Assigned, w.m.Started)+w.m.Restarted, theme.Started.Bold())
			number(17, w.m.Held, text)
		default:
			number(1, w.m.Held, text)
		}
		at += t.column
	}
	round, _ := t.s.round()
	if t.nobody {
		l.At(at).Text(theme.Delayed.Bold(), count(round.Released+round.Delayed+round.Unassigned))
	}
}
