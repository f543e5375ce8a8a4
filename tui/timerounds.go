package tui

import (
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

type timeT = time.Time

func secondsOf(n int) time.Duration { return time.Duration(n) * time.Second }

// roundNumbers are the generations above the lanes; of those that would overlap the first and the last.
func (t *timeline) roundNumbers(r cell.Rect, row int) {
	l := t.s.Line(r, row)
	l.Text(muted, cell.End("round", t.from-1))
	from, to := t.visibleRounds()
	rounds := t.s.live.Rounds
	for i := from; i < to; {
		c := t.win.column(rounds[i].At)
		label, last := generation(rounds[i]), i
		place := func(c int, label string) int { return min(t.from+c, r.W-len(label)) }
		for last+1 < to && place(t.win.column(rounds[last+1].At), generation(rounds[last+1])) < place(c, label)+len(label)+1 {
			last++
			label = generation(rounds[i]) + "-" + generation(rounds[last])
		}
		style := text
		if t.s.state.At >= i && t.s.state.At <= last && t.s.state.Past {
			style = strong
		}
		if at := place(c, label); at >= t.from {
			l.At(at).Text(style, label)
		}
		i = last + 1
	}
}

// roundMarks are one glyph a column: the worst that a round in it did.
func (t *timeline) roundMarks(r cell.Rect, row int) {
	from, to := t.visibleRounds()
	rounds := t.s.live.Rounds
	best := make([]int, t.win.width) // index in roundSigns plus 1
	for i := from; i < to; i++ {
		c := t.win.column(rounds[i].At)
		if k := roundSign(rounds[i], before(rounds, i)) + 1; c >= 0 && c < len(best) && k > best[c] {
			best[c] = k
		}
	}
	l := t.s.Line(r, row)
	for c, k := range best {
		if k > 0 {
			l.At(t.from+c).Rune(roundSigns[k-1].token.Plain(), roundSigns[k-1].glyph, 1)
		}
	}
}

// roundSigns are what a round can be above all, worst last.
var roundSigns = []laneCell{
	{'│', theme.Muted},
	{'▲', theme.Started},
	{'◆', theme.Stopped},
	{'▼', theme.Stopped},
	{'░', theme.Delayed},
	{'&', theme.Wrong},
	{'x', theme.Wrong},
	{'!', theme.Wrong},
}

func roundSign(r, prev *group.Round) int {
	restarted := r.Restarted > 0
	if r.Mode == group.ModeEager || prev != nil && prev.Mode == group.ModeEager {
		restarted = restarted || min(r.Started, r.Stopped) > 0
	}
	switch {
	case r.Error != 0:
		return 7
	case r.Unassigned > 0:
		return 6
	case r.Twice > 0:
		return 5
	case r.Delayed > 0:
		return 4
	case r.Stopped+r.Dropped > 0 && !restarted:
		return 3
	case restarted:
		return 2
	case r.Started > 0:
		return 1
	}
	return 0
}

// costPieces are what the rounds in the window cost together.
func (t *timeline) costPieces() []piece {
	from, to := t.visibleRounds()
	var sum group.Cost
	for _, r := range t.s.live.Rounds[from:to] {
		addCost(&sum, t.s.live, r)
	}
	if sum.Units == 0 {
		return nil
	}
	return []piece{{bold, costText(sum)}, {muted, " unit-s down from " + t.s.clock(t.win.from) + " to " + t.s.clock(t.win.to())}}
}

func addCost(sum *group.Cost, s *group.State, r *group.Round) {
	if c, ok := s.Cost(r); ok && !r.Empty() {
		*sum = sum.Plus(c)
	}
}
