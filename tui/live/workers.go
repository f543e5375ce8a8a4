package live

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// column is one of the workers' table.
type column struct {
	head  string
	gap   int // before it
	width int
	right bool
	draw  func(s *scene.Scene, w *group.Worker) ui.Piece
}

// drawWorkers draws the table of workers and says how many rows it took: never more than a third of r, then it scrolls.
func drawWorkers(s *scene.Scene, r cell.Rect) int {
	focused := s.Panes.Pane(scene.PaneWorkers)
	heads := 2
	if s.Lay.Class <= scene.Narrow {
		heads = 1
	}
	shown := filteredWorkers(s, focused)
	rows := min(max(len(shown), 1), max(r.H/3-heads, leastWorkers))
	if len(shown) > rows {
		shown = changedFirst(shown)
	}
	list := s.Panes.List(scene.PaneWorkers)
	scene.StickTo(s.Panes, scene.PaneWorkers, len(shown), func(i int) string { return shown[i].ID }, func(id string) int {
		return slices.IndexFunc(shown, func(w *group.Worker) bool { return w.ID == id })
	})
	list.Fit(len(shown), rows)
	if heads == 2 {
		s.Title(r.Rows(0, 1), workersTitle(s), scene.FilterNote(s, focused), workersNote(list, len(s.State.Workers)), focused)
	}
	visible := shown[list.Top:min(list.Top+rows, len(shown))]
	columns := workerColumns(s)
	hold := newHolds(s, visible, r.W-columnsWidth(columns), columns)
	head := s.Line(r, heads-1)
	head.Gap(2)
	for _, c := range columns {
		head.Gap(c.gap)
		put(&head, c, ui.Piece{ui.Muted, c.head})
	}
	hold.head(&head)
	for i, w := range visible {
		l := s.Line(r, heads+i)
		if focused && list.Top+i == list.Cursor {
			s.CursorAt(&l)
			l.Ground(ui.SelectGround(focused)).Gap(1).Rune(ui.Strong, '▸', 1).At(0)
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
		l.Gap(2).Sentence(ui.Muted, noWorkers(s))
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
		func(w *group.Worker) bool { return w.Gone || w.Change == group.WorkerLeft },
		func(w *group.Worker) bool { return !w.Gone && w.Change != "" && w.Change != group.WorkerLeft },
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

func noWorkers(s *scene.Scene) string {
	if s.Panes.Filter.On() && len(s.State.Workers) > 0 {
		return "no worker matches"
	}
	if s.State.Verdict.Word == group.VerdictBlind || s.State.Reading() != nil {
		return "no worker is known"
	}
	return "no worker is in the group"
}

func filteredWorkers(s *scene.Scene, focused bool) []*group.Worker {
	out := make([]*group.Worker, 0, len(s.State.Workers))
	for i := range s.State.Workers {
		w := &s.State.Workers[i]
		if focused && s.Panes.Filter.On() && s.Panes.Filter.String() != ui.OnlyLook && !s.Panes.Filter.Matches(w.Name, w.URL, w.ID, string(w.Change)) {
			continue
		}
		out = append(out, w)
	}
	return out
}

func workersTitle(s *scene.Scene) string {
	r := s.State.Round()
	if r == nil || r.Polled {
		return "Workers"
	}
	return "Workers after round " + label.Generation(r)
}

func workersNote(l *ui.List, all int) string {
	if l.Rows <= l.Height && l.Rows == all {
		return ""
	}
	return words.Thousands(min(l.Top+1, l.Rows)) + "-" + words.Thousands(min(l.Top+l.Height, l.Rows)) + " of " + words.Thousands(all)
}

func put(l *cell.Line, c column, p ui.Piece) {
	switch {
	case c.right:
		l.Number(p.Style, p.Text, c.width)
	default:
		l.Name(p.Style, p.Text, c.width)
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

func drawChangeMark(s *scene.Scene, l *cell.Line, w *group.Worker) {
	token, changed := changeOf(w)
	r := s.State.Round()
	if r != nil && parts.StoppedItself(s.State, w) {
		l.Rune(theme.Stopped.Plain(), '▌', 1)
		return
	}
	if !changed || r == nil {
		return
	}
	switch old := s.State.Now.Sub(r.At); {
	case s.State.Past || old < freshFor:
		l.Rune(token.Plain(), '▌', 1)
	case old < seenFor:
		l.Rune(token.Plain(), '▎', 1)
	}
}

func changeOf(w *group.Worker) (theme.Token, bool) {
	switch {
	case w.Change == group.WorkerLeft:
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
func workerColumns(s *scene.Scene) []column {
	width, ws := s.Lay.Class, s.State.Workers
	nameMax := map[scene.Class]int{scene.Narrow: 14, scene.Slim: 14, scene.Medium: 16, scene.Wide: 20, scene.Vast: 30}[width]
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
	if width >= scene.Wide {
		out = append(out, rest)
	}
	if width >= scene.Vast && version != "" || width >= scene.Wide && differ {
		out = append(out, column{head: "version", gap: 3, width: 7, draw: workerVersion})
	}
	wide := 2
	if width >= scene.Medium {
		wide = 3
	}
	number := func(head string, gap, digits int, n func(*group.Worker) int, some theme.Style) column {
		for i := range ws {
			digits = max(digits, len(words.Thousands(n(&ws[i]))))
		}
		return column{head: head, gap: gap, width: digits, right: true, draw: numberCell(n, some)}
	}
	if width >= scene.Slim {
		gap := 2
		if width == scene.Medium {
			gap = 3
		}
		if out[len(out)-1].head == "version" {
			gap = 1
		}
		out = append(out,
			number("conn", gap, 4, func(w *group.Worker) int { return w.HeldConns }, ui.Text),
			number("task", 2, 4, func(w *group.Worker) int { return w.Held - w.HeldConns }, ui.Text))
	}
	out = append(out, number("kept", wide, 4, func(w *group.Worker) int { return w.Kept }, ui.Text),
		number("+", 3, 1, func(w *group.Worker) int { return w.Started }, theme.Started.Bold()),
		number("-", 3, 1, func(w *group.Worker) int { return w.Stopped }, theme.Stopped.Bold()))
	if r := s.State.Round(); r != nil && r.Restarted > 0 {
		out = append(out, number("◆", 3, 1, func(w *group.Worker) int { return w.Restarted }, theme.Stopped.Bold()))
	}
	if r := s.State.Round(); r != nil && r.Dropped > 0 {
		out = append(out, number("drop", 2, 4, func(w *group.Worker) int { return w.Dropped }, theme.Stopped.Bold()))
	}
	wait := number("wait", 2, 4, func(w *group.Worker) int { return w.Wait }, theme.Delayed.Bold())
	wait.draw = workerWait
	return append(out, wait)
}

// numberCell leaves zeros faint; a worker that is gone has no numbers but its wait.
func numberCell(n func(*group.Worker) int, some theme.Style) func(*scene.Scene, *group.Worker) ui.Piece {
	return func(_ *scene.Scene, w *group.Worker) ui.Piece {
		switch v := n(w); {
		case w.Gone:
			return ui.Piece{}
		case v == 0:
			return ui.Piece{ui.Faint, "0"}
		default:
			return ui.Piece{some, words.Thousands(v)}
		}
	}
}

func workerWait(_ *scene.Scene, w *group.Worker) ui.Piece {
	if w.Wait == 0 {
		if w.Gone {
			return ui.Piece{}
		}
		return ui.Piece{ui.Faint, "0"}
	}
	return ui.Piece{theme.Delayed.Bold(), words.Thousands(w.Wait)}
}

func workerName(_ *scene.Scene, w *group.Worker) ui.Piece {
	if w.Gone {
		return ui.Piece{ui.Muted, w.Name}
	}
	return ui.Piece{ui.Strong, w.Name}
}

func workerRole(_ *scene.Scene, w *group.Worker) ui.Piece {
	switch {
	case w.Change == group.WorkerLeft:
		return ui.Piece{theme.Delayed.Bold(), "left"}
	case w.Change != "":
		return ui.Piece{theme.Started.Bold(), string(w.Change)}
	case w.Gone:
		return ui.Piece{theme.Delayed.Plain(), "left"}
	case w.Leader:
		return ui.Piece{ui.Muted, "leader"}
	}
	return ui.Piece{}
}

func workerVersion(_ *scene.Scene, w *group.Worker) ui.Piece { return ui.Piece{ui.Muted, w.Version} }

func workerREST(s *scene.Scene, w *group.Worker) ui.Piece {
	switch {
	case w.Gone && !w.Last.IsZero():
		return ui.Piece{ui.Muted, "heard " + s.Clock(w.Last)}
	case w.Gone:
		return ui.Piece{ui.Muted, address(w.URL)}
	case w.REST != "" && w.REST != "ok" && w.REST != "internal":
		return ui.Piece{theme.Wrong.Plain(), "! " + restTrouble(w.REST)}
	}
	return ui.Piece{ui.Text, address(w.URL)}
}

// restWidth is the least that the column of addresses has.
const restWidth = 15

// restTrouble is what is wrong with a worker's REST interface as a column has room for it: events and the unit's view have it whole.
func restTrouble(why string) string {
	short, _, _ := strings.Cut(why, ":")
	if cell.Width(short) > restWidth-2 {
		return "no REST"
	}
	return short
}

// drawMember ends the line of a vast screen with the member id and the config offset.
func drawMember(s *scene.Scene, l *cell.Line, w *group.Worker) {
	if s.Lay.Class < scene.Vast {
		return
	}
	l.FromRight(memberWidth).Name(ui.Muted, shortMember(w.ID), memberWidth-18)
	if !w.Gone || w.ConfigOffset > 0 {
		l.Gap(2).Number(ui.Muted, words.Thousands(int(w.ConfigOffset)), 6)
	}
}

const memberWidth = 40

// shortMember is a member id as its client id and eight digits of the rest.
func shortMember(id string) string {
	const uuid = 36
	if n := len(id) - uuid; n > 0 && strings.Count(id[n:], "-") == 4 {
		return id[:n+8]
	}
	return id
}

// address is a URL's host and port.
func address(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	return strings.TrimSuffix(url, "/")
}
