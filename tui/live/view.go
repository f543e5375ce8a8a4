package live

import (
	"strconv"
	"strings"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/lanes"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// View is the first view of a group: workers, the rounds, the round stood on, units by state, and events.
type View struct {
	scene.Common
	memo *lanes.Memo
}

// New is the view as the program begins with it.
func New() *View { return &View{scene.NewCommon(scene.PaneRounds), &lanes.Memo{}} }

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied(), v.memo} }

// paneViews are the views that show more of what a pane shows.
var paneViews = map[scene.PaneID]keys.View{scene.PaneRounds: keys.Round, scene.PaneWorkers: keys.Matrix, scene.PaneUnits: keys.Units, scene.PaneEvents: keys.Events}

// Open implements scene.View.
func (v *View) Open(*scene.Scene) scene.Action {
	if id, ok := paneViews[v.Focus]; ok {
		return scene.OpenView{id}
	}
	return nil
}

// Text implements scene.View.
func (v *View) Text(s *scene.Scene) string {
	if v.Focus == scene.PaneWorkers {
		return s.WorkersText()
	}
	return v.Common.Text(s)
}

// Sheet implements scene.View.
func (v *View) Sheet(s *scene.Scene) *scene.Sheet {
	switch v.Focus {
	case scene.PaneWorkers:
		return parts.WorkerSheet(s.State)
	case scene.PaneRounds:
		return roundSheet(s.Live)
	case scene.PaneEvents:
		return parts.EventSheet(s.State, "", "")
	}
	return parts.UnitSheet(s, v.Filter.String(), 1)
}

// Draw implements scene.View.
func (v *View) Draw(s *scene.Scene, r cell.Rect) {
	if s.State == nil {
		return
	}
	used := drawWorkers(s, r)
	r = r.Rows(used+1, r.H)
	if h := timePaneHeight(s, v.memo, r.H); h > 0 {
		drawTimePane(s, v.memo, r.Rows(r.H-h, h))
		r = r.Rows(0, r.H-h-1)
	}
	switch {
	case s.Lay.Class >= scene.Medium:
		parts.DrawRounds(s, r.Columns(0, s.Lay.RoundsWidth))
		drawSide(s, r.Columns(s.Lay.RoundsWidth+s.Lay.Gap, r.W))
	case s.Lay.Class == scene.Slim && r.H > 8:
		parts.DrawRounds(s, r.Rows(0, r.H-3))
		drawRoundInTwoLines(s, r.Rows(r.H-2, 2))
	default:
		drawRoundInOneLine(s, s.Lay.Counts)
		parts.DrawRounds(s, r)
	}
}

// minEvents is how many rows events need to be worth their title.
const minEvents = 3

// drawSide stacks the round, the units and the events. When they do not all fit the events go first, then the second lines of
// the units. Where there is room each has a least height, so that nothing jumps when a line comes or goes.
func drawSide(s *scene.Scene, r cell.Rect) {
	round := roundLines(s, r.W)
	flat := s.Lay.Class >= scene.Vast
	var units [][]ui.Piece
	if !flat {
		units = unitLines(s, r.W, true)
	}
	const leastRound, leastUnits = 9, 5
	needed := len(round) + 2 + len(units) + 1
	if needed > r.H && !flat {
		units = unitLines(s, r.W, false)
		needed = len(round) + 2 + len(units) + 1
	}
	roundH, unitsH := len(round)+1, len(units)+1
	spare := max(r.H-needed-minEvents-1, 0)
	grow := min(spare, max(leastRound-roundH, 0))
	roundH, spare = roundH+grow, spare-grow
	unitsH += min(spare, max(leastUnits-unitsH, 0))
	if roundH > r.H-4 { // the units' title and a few lines are worth more than the end of the story
		roundH = max(r.H-4, 3)
	}
	drawRoundPane(s, r.Rows(0, roundH), round)
	rest := r.Rows(roundH+1, r.H)
	if flat {
		unitsH = flatUnitsHeight(s, rest.H)
		drawFlatUnits(s, rest.Rows(0, unitsH))
	} else {
		drawUnits(s, rest.Rows(0, unitsH), units)
	}
	if rest = rest.Rows(unitsH+1, rest.H); rest.H >= minEvents {
		drawEvents(s, rest)
	}
}

// A timeline under the other panes needs a vast screen, and leaves them most of it.
const timePaneLeast = 9

