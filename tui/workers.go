package tui

import (
	"slices"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// column is one of the workers' table.
type column struct {
	head  string
	gap   int // before it
	width int
	right bool
	draw  func(s *scene, w *group.Worker) piece
}

// drawWorkers draws the table of workers and says how many rows it took: never more than a third of r, then it scrolls.
func drawWorkers(s *scene, r cell.Rect) int {
	focused := s.panes.pane(paneWorkers)
	heads := 2
	if s.lay.class <= classNarrow {
		heads = 1
	}
	shown := filteredWorkers(s, focused)
	rows := min(max(len(shown), 1), max(r.H/3-heads, leastWorkers))
	if len(shown) > rows {
		shown = changedFirst(shown)
	}
	list := s.panes.list(paneWorkers)
	stickTo(s.panes, paneWorkers, len(shown), func(i int) string { return shown[i].ID }, func(id string) int {
		return slices.IndexFunc(shown, func(w *group.Worker) bool { return w.ID == id })
	})
	list.fit(len(shown), rows)
	if heads == 2 {
		s.title(r.Rows(0, 1), workersTitle(s), filterNote(s, focused), workersNote(list, len(s.state.Workers)), focused)
	}
	visible := shown[list.top:min(list.top+rows, len(shown))]
	columns := workerColumns(s)
	hold := newHolds(s, visible, r.W-columnsWidth(columns), columns)
	head := s.Line(r, heads-1)
	head.Gap(2)
	for _, c := range columns {
		head.Gap(c.gap)
		put(&head, c, piece{muted, c.head})
	}
	hold.head(&head)
	for i, w := range visible {
		l := s.Line(r, heads+i)
		if focused && list.top+i == list.cursor {
			s.cursorAt(&l)
			l.Ground(selectGround(focused)).Gap(1).Rune(strong, '▸', 1).At(0)
		}
		drawChangeMark(s, &l, w)
		l.At(2)
		for _, c := range columns {
			l.Gap(c.gap)
			put(&l, c, c.draw(s, w))
		}
		hold.draw(&l, w)
		drawMember(s, &l, w)
	}
	if len(visible) == 0 {
		l := s.Line(r, heads)
		l.Gap(2).Sentence(muted, noWorkers(s))
	}
	return heads + rows
}

// leastWorkers is how many workers are seen however low the screen is.
const leastWorkers = 3

// changedFirst brings those that left, and then those that came, to the top of a list that does not show all: they are why one
// looks.
func changedFirst(ws []*group.Worker) []*group.Worker {
	out := make([]*group.Worker, 0, len(ws))
	for _, wanted := range []func(*group.Worker) bool{
		func(w *group.Worker) bool { return w.Gone || w.Change == "left" },
		func(w *group.Worker) bool { return !w.Gone && w.Change != "" && w.Change != "left" },
		func(w *group.Worker) bool { return !w.Gone && w.Change == "" },
	} {
		for _, w := range ws {
			if wanted(w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func noWorkers(s *scene) string {
	if s.panes.filter.on() && len(s.state.Workers) > 0 {
		return "no worker matches"
	}
	if s.state.Verdict.Word == "BLIND" || s.state.Reading() != nil {
		return "no worker is known"
	}
	return "no worker is in the group"
}

func filteredWorkers(s *scene, focused bool) []*group.Worker {
	out := make([]*group.Worker, 0, len(s.state.Workers))
	for i := range s.state.Workers {
		w := &s.state.Workers[i]
		if focused && s.panes.filter.on() && s.panes.filter.text != onlyLook && !s.panes.filter.matches(w.Name, w.URL, w.ID, w.Change) {
			continue
		}
		out = append(out, w)
	}
	return out
}

// filterNote is what is typed, behind the title of the pane that it belongs to.
func filterNote(s *scene, focused bool) string {
	f := s.panes.filter
	if !focused || !f.on() {
		return ""
	}
	if f.typing {
		return "/" + f.text + "█"
	}
	return "/" + f.text
}

func workersTitle(s *scene) string {
	r := s.state.Round()
	if r == nil || r.Polled {
		return "Workers"
	}
	return "Workers after round " + generation(r)
}

func workersNote(l *list, all int) string {
	if l.rows <= l.height && l.rows == all {
		return ""
	}
	return count(min(l.top+1, l.rows)) + "-" + count(min(l.top+l.height, l.rows)) + " of " + count(all)
}

func put(l *cell.Line, c column, p piece) {
	switch {
	case c.right:
		l.Number(p.style, p.text, c.width)
	default:
		l.Name(p.style, p.text, c.width)
	}
}

func columnsWidth(cs []column) int {
	w := 2
	for _, c := range cs {
		w += c.gap + c.width
	}
	return w
}

// A change is fresh for 5 s, then seen for 30; where one stands in the past it stays.
const (
	freshFor = 5 * time.Second
	seenFor  = 30 * time.Second
)

func drawChangeMark(s *scene, l *cell.Line, w *group.Worker) {
	token, changed := changeOf(w)
	r := s.state.Round()
	if r != nil && stoppedItself(s.state, w) {
		l.Rune(theme.Stopped.Plain(), '▌', 1)
		return
	}
	if !changed || r == nil {
		return
	}
	switch old := s.state.Now.Sub(r.At); {
	case s.state.Past || old < freshFor:
		l.Rune(token.Plain(), '▌', 1)
	case old < seenFor:
		l.Rune(token.Plain(), '▎', 1)
	}
}

func changeOf(w *group.Worker) (theme.Token, bool) {
	switch {
	case w.Change == "left":
		return theme.Delayed, true
	case w.Change != "":
		return theme.Started, true
	case w.Stopped+w.Dropped+w.Restarted > 0:
		return theme.Stopped, true
	case w.Started > 0:
		return theme.Started, true
	}
	return theme.Muted, false
}

// workerColumns are the columns that this width has room for, but for what the workers hold.
func workerColumns(s *scene) []column {
	width, ws := s.lay.class, s.state.Workers
	nameMax := map[class]int{classNarrow: 14, classSlim: 14, classMedium: 16, classWide: 20, classVast: 30}[width]
	name := column{head: "worker", width: 8, draw: workerName}
	rest := column{head: "rest", gap: 2, width: restWidth, draw: workerREST}
	version, differ := "", false // of those that say theirs
	for i := range ws {
		name.width = max(name.width, cell.Width(ws[i].Name))
		rest.width = max(rest.width, cell.Width(address(ws[i].URL)))
		if v := ws[i].Version; v != "" && !ws[i].Gone {
			differ = differ || version != "" && v != version
			version = v
		}
	}
	name.width, rest.width = min(name.width, nameMax), min(rest.width, nameMax+6)
	out := []column{name, {gap: 2, width: 6, draw: workerRole}}
	if width >= classWide {
		out = append(out, rest)
	}
	if width >= classVast && version != "" || width >= classWide && differ {
		out = append(out, column{head: "version", gap: 3, width: 7, draw: workerVersion})
	}
	wide := 2
	if width >= classMedium {
		wide = 3
	}
	number := func(head string, gap, digits int, n func(*group.Worker) int, some theme.Style) column {
		for i := range ws {
			digits = max(digits, len(count(n(&ws[i]))))
		}
		return column{head: head, gap: gap, width: digits, right: true, draw: numberCell(n, some)}
	}
	if width >= classSlim {
		gap := 2
		if width == classMedium {
			gap = 3
		}
		if out[len(out)-1].head == "version" {
			gap = 1
		}
		out = append(out,
			number("conn", gap, 4, func(w *group.Worker) int { return w.HeldConns }, text),
			number("task", 2, 4, func(w *group.Worker) int { return w.Held - w.HeldConns }, text))
	}
	out = append(out, number("kept", wide, 4, func(w *group.Worker) int { return w.Kept }, text),
		number("+", 3, 1, func(w *group.Worker) int { return w.Started }, theme.Started.Bold()),
		number("-", 3, 1, func(w *group.Worker) int { return w.Stopped }, theme.Stopped.Bold()))
	if r := s.state.Round(); r != nil && r.Restarted > 0 {
		out = append(out, number("◆", 3, 1, func(w *group.Worker) int { return w.Restarted }, theme.Stopped.Bold()))
	}
	if r := s.state.Round(); r != nil && r.Dropped > 0 {
		out = append(out, number("drop", 2, 4, func(w *group.Worker) int { return w.Dropped }, theme.Stopped.Bold()))
	}
	wait := number("wait", 2, 4, func(w *group.Worker) int { return w.Wait }, theme.Delayed.Bold())
	wait.draw = workerWait
	return append(out, wait)
}
