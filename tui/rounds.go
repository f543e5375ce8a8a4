package tui

import (
	"slices"
	"strconv"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// drawRounds draws the list of rounds, newest first.
func drawRounds(s *scene, r cell.Rect) {
	focused := s.panes.pane(paneRounds)
	heads := 2
	if s.lay.class <= classNarrow {
		heads = 1
	}
	rounds := s.live.Rounds
	t := newRoundsTable(s)
	list := s.panes.list(paneRounds)
	list.cursor = len(rounds) - 1 - t.at
	list.fit(len(rounds), r.H-heads)
	if heads == 2 {
		s.title(r, roundsTitle(s), "", roundsNote(s), focused)
	}
	first := len(rounds) - 1 - list.top // newest of those shown
	last := max(first-list.height+1, 0)
	for i := last; i <= first; i++ {
		t.most = max(t.most, total(roundParts(rounds[i], before(rounds, i))))
		t.numberWidth = max(t.numberWidth, len(generation(rounds[i])))
		t.costs = t.costs || s.cost(rounds[i]) != ""
		t.drops = t.drops || rounds[i].Dropped > 0
	}
	t.head(r, heads-1)
	for i := first; i >= last; i-- {
		t.draw(r, heads+first-i, i, focused)
	}
}

func roundsTitle(s *scene) string {
	if s.eager {
		return "Rounds as eager"
	}
	return "Rounds"
}

func before(rounds []*group.Round, i int) *group.Round {
	if i == 0 {
		return nil
	}
	return rounds[i-1]
}

func roundsNote(s *scene) string {
	if s.newer > 0 {
		return count(s.newer) + " newer · " + plural(len(s.live.Rounds), "round")
	}
	if len(s.live.Rounds) == 0 {
		return ""
	}
	return plural(len(s.live.Rounds), "round") + " from " + s.clock(s.live.HistoryFrom)
}

// roundsTable is how the rows of the list are laid out.
type roundsTable struct {
	s           *scene
	at          int // the round stood on
	most        int // units of the largest round shown: it fills the strip
	numberWidth int
	whyWidth    int
	costWidth   int
	counts      bool // every count has a column
	costs       bool // some round shown has a cost
	drops       bool // some round shown has dropped units
}

func newRoundsTable(s *scene) *roundsTable {
	t := &roundsTable{s: s, at: s.state.At, numberWidth: 4, whyWidth: s.lay.whyWidth, costWidth: 9, counts: s.lay.class >= classVast}
	if s.lay.class <= classNarrow {
		t.costWidth = 0
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
func (t *roundsTable) columns() []roundCount {
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

func (t *roundsTable) countsWidth() int {
	if !t.counts {
		return 0
	}
	w := 0
	for _, c := range t.columns() {
		w += c.width
	}
	return w
}

func (t *roundsTable) head(r cell.Rect, row int) {
	l := t.s.Line(r, row)
	l.Gap(2).Number(muted, "gen", t.numberWidth).Gap(2).Words(muted, "time", 10).Words(muted, "why", t.whyWidth+1)
	units := "units"
	if t.s.eager && row == 0 { // a narrow screen has no title that says it
		units = "as eager"
	}
	l.Words(muted, units, t.stripWidth(&l))
	if t.counts {
		for _, c := range t.columns() {
			l.Number(muted, c.head, c.width)
		}
	}
	if head := t.costHead(); head != "" && t.costWidth > 0 {
		l.FromRight(t.costWidth).Number(muted, head, t.costWidth)
	}
}

func (t *roundsTable) costHead() string {
	switch {
	case t.s.eager:
		return "eager"
	case t.costs:
		return "unit-s"
	}
	return ""
}

func (t *roundsTable) stripWidth(l *cell.Line) int {
	return max(l.Left()-t.costWidth-t.countsWidth(), 1)
}

func (t *roundsTable) draw(r cell.Rect, row, i int, focused bool) {
	rounds := t.s.live.Rounds
	round, prev := rounds[i], before(rounds, i)
	l := t.s.Line(r, row)
	number, clock, why := text, muted, text
	switch {
	case i == t.at:
		t.s.selected(&l, focused)
		number, clock, why = strong, text, strong
	case i > t.at: // after the round stood on
		number, why = muted, muted
	}
	if t.s.lay.class > classNarrow {
		l.At(1).Rune(muted, bracket(rounds, i), 1)
	}
	l.At(2).Number(number, generation(round), t.numberWidth)
	if troubled(round) {
		l.Text(theme.Wrong.Bold(), "!")
	}
	l.At(2+t.numberWidth+2).Words(clock, t.s.clock(round.At), 10)
	reason := shortWhy
	if t.counts {
		reason = longWhy
	}
	l.Name(why, fitWhy(reason(round, prev), t.whyWidth), t.whyWidth).Gap(1)
	width := t.stripWidth(&l)
	end := l.Used() + width
	drawStrip(&l, t.parts(round, prev), t.most, width)
	l.At(end)
	if t.counts {
		t.drawCounts(&l, round)
	}
	if t.costWidth == 0 {
		return // a cost is worked out where it is shown
	}
	if p := t.cost(round); p.text != "" {
		l.FromRight(t.costWidth).Number(p.style, p.text, t.costWidth)
	}
}

// parts are the strip; with e it is what eager would have made of the round.
func (t *roundsTable) parts(r, prev *group.Round) []part {
	if !t.s.eager || r.EagerWouldStop == 0 {
		return roundParts(r, prev)
	}
	all := total(roundParts(r, prev))
	stop := min(r.EagerWouldStop, all)
	return []part{{'◆', theme.Stopped, stop}, {'▲', theme.Started, all - stop}}
}

func (t *roundsTable) drawCounts(l *cell.Line, r *group.Round) {
	for _, c := range t.columns() {
		switch n := c.n(r); {
		case r.Empty():
			l.Gap(c.width)
		case n == 0:
			l.Number(faint, "0", c.width)
		default:
			l.Number(c.token.Plain(), count(n), c.width)
		}
	}
}

// cost is the last column: with e what eager would have stopped, else what the round cost, else what is wrong with it.
func (t *roundsTable) cost(r *group.Round) piece {
	switch {
	case t.s.eager && r.Empty():
		return piece{}
	case t.s.eager && r.EagerWouldStop == 0:
		return piece{faint, "0"}
	case t.s.eager:
		return piece{theme.Stopped.Plain(), count(r.EagerWouldStop)}
	case r.Error != 0:
		return piece{theme.Wrong.Plain(), "error " + strconv.Itoa(int(r.Error))}
	case r.Unassigned > 0:
		return piece{theme.Wrong.Plain(), count(r.Unassigned) + " lost"}
	case r.Twice > 0:
		return piece{theme.Wrong.Plain(), count(r.Twice) + " twice"}
	}
	cost := piece{text, t.s.cost(r)}
	if cost.text == "0" {
		cost.style = faint
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
