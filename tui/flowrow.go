package tui

import (
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

func (t *flowTable) row(r cell.Rect, n int, row *group.FlowRow, selected, focused bool) {
	l := t.s.Line(r, n)
	if selected && focused {
		l.Ground(theme.Select)
	}
	changed := t.s.differs(row)
	switch {
	case selected:
		t.s.cursorAt(&l)
		l.Rune(strong, '▸', 1)
	case changed:
		token := changeToken(row)
		l.Rune(token.Plain(), '▌', 1)
	}
	name := text
	if changed {
		name = strong
	}
	l.At(2).Name(name, row.Unit.String(), t.name)
	at, shown := 2+t.name+2, false
	for _, w := range t.workers {
		here := row.Nobody && row.Last == w.number
		var marks group.FlowMark
		for _, c := range row.Cells {
			if c.Worker == w.number {
				marks = c.Marks
			}
		}
		if marks != 0 || here {
			t.cell(&l, at, marks, w.gone && marks != 0, row, here)
		}
		shown = shown || here
		at += t.column
	}
	if row.Nobody && !shown {
		m := unitMarks[row.Kind]
		l.At(at).Rune(m.token.Bold(), m.glyph, 1)
	}
}

// changeToken is the colour of what a round did about a unit: the stop before the start.
func changeToken(row *group.FlowRow) theme.Token {
	if row.Nobody {
		return unitMarks[row.Kind].token
	}
	for _, c := range row.Cells {
		if c.Marks&(group.FlowRevoked|group.FlowDropped|group.FlowRestarted) != 0 {
			return theme.Stopped
		}
	}
	return theme.Started
}

// flowMarks are what happened to a unit on a worker: how it began, what it was told, how it ended.
func (t *flowTable) marks(m group.FlowMark) (before, stop, start, held rune) {
	had, wasEager := m.Has(group.FlowReported), t.s.leavesEager()
	if t.eager {
		had = m.Has(group.FlowBefore)
	}
	if had || wasEager && m.Has(group.FlowBefore) || m.Has(group.FlowDropped) {
		before = '■'
	}
	switch {
	case m.Has(group.FlowRevoked), m.Has(group.FlowDropped):
		stop = '▼'
	case m.Has(group.FlowBefore) && wasEager:
		stop = '▼'
	}
	switch {
	case m.Has(group.FlowRestarted):
		stop, start = 0, '◆'
	case t.eager && m.Has(group.FlowHeld) && !(m.Has(group.FlowBefore) && !wasEager): // a downgrade stops nothing
		start = '▲'
	case !t.eager && (m.Has(group.FlowAssigned) || wasEager && m.Has(group.FlowHeld)):
		start = '▲'
	}
	if m.Has(group.FlowHeld) {
		held = '■'
	}
	return before, stop, start, held
}

// cell draws one unit on one worker. here says that this worker had it last, and nobody has it now.
func (t *flowTable) cell(l *cell.Line, at int, m group.FlowMark, gone bool, row *group.FlowRow, here bool) {
	before, stop, start, held := t.marks(m)
	heldToken := theme.Running
	if here {
		held, heldToken = unitMarks[row.Kind].glyph, unitMarks[row.Kind].token
	}
	if gone {
		before = '■'
	}
	put := func(x int, glyph rune, token theme.Token) {
		if glyph != 0 {
			l.At(at+x).Rune(token.Plain(), glyph, 1)
		}
	}
	startToken := theme.Started
	if start == '◆' {
		startToken = theme.Stopped
	}
	if t.full {
		put(3, before, theme.Running)
		put(10, stop, theme.Stopped)
		put(13, start, startToken)
		put(17, held, heldToken)
		return
	}
	switch { // one mark says it all
	case here && stop == 0:
		put(1, held, heldToken)
	case start == '▲' && stop != 0:
		put(1, '◆', theme.Stopped)
	case start != 0:
		put(1, start, startToken)
	case stop != 0:
		put(1, stop, theme.Stopped)
	default:
		put(1, held, theme.Running)
	}
}
