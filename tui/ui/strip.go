package ui

import (
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Part is one stretch of a strip: so many units, drawn alike.
type Part struct {
	Glyph rune
	Token theme.Token
	N     int
}

// DrawStrip draws parts on a scale on which most units fill width cells; a unit never takes more than one. A part that is
// not zero keeps at least one cell.
func DrawStrip(l *cell.Line, parts []Part, most, width int) {
	for i, n := range Scale(parts, most, width) {
		l.Rune(parts[i].Token.Plain(), parts[i].Glyph, n)
	}
}

// Scale gives each part its cells. Cells are dealt out by the running sum, so that rounding never adds up; what a small part
// needs to be seen is taken from the largest.
func Scale(parts []Part, most, width int) []int {
	cells := make([]int, len(parts))
	if most <= width {
		for i, p := range parts {
			cells[i] = max(p.N, 0)
		}
		return cells
	}
	sum, given, largest := 0, 0, 0
	for i, p := range parts {
		sum += max(p.N, 0)
		upTo := (sum*width + most/2) / most
		cells[i] = upTo - given
		given = upTo
		if p.N > 0 && cells[i] == 0 {
			cells[i] = 1
			given++
		}
		if cells[i] > cells[largest] {
			largest = i
		}
	}
	whole := max((sum*width+most/2)/most, 1)
	if sum == 0 {
		whole = 0
	}
	for over := totalCells(cells) - whole; over > 0 && cells[largest] > 1; over-- {
		cells[largest]--
	}
	return cells
}

func totalCells(cells []int) int {
	n := 0
	for _, c := range cells {
		n += c
	}
	return n
}

// Area draws numbers as heights in eighths of a row.
type Area struct {
	r       cell.Rect
	from    int
	rows    int
	perStep int // units an eighth
}

var eighths = []rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// NewArea draws in as many rows of r, from row on; most is the largest number to be drawn.
func NewArea(r cell.Rect, row, rows, from, most int) *Area {
	return &Area{r: r.Rows(row, rows), from: from, rows: rows, perStep: max((most+8*rows-1)/(8*rows), 1)}
}

// eighthsOf is how high n is; what is not zero is seen.
func (a *Area) eighthsOf(n int) int { return min(max((n+a.perStep/2)/a.perStep, 1), 8*a.rows) }

// Fill draws a column as high as n is.
func (a *Area) Fill(s *cell.Grid, column, n int, token theme.Token) {
	a.put(s, column, a.eighthsOf(n), token, nil)
}

// Hatch fills whole rows: a hatched eighth cannot be drawn.
func (a *Area) Hatch(s *cell.Grid, column, n int, token theme.Token) {
	hatched := '░'
	a.put(s, column, (a.eighthsOf(n)+7)/8*8, token, &hatched)
}

func (a *Area) put(s *cell.Grid, column, high int, token theme.Token, with *rune) {
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
