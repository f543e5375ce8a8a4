package lanes

import (
	"time"

	"regroup/group"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

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
		if k := RoundSign(rounds[i], label.Before(rounds, i)) + 1; c >= 0 && c < len(best) && k > best[c] {
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

// RoundSigns are what a round can be above all, worst last.
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

// RoundSign is the mark of a round on the time axis.
func RoundSign(r, prev *group.Round) int {
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
func (t *Timeline) costPieces() []ui.Piece {
	from, to := t.visibleRounds()
	var sum group.Cost
	for _, r := range t.s.Live.Rounds[from:to] {
		AddCost(&sum, t.s.Live, r)
	}
	if sum.Units == 0 {
		return nil
	}
	return []ui.Piece{{ui.Bold, parts.CostText(sum)}, {ui.Muted, " unit-s down from " + t.s.Clock(t.win.From) + " to " + t.s.Clock(t.win.To())}}
}

// AddCost adds the cost of a round to a sum.
func AddCost(sum *group.Cost, s *group.State, r *group.Round) {
	if c, ok := s.Cost(r); ok && !r.Empty() {
		*sum = sum.Plus(c)
	}
}
