package lanes

import (
	"slices"
	"time"

	"regroup/group"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// TimeHeads is how many rows lie above the lanes: title, times, numbers of rounds, their marks.
const TimeHeads = 4

// Timeline is how one is laid out.
type Timeline struct {
	s     *scene.Scene
	Units bool
	from  int // column at which lanes begin
	win   Window
	memo  *Memo
	Rows  []group.LaneUnit
	Small bool // a pane of another view: it has no cursor line of its own
}

// Count is how many lanes there are, and how many of them so many rows show.
func (t *Timeline) Count(rows int) (all, fit int) {
	if t.Units {
		return len(t.Rows), rows
	}
	seen := t.workersSeen()
	h := t.laneHeight(seen, rows)
	if rows >= leastDown {
		rows = min(len(seen)*h, rows-downRows)
	}
	return len(seen), max(rows/h, 1)
}

// New is the view as the program begins with it.
func New(s *scene.Scene, memo *Memo, at *Zoom, width int, units bool) *Timeline {
	t := &Timeline{s: s, Units: units, memo: memo.of(s.Live)}
	if units {
		t.from = t.unitWidths(nil)
	} else {
		t.from = t.nameWidth() + 2
	}
	t.win = at.window(s.Live, s.State, max(width-t.from, 1))
	if units {
		t.Rows = t.memo.rows(s.Live, t.win)
	}
	return t
}

// Title draws the title of a timeline.
func (t *Timeline) Title(r cell.Rect, kind string, focused bool) {
	s := t.s
	to := s.Clock(t.win.To())
	if !t.win.To().Before(s.Live.Now) {
		to = s.Clock(s.Live.Now)
	}
	s.Title(r, "Timeline", kind, s.Clock(t.win.From)+" to "+to+", "+perText(t.win.Per)+" a column", focused)
}

// Heads are the times, and the rounds with their numbers and marks.
func (t *Timeline) Heads(r cell.Rect, row int) {
	s := t.s
	step, format := t.win.Tick()
	// Local midnights and hours are where people look for them: not where UTC has them.
	_, offset := t.win.From.In(s.Loc).Zone()
	shift := t.win.From.Add(secondsOf(offset)).Truncate(step).Add(-secondsOf(offset))
	ticks := s.Line(r, row)
	for at := shift; at.Before(t.win.To()); at = at.Add(step) {
		c := t.win.Column(at)
		if label := at.In(s.Loc).Format(format); c >= 0 && t.from+c+1+len(label) <= r.W {
			ticks.At(t.from+c).Rune(ui.Faint, '│', 1).Text(ui.Muted, label)
		}
	}
	t.roundNumbers(r, row+1)
	t.roundMarks(r, row+2)
}

// Wanted is how many rows the lanes would like to have, of those that are left.
func (t *Timeline) Wanted(left int) int {
	if t.Units {
		if n := t.airy(left); n <= left {
			return n
		}
		return min(len(t.Rows), left)
	}
	return t.workerRows(left)
}

// Lanes draws the lanes.
func (t *Timeline) Lanes(r cell.Rect) {
	if t.Units {
		t.unitLanes(r)
		return
	}
	t.workerLanes(r)
}

// Cursor lays a ground under the column of the round stood on.
func (t *Timeline) Cursor(r cell.Rect, height int) {
	round := t.s.State.Round()
	if round == nil || !t.s.State.Past {
		return
	}
	if c := t.win.Column(round.At); c >= 0 && c < t.win.Width {
		t.s.Tint(cell.Rect{X: r.X + t.from + c, Y: r.Y, W: 1, H: min(height, r.H)}, theme.Select)
	}
}

// Story is what is told of the round that the cursor is on.
func (t *Timeline) Story(width int) []string {
	s := t.s
	if s.State.At < 0 || width < 40 {
		return nil
	}
	lines := cell.Wrap(s.Live.Story(min(s.State.At, s.Live.At)), width)
	return lines[:min(len(lines), 4)]
}

// DrawStory draws the story of the round at the cursor.
func (t *Timeline) DrawStory(r cell.Rect, lines []string) {
	round := t.s.State.Round()
	t.s.Title(r, "Round "+label.Generation(round), "", "at the cursor, "+t.s.Clock(round.At), false)
	for i, line := range lines {
		l := t.s.Line(r, i+1)
		l.Text(ui.Text, line)
	}
}

// Legend names what is drawn.
func (t *Timeline) Legend(r cell.Rect) {
	l := t.s.Line(r, 0)
	items := workerLegend
	if t.Units {
		items = unitLegend
	}
	for i, item := range items {
		width := cell.Width(item.Drawn) + 1 + cell.Width(item.Means)
		if i > 0 {
			if l.Left() < width+3 {
				return
			}
			l.Gap(3)
		}
		l.Text(item.Token.Plain(), item.Drawn).Gap(1).Text(ui.Muted, item.Means)
	}
	if cost := t.costPieces(); !t.Units && l.Left() > ui.WidthOf(cost)+3 {
		l.FromRight(ui.WidthOf(cost))
		t.s.Pieces(&l, cost)
	}
}

var (
	workerLegend = []ui.Sign{{theme.Running, "■", "units held"}, {theme.Stopped, "■", "stopped"}, {theme.Delayed, "░", "delayed"}, {theme.Wrong, "!▁", "failed"}}
	unitLegend   = []ui.Sign{
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
func (t *Timeline) visibleRounds() (from, to int) {
	rounds := t.s.Live.Rounds
	from, _ = slices.BinarySearchFunc(rounds, t.win.From, func(r *group.Round, at time.Time) int { return r.At.Compare(at) })
	to, _ = slices.BinarySearchFunc(rounds, t.win.To(), func(r *group.Round, at time.Time) int { return r.At.Compare(at) })
	return from, to
}

func secondsOf(n int) time.Duration { return time.Duration(n) * time.Second }

// roundNumbers are the generations above the lanes; of those that would overlap the first and the last.
func (t *Timeline) roundNumbers(r cell.Rect, row int) {
	l := t.s.Line(r, row)
	l.Text(ui.Muted, cell.End("round", t.from-1))
	from, to := t.visibleRounds()
	rounds := t.s.Live.Rounds
	for i := from; i < to; {
		c := t.win.Column(rounds[i].At)
		word, last := label.Generation(rounds[i]), i
		place := func(c int, word string) int { return min(t.from+c, r.W-len(word)) }
		for last+1 < to && place(t.win.Column(rounds[last+1].At), label.Generation(rounds[last+1])) < place(c, word)+len(word)+1 {
			last++
			word = label.Generation(rounds[i]) + "-" + label.Generation(rounds[last])
		}
		style := ui.Text
		if t.s.State.At >= i && t.s.State.At <= last && t.s.State.Past {
			style = ui.Strong
		}
		if at := place(c, word); at >= t.from {
			l.At(at).Text(style, word)
		}
		i = last + 1
	}
}

// roundMarks are one glyph a column: the worst that a round in it did.
func (t *Timeline) roundMarks(r cell.Rect, row int) {
	from, to := t.visibleRounds()
	rounds := t.s.Live.Rounds
	best := make([]int, t.win.Width) // index in roundSigns plus 1
	for i := from; i < to; i++ {
		c := t.win.Column(rounds[i].At)
		if k := int(rounds[i].Mark(label.Before(rounds, i))) + 1; c >= 0 && c < len(best) && k > best[c] {
			best[c] = k
		}
	}
	l := t.s.Line(r, row)
	for c, k := range best {
		if k > 0 {
			l.At(t.from+c).Rune(RoundSigns[k-1].Token.Plain(), RoundSigns[k-1].Glyph, 1)
		}
	}
}

// RoundSigns draw what a round was above all, by group.RoundMark.
var RoundSigns = []LaneCell{
	{'│', theme.Muted},
	{'▲', theme.Started},
	{'◆', theme.Stopped},
	{'▼', theme.Stopped},
	{'░', theme.Delayed},
	{'&', theme.Wrong},
	{'x', theme.Wrong},
	{'!', theme.Wrong},
}

// costPieces are what the rounds in the window cost together.
func (t *Timeline) costPieces() []ui.Piece {
	from, to := t.visibleRounds()
	var sum group.Cost
	for _, r := range t.s.Live.Rounds[from:to] {
		sum = sum.Plus(t.s.Live.CostOf(r))
	}
	if sum.Units == 0 {
		return nil
	}
	return []ui.Piece{{ui.Bold, parts.CostText(sum)}, {ui.Muted, " unit-s down from " + t.s.Clock(t.win.From) + " to " + t.s.Clock(t.win.To())}}
}
