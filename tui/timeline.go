package tui

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// timelineView shows what ran where over time: a lane a worker, or a lane a unit.
type timelineView struct {
	common
	time timeState
}

func newTimelineView() *timelineView { return &timelineView{common: newCommon(paneTimeline)} }

func (v *timelineView) copied() view { return &timelineView{v.common.copied(), v.time} }

func (*timelineView) open(*scene) action { return openView{viewRound} }

func (v *timelineView) press(s *scene, what handlerID) action {
	switch {
	case s.live == nil:
	case what == doZoomIn:
		v.time.zoom(+1, v.anchor(s))
	case what == doZoomOut:
		v.time.zoom(-1, v.anchor(s))
	case what == doEarlier:
		v.time.pan(-1, s.live.Now)
	case what == doLater:
		v.time.pan(+1, s.live.Now)
	}
	return nil
}

// anchor is what stays where it is when columns become longer or shorter: the round stood on, else the middle, else now.
func (v *timelineView) anchor(s *scene) time.Time {
	if r := s.state.Round(); s.state.Past && r != nil {
		return r.At
	}
	if !v.time.end.IsZero() {
		return v.time.drawn.start(v.time.drawn.width / 2)
	}
	return s.live.Now
}

func (v *timelineView) draw(s *scene, r cell.Rect) {
	focused := s.panes.pane(paneTimeline)
	if s.live == nil || len(s.live.Rounds) == 0 {
		s.title(r, "Timeline", "", "", focused)
		l := s.Line(r, 1)
		l.Text(muted, "No round is known yet.")
		return
	}
	t := newTimeline(s, &v.time, r.W, s.panes.less)
	kind := "a lane a worker, as high as the units it holds"
	if t.units {
		kind = "a lane a unit"
	}
	rest := r.Rows(timeHeads, r.H)
	legendH := 0
	if rest.H >= 8 {
		legendH = 1
		t.legend(rest.Rows(rest.H-1, 1))
		rest = rest.Rows(0, rest.H-2)
	}
	if all, fit := t.count(rest.H); all > fit {
		list := s.panes.list(paneTimeline)
		list.window(all, fit)
		kind, _, _ = strings.Cut(kind, ",")
		kind += ", " + count(list.top+1) + "-" + count(list.top+fit) + " of " + count(all)
	}
	t.title(r, kind, focused)
	t.heads(r, 1)
	lanesH := t.wanted(rest.H)
	story := t.story(r.W)
	if left := rest.H - lanesH; left >= len(story)+2 && len(story) > 0 {
		t.drawStory(rest.Rows(rest.H-len(story)-1, len(story)+1), story)
		rest = rest.Rows(0, rest.H-len(story)-2)
	}
	t.lanes(rest)
	t.cursor(r.Rows(1, r.H-1-legendH-1), timeHeads-1+lanesH)
}

// timeHeads is how many rows lie above the lanes: title, times, numbers of rounds, their marks.
const timeHeads = 4

// timeline is how one is laid out.
type timeline struct {
	s     *scene
	units bool
	from  int // column at which lanes begin
	win   timeWindow
	memo  *timeMemo
	rows  []group.LaneUnit
	small bool // a pane of another view: it has no cursor line of its own
}

// count is how many lanes there are, and how many of them so many rows show.
func (t *timeline) count(rows int) (all, fit int) {
	if t.units {
		return len(t.rows), rows
	}
	seen := t.workersSeen()
	h := t.laneHeight(seen, rows)
	if rows >= leastDown {
		rows = min(len(seen)*h, rows-downRows)
	}
	return len(seen), max(rows/h, 1)
}

func newTimeline(s *scene, at *timeState, width int, units bool) *timeline {
	t := &timeline{s: s, units: units, memo: s.memo.time.of(s.live)}
	if units {
		t.from = t.unitWidths(nil)
	} else {
		t.from = t.nameWidth() + 2
	}
	t.win = at.window(s.live, s.state, max(width-t.from, 1))
	if units {
		t.rows = t.memo.rows(s.live, t.win)
	}
	return t
}

func (t *timeline) title(r cell.Rect, kind string, focused bool) {
	s := t.s
	to := s.clock(t.win.to())
	if !t.win.to().Before(s.live.Now) {
		to = s.clock(s.live.Now)
	}
	s.title(r, "Timeline", kind, s.clock(t.win.from)+" to "+to+", "+perText(t.win.per)+" a column", focused)
}