// timePaneHeight is how many of left rows the timeline of the live view takes; 0: there is no room for one.
func timePaneHeight(s *scene.Scene, memo *lanes.Memo, left int) int {
	if s.Lay.Class < scene.Vast || s.Live == nil || len(s.Live.Rounds) == 0 || left < 34 {
		return 0
	}
	room := left*9/20 - lanes.TimeHeads - 2
	t := newTimePane(s, memo, s.Lay.Body.W, room)
	h := lanes.TimeHeads + t.Wanted(room) + 2
	if h < timePaneLeast {
		return 0
	}
	return h
}

func newTimePane(s *scene.Scene, memo *lanes.Memo, width, room int) *lanes.Timeline {
	t := lanes.New(s, memo, &lanes.Zoom{}, width, true) // here nobody zooms
	if len(t.Rows) == 0 || len(t.Rows) > room {
		t = lanes.New(s, memo, &lanes.Zoom{}, width, false)
	}
	t.Small = true
	return t
}

// drawTimePane is the timeline under the panes of the live view.
func drawTimePane(s *scene.Scene, memo *lanes.Memo, r cell.Rect) {
	t := newTimePane(s, memo, r.W, r.H-lanes.TimeHeads-2)
	kind := "a lane a worker"
	if t.Units {
		kind = "a lane a unit"
	}
	t.Title(r, kind, false)
	t.Heads(r, 1)
	rest := r.Rows(lanes.TimeHeads, r.H)
	t.Legend(rest.Rows(rest.H-1, 1))
	rest = rest.Rows(0, rest.H-2)
	t.Lanes(rest)
	t.Cursor(r.Rows(1, r.H-3), lanes.TimeHeads-1+rest.H)
}

func roundSheet(s *group.State) *scene.Sheet {
	out := &scene.Sheet{Name: "rounds", Head: []string{
		"generation", "at", "why", "workers", "kept", "started", "stopped", "restarted", "dropped", "delayed", "unassigned", "moved", "eager_would_stop", "unit_s_low", "unit_s_high", "settled",
	}}
	for i, r := range s.Rounds {
		low, high := "", ""
		if c, ok := s.Cost(r); ok {
			low, high = strconv.FormatFloat(c.Low.Seconds(), 'f', 3, 64), strconv.FormatFloat(c.High.Seconds(), 'f', 3, 64)
		}
		row := []string{strings.ReplaceAll(label.Generation(r), ",", ""), scene.When(r.At), label.LongWhy(r, label.Before(s.Rounds, i))}
		for _, n := range []int{r.Workers, r.Kept, r.Started, r.Stopped, r.Restarted, r.Dropped, r.Delayed, r.Unassigned, r.Moved, r.EagerWouldStop} {
			row = append(row, strconv.Itoa(n))
		}
		out.Rows = append(out.Rows, append(row, low, high, strconv.FormatBool(r.Settled)))
	}
	return out
}

// drawEvents is what was seen, newest first; of a past round what was seen around it.
func drawEvents(s *scene.Scene, r cell.Rect) {
	focused := s.Panes.Pane(scene.PaneEvents)
	name := "Events"
	if s.State.Past {
		name = "Events around this round"
	}
	s.Title(r, name, scene.FilterNote(s, focused), "", focused)
	events := s.State.Events
	list := s.Panes.List(scene.PaneEvents)
	list.Window(len(events), r.H-1)
	row := 1
	for i := len(events) - 1 - list.Top; i >= 0 && row < r.H; i-- {
		e := &events[i]
		l := s.Line(r, row)
		l.Words(ui.Muted, s.Clock(e.At), 8).Gap(2).Words(ui.Muted, parts.SourceOf(e), 6).Gap(2)
		l.Sentence(parts.EventStyle(e), parts.EventText(s, e, l.Left()))
		row++
	}
	if len(events) == 0 {
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "nothing was seen yet")
	}
}

// roundLines are the lines of the pane that tells the round shown: its story, its counts, and what comes next or came of it.
func roundLines(s *scene.Scene, width int) [][]ui.Piece {
	r, prev := s.Round()
	if r == nil {
		return [][]ui.Piece{{{ui.Muted, "No round is known yet."}}}
	}
	out := parts.StoryLines(label.Story(r, prev, s.State.Workers, width < parts.NarrowPane), width)
	out = append(out, wrapPieces(countPieces(r, width < parts.NarrowPane), countGap(width), width)...)
	if line := parts.CostPieces(s, r, width < parts.NarrowPane); line != nil {
		out = append(out, line)
	}
	if cost := parts.EagerCost(s, r); cost != "" {
		out = append(out, []ui.Piece{{ui.Muted, "under eager "}, {ui.Text, cost + " unit-s"}, {ui.Muted, " down"}})
	}
	if next := parts.NextLines(s, r, width); len(next) > 0 {
		out = append(append(out, nil), next...)
	}
	return out
}

