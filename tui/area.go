package tui

import (
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// area draws numbers as heights in eighths of a row.
type area struct {
	r       cell.Rect
	from    int
	rows    int
	perStep int // units an eighth
}

var eighths = []rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// newArea draws in as many rows of r, from row on; most is the largest number to be drawn.
func newArea(r cell.Rect, row, rows, from, most int) *area {
	return &area{r: r.Rows(row, rows), from: from, rows: rows, perStep: max((most+8*rows-1)/(8*rows), 1)}
}

// eighthsOf is how high n is; what is not zero is seen.
func (a *area) eighthsOf(n int) int { return min(max((n+a.perStep/2)/a.perStep, 1), 8*a.rows) }

func (a *area) fill(s *scene, column, n int, token theme.Token) {
	a.put(s, column, a.eighthsOf(n), token, nil)
}

// hatch fills whole rows: a hatched eighth cannot be drawn.
func (a *area) hatch(s *scene, column, n int, token theme.Token) {
	hatched := '░'
	a.put(s, column, (a.eighthsOf(n)+7)/8*8, token, &hatched)
}

func (a *area) put(s *scene, column, high int, token theme.Token, with *rune) {
	for row := a.rows - 1; row >= 0 && high > 0; row-- {
		glyph := eighths[min(high, 8)]
		if with != nil {
			glyph = *with
		}
		l := s.Line(a.r, row)
		l.At(a.from+column).Rune(token.Plain(), glyph, 1)
		high -= 8
	}
}
