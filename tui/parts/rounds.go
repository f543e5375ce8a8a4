package parts

import (
	"slices"
	"strconv"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// DrawRounds draws the list of rounds, newest first.
func DrawRounds(s *scene.Scene, r cell.Rect) {
	focused := s.Panes.Pane(scene.PaneRounds)
	heads := 2
	if s.Lay.Class <= scene.Narrow {
		heads = 1
	}
	rounds := s.Live.Rounds
	t := NewRoundsTable(s)
	list := s.Panes.List(scene.PaneRounds)
	list.Cursor = len(rounds) - 1 - t.at
	list.Fit(len(rounds), r.H-heads)
	if heads == 2 {
		s.Title(r, roundsTitle(s), "", roundsNote(s), focused)
	}
	first := len(rounds) - 1 - list.Top // newest of those shown
	last := max(first-list.Height+1, 0)
	for i := last; i <= first; i++ {
		t.Most = max(t.Most, label.Total(label.RoundParts(rounds[i], label.Before(rounds, i))))
		t.NumberWidth = max(t.NumberWidth, len(label.Generation(rounds[i])))
		t.costs = t.costs || RoundCost(t.s.Live, rounds[i]) != ""
		t.drops = t.drops || rounds[i].Dropped > 0
	}
	t.head(r, heads-1)
	for i := first; i >= last; i-- {
		t.Draw(r, heads+first-i, i, focused)
	}
}

func roundsTitle(s *scene.Scene) string {
	if s.Eager {
		return "Rounds as eager"
	}
	return "Rounds"
}

func roundsNote(s *scene.Scene) string {
	if s.Newer > 0 {
		return words.Thousands(s.Newer) + " newer · " + words.Plural(len(s.Live.Rounds), "round")
	}
	if len(s.Live.Rounds) == 0 {
		return ""
	}
	return words.Plural(len(s.Live.Rounds), "round") + " from " + s.Clock(s.Live.HistoryFrom)
}

// RoundsTable is how the rows of the list are laid out.
type RoundsTable struct {
	s           *scene.Scene
	at          int // the round stood on
	Most        int // units of the largest round shown: it fills the strip
	NumberWidth int
	WhyWidth    int
	CostWidth   int
	Counts      bool // every count has a column
	costs       bool // some round shown has a cost
	drops       bool // some round shown has dropped units
}

// NewRoundsTable lays the list of rounds out in a width.
func NewRoundsTable(s *scene.Scene) *RoundsTable {
	t := &RoundsTable{s: s, at: s.State.At, NumberWidth: 4, WhyWidth: s.Lay.WhyWidth, CostWidth: 9, Counts: s.Lay.Class >= scene.Vast}
	if s.Lay.Class <= scene.Narrow {
		t.CostWidth = 0
	}
	return t
}

// roundCount is a column of counts on a vast screen: the width that it takes, the gap before it included.
type roundCount struct {
	head  string
	width int
	n     func(*group.Round) int
	token theme.Token
}

// columns are the counts' columns. That of dropped units is there where some were: they are rare.
func (t *RoundsTable) columns() []roundCount {
	if t.drops {
		return roundCounts
	}
	return slices.DeleteFunc(slices.Clone(roundCounts), func(c roundCount) bool { return c.head == "drop" })
}

var roundCounts = []roundCount{
	{"kept", 7, func(r *group.Round) int { return r.Kept }, theme.Text},
	{"▲", 4, func(r *group.Round) int { return r.Started }, theme.Started},
	{"▼", 4, func(r *group.Round) int { return r.Stopped }, theme.Stopped},
	{"◆", 4, func(r *group.Round) int { return r.Restarted }, theme.Stopped},
	{"drop", 6, func(r *group.Round) int { return r.Dropped }, theme.Stopped},
	{"░", 4, func(r *group.Round) int { return r.Delayed }, theme.Delayed},
	{"moved", 8, func(r *group.Round) int { return r.Moved }, theme.Text},
	{"eager", 7, func(r *group.Round) int { return r.EagerWouldStop }, theme.Muted},
}

func (t *RoundsTable) countsWidth() int {
	if !t.Counts {
		return 0
	}
	w := 0
	for _, c := range t.columns() {
		w += c.width
	}
	return w
}

func (t *RoundsTable) head(r cell.Rect, row int) {
	l := t.s.Line(r, row)
	l.Gap(2).Number(ui.Muted, "gen", t.NumberWidth).Gap(2).Words(ui.Muted, "time", 10).Words(ui.Muted, "why", t.WhyWidth+1)
	units := "units"
	if t.s.Eager && row == 0 { // a narrow screen has no title that says it
		units = "as eager"
	}
	l.Words(ui.Muted, units, t.stripWidth(&l))
	if t.Counts {
		for _, c := range t.columns() {
			l.Number(ui.Muted, c.head, c.width)
		}
	}
	if head := t.costHead(); head != "" && t.CostWidth > 0 {
		l.FromRight(t.CostWidth).Number(ui.Muted, head, t.CostWidth)
	}
}

func (t *RoundsTable) costHead() string {
	switch {
	case t.s.Eager:
		return "eager"
	case t.costs:
		return "unit-s"
	}
	return ""
}

func (t *RoundsTable) stripWidth(l *cell.Line) int {
	return max(l.Left()-t.CostWidth-t.countsWidth(), 1)
}

// Draw draws round i in a row.
func (t *RoundsTable) Draw(r cell.Rect, row, i int, focused bool) {
	rounds := t.s.Live.Rounds
	round, prev := rounds[i], label.Before(rounds, i)
	l := t.s.Line(r, row)
	number, clock, why := ui.Text, ui.Muted, ui.Text
	switch {
	case i == t.at:
		t.s.Selected(&l, focused)
		number, clock, why = ui.Strong, ui.Text, ui.Strong
	case i > t.at: // after the round stood on
		number, why = ui.Muted, ui.Muted
	}
	if t.s.Lay.Class > scene.Narrow {
		l.At(1).Rune(ui.Muted, bracket(rounds, i), 1)
	}
	l.At(2).Number(number, label.Generation(round), t.NumberWidth)
	if troubled(round) {
		l.Text(theme.Wrong.Bold(), "!")
	}
	l.At(2+t.NumberWidth+2).Words(clock, t.s.Clock(round.At), 10)
	reason := label.ShortWhy
	if t.Counts {
		reason = label.LongWhy
	}
	l.Name(why, label.FitWhy(reason(round, prev), t.WhyWidth), t.WhyWidth).Gap(1)
	width := t.stripWidth(&l)
	end := l.Used() + width
	ui.DrawStrip(&l, t.parts(round, prev), t.Most, width)
	l.At(end)
	if t.Counts {
		t.drawCounts(&l, round)
	}
	if t.CostWidth == 0 {
		return // a cost is worked out where it is shown
	}
	if p := t.cost(round); p.Text != "" {
		l.FromRight(t.CostWidth).Number(p.Style, p.Text, t.CostWidth)
	}
}

// parts are the strip; with e it is what eager would have made of the round.
func (t *RoundsTable) parts(r, prev *group.Round) []ui.Part {
	if !t.s.Eager || r.EagerWouldStop == 0 {
		return label.RoundParts(r, prev)
	}
	all := label.Total(label.RoundParts(r, prev))
	stop := min(r.EagerWouldStop, all)
	return []ui.Part{{'◆', theme.Stopped, stop}, {'▲', theme.Started, all - stop}}
}

func (t *RoundsTable) drawCounts(l *cell.Line, r *group.Round) {
	for _, c := range t.columns() {
		switch n := c.n(r); {
		case r.Empty():
			l.Gap(c.width)
		case n == 0:
			l.Number(ui.Faint, "0", c.width)
		default:
			l.Number(c.token.Plain(), words.Thousands(n), c.width)
		}
	}
}

// cost is the last column: with e what eager would have stopped, else what the round cost, else what is wrong with it.
func (t *RoundsTable) cost(r *group.Round) ui.Piece {
	switch {
	case t.s.Eager && r.Empty():
		return ui.Piece{}
	case t.s.Eager && r.EagerWouldStop == 0:
		return ui.Piece{ui.Faint, "0"}
	case t.s.Eager:
		return ui.Piece{theme.Stopped.Plain(), words.Thousands(r.EagerWouldStop)}
	case r.Error != 0:
		return ui.Piece{theme.Wrong.Plain(), "error " + strconv.Itoa(int(r.Error))}
	case r.Unassigned > 0:
		return ui.Piece{theme.Wrong.Plain(), words.Thousands(r.Unassigned) + " lost"}
	case r.Twice > 0:
		return ui.Piece{theme.Wrong.Plain(), words.Thousands(r.Twice) + " twice"}
	}
	cost := ui.Piece{ui.Text, RoundCost(t.s.Live, r)}
	if cost.Text == "0" {
		cost.Style = ui.Faint
	}
	return cost
}

// troubled marks rounds that are worth a second look whatever they cost.
func troubled(r *group.Round) bool {
	if r.Error != 0 || r.Twice > 0 || r.Unassigned > 0 || r.Dropped > 0 {
		return true
	}
	for _, c := range r.Causes {
		if c.Kind == group.CauseProtocolChanged {
			return true
		}
	}
	return false
}

// bracket joins the rounds of an episode that has several.
func bracket(rounds []*group.Round, i int) rune {
	same := func(j int) bool {
		return j >= 0 && j < len(rounds) && rounds[j].EpisodeSeq == rounds[i].EpisodeSeq
	}
	newer, older := same(i+1), same(i-1)
	switch {
	case newer && older:
		return '│'
	case newer:
		return '└'
	case older:
		return '┌'
	}
	return ' '
}