// countGap lies between the counts of a round: what they need on a slim pane.
func countGap(width int) int {
	if width < parts.NarrowPane {
		return 2
	}
	return 3
}

// countPieces are pairs: a number and its word, or its glyph.
func countPieces(r *group.Round, narrow bool) []ui.Piece {
	if r.Empty() {
		return nil
	}
	var out []ui.Piece
	add := func(n int, what string, some theme.Style) {
		style := some
		if n == 0 {
			style = theme.Faint.Bold()
		}
		out = append(out, ui.Piece{style, words.Thousands(n)}, ui.Piece{ui.Muted, " " + what})
	}
	add(r.Kept, "kept", ui.Bold)
	started, stopped := "started", "stopped"
	if narrow {
		started, stopped = "▲", "▼"
	}
	add(r.Started, started, theme.Started.Bold())
	add(r.Stopped, stopped, theme.Stopped.Bold())
	always := len(out)
	for _, c := range []struct {
		n    int
		what string
		some theme.Style
	}{
		{r.Restarted, "restarted", theme.Stopped.Bold()},
		{r.Dropped, "dropped", theme.Stopped.Bold()},
		{r.Delayed, parts.WaitWords(r), theme.Delayed.Bold()},
		{r.Unassigned, "unassigned", theme.Wrong.Bold()},
		{r.Twice, "twice", theme.Wrong.Bold()},
		{r.Moved, "moved", ui.Bold},
	} {
		if c.n > 0 {
			add(c.n, c.what, c.some)
		}
	}
	if len(out) == always {
		add(0, "wait", ui.Text)
	}
	return out
}

// wrapPieces lays pairs of pieces out in lines, gap columns between them.
func wrapPieces(ps []ui.Piece, gap, width int) [][]ui.Piece {
	var out [][]ui.Piece
	var line []ui.Piece
	used := 0
	for i := 0; i+1 < len(ps); i += 2 {
		w := cell.Width(ps[i].Text) + cell.Width(ps[i+1].Text)
		if used > 0 && used+gap+w > width {
			out, line, used = append(out, line), nil, 0
		}
		if used > 0 {
			line = append(line, ui.Piece{ui.Text, strings.Repeat(" ", gap)})
			used += gap
		}
		line = append(line, ps[i], ps[i+1])
		used += w
	}
	if len(line) > 0 {
		out = append(out, line)
	}
	return out
}

func drawRoundPane(s *scene.Scene, r cell.Rect, lines [][]ui.Piece) {
	name := "Round"
	round, _ := s.Round()
	if round != nil {
		name = "Round " + label.Generation(round)
	}
	s.Title(r, name, "", parts.RoundNote(s, round), false)
	for i, line := range lines[:min(len(lines), max(r.H-1, 0))] {
		l := s.Line(r, i+1)
		if hidden := len(lines) - i; hidden > 1 && i == r.H-2 {
			l.Sentence(ui.Muted, "… "+words.Plural(hidden, "more line")+", enter tells all")
			return
		}
		s.Pieces(&l, line)
	}
}

// drawRoundInOneLine is what a narrow screen has room for: what the round did.
func drawRoundInOneLine(s *scene.Scene, r cell.Rect) {
	round, _ := s.Round()
	if round == nil || round.Empty() {
		return
	}
	l := s.Line(r, 0)
	l.Text(ui.Muted, "Round "+label.Generation(round)+": ")
	drawCounts(s, &l, round)
}

// drawCounts are a round's counts in a row: what it stopped always, else only what there is.
func drawCounts(s *scene.Scene, l *cell.Line, round *group.Round) {
	ps := countPieces(round, false)
	for i := 0; i+1 < len(ps); i += 2 {
		if i > 0 && ps[i].Text == "0" && ps[i+1].Text != " stopped" {
			continue
		}
		if i > 0 {
			l.Text(ui.Muted, ", ")
		}
		s.Pieces(l, ps[i:i+2])
	}
}

// drawRoundInTwoLines is the round pane of a slim screen.
func drawRoundInTwoLines(s *scene.Scene, r cell.Rect) {
	round, _ := s.Round()
	if round == nil {
		return
	}
	l := s.Line(r, 0)
	if line := parts.NextInOneLine(s, r.W); line != nil {
		s.Pieces(&l, line)
	} else if next := parts.NextLines(s, round, r.W); len(next) > 0 {
		s.Pieces(&l, next[0])
		for _, more := range next[1:] {
			l.Gap(1)
			s.Pieces(&l, more)
		}
	}
	l = s.Line(r, 1)
	drawCounts(s, &l, round)
	if line := parts.CostPieces(s, round, true); line != nil {
		l.Text(ui.Muted, " · ")
		s.Pieces(&l, line)
	}
}