// heads are the times, and the rounds with their numbers and marks.
func (t *timeline) heads(r cell.Rect, row int) {
	s := t.s
	step, format := t.win.tick()
	// Local midnights and hours are where people look for them: not where UTC has them.
	_, offset := t.win.from.In(s.loc).Zone()
	shift := t.win.from.Add(secondsOf(offset)).Truncate(step).Add(-secondsOf(offset))
	ticks := s.Line(r, row)
	for at := shift; at.Before(t.win.to()); at = at.Add(step) {
		c := t.win.column(at)
		if label := at.In(s.loc).Format(format); c >= 0 && t.from+c+1+len(label) <= r.W {
			ticks.At(t.from+c).Rune(faint, '│', 1).Text(muted, label)
		}
	}
	t.roundNumbers(r, row+1)
	t.roundMarks(r, row+2)
}

// wanted is how many rows the lanes would like to have, of those that are left.
func (t *timeline) wanted(left int) int {
	if t.units {
		if n := t.airy(left); n <= left {
			return n
		}
		return min(len(t.rows), left)
	}
	return t.workerRows(left)
}

func (t *timeline) lanes(r cell.Rect) {
	if t.units {
		t.unitLanes(r)
		return
	}
	t.workerLanes(r)
}

// cursor lays a ground under the column of the round stood on.
func (t *timeline) cursor(r cell.Rect, height int) {
	round := t.s.state.Round()
	if round == nil || !t.s.state.Past {
		return
	}
	if c := t.win.column(round.At); c >= 0 && c < t.win.width {
		t.s.Tint(cell.Rect{X: r.X + t.from + c, Y: r.Y, W: 1, H: min(height, r.H)}, theme.Select)
	}
}

// story is what is told of the round that the cursor is on.
func (t *timeline) story(width int) []string {
	s := t.s
	if s.state.At < 0 || width < 40 {
		return nil
	}
	lines := cell.Wrap(s.live.Story(min(s.state.At, s.live.At)), width)
	return lines[:min(len(lines), 4)]
}

func (t *timeline) drawStory(r cell.Rect, lines []string) {
	round := t.s.state.Round()
	t.s.title(r, "Round "+generation(round), "", "at the cursor, "+t.s.clock(round.At), false)
	for i, line := range lines {
		l := t.s.Line(r, i+1)
		l.Text(text, line)
	}
}

// legend names what is drawn.
func (t *timeline) legend(r cell.Rect) {
	l := t.s.Line(r, 0)
	items := workerLegend
	if t.units {
		items = unitLegend
	}
	for i, item := range items {
		width := cell.Width(item.drawn) + 1 + cell.Width(item.means)
		if i > 0 {
			if l.Left() < width+3 {
				return
			}
			l.Gap(3)
		}
		l.Text(item.token.Plain(), item.drawn).Gap(1).Text(muted, item.means)
	}
	if cost := t.costPieces(); !t.units && l.Left() > widthOf(cost)+3 {
		l.FromRight(widthOf(cost))
		t.s.pieces(&l, cost)
	}
}

var (
	workerLegend = []sign{{theme.Running, "■", "units held"}, {theme.Stopped, "■", "stopped"}, {theme.Delayed, "░", "delayed"}, {theme.Wrong, "!▁", "failed"}}
	unitLegend   = []sign{
		{theme.Running, "1━", "runs, on worker 1"},
		{theme.Stopped, "▼·", "stopped"},
		{theme.Stopped, "◆", "restarted"},
		{theme.Delayed, "░", "delayed"},
		{theme.Wrong, "═", "claimed twice"},
		{theme.Wrong, "!┄", "failed"},
		{theme.Wrong, "x┄", "unassigned"},
		{theme.Muted, "p─", "paused"},
	}
)

// visibleRounds are the indices of the rounds in the window.
func (t *timeline) visibleRounds() (from, to int) {
	rounds := t.s.live.Rounds
	from, _ = slices.BinarySearchFunc(rounds, t.win.from, func(r *group.Round, at timeT) int { return r.At.Compare(at) })
	to, _ = slices.BinarySearchFunc(rounds, t.win.to(), func(r *group.Round, at timeT) int { return r.At.Compare(at) })
	return from, to
}
