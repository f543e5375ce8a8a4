package cell

import "regroup/tui/ui/theme"

// Line writes one row of a rectangle from left to right. It never leaves the rectangle. Styles that name no ground of their own
// get the line's.
type Line struct {
	g      *Grid
	x, y   int
	from   int
	end    int
	ground theme.Ground
}

// Line begins row n of r. A row outside r takes nothing.
func (g *Grid) Line(r Rect, n int) Line {
	if n < 0 || n >= r.H || r.Empty() {
		return Line{g: g, y: -1}
	}
	return Line{g: g, x: r.X, y: r.Y + n, from: r.X, end: min(r.X+r.W, g.W)}
}

// Ground lays a ground under the whole line. It comes before the text.
func (l *Line) Ground(ground theme.Ground) *Line {
	l.ground = ground
	l.g.Rune(l.from, l.y, l.end, theme.Text.On(ground), ' ', l.end-l.from)
	return l
}

func (l *Line) on(s theme.Style) theme.Style {
	if s.Ground() == theme.Page {
		return s.On(l.ground)
	}
	return s
}

// Text draws text, clipped at the line's end.
func (l *Line) Text(s theme.Style, text string) *Line {
	l.x = l.g.Put(l.x, l.y, l.end, l.on(s), text)
	return l
}

// Rune draws n times the same glyph.
func (l *Line) Rune(s theme.Style, r rune, n int) *Line {
	l.x = l.g.Rune(l.x, l.y, l.end, l.on(s), r, n)
	return l
}

// Sentence draws text, cut at its end if it is too long.
func (l *Line) Sentence(s theme.Style, text string) *Line { return l.Text(s, End(text, l.Left())) }

// Name draws text in w columns, cut in its middle if it is too long.
func (l *Line) Name(s theme.Style, text string, w int) *Line {
	to := l.x + w
	l.Text(s, Middle(text, min(w, l.Left())))
	return l.to(to)
}

// Words draws text in w columns, cut at its end if it is too long.
func (l *Line) Words(s theme.Style, text string, w int) *Line {
	to := l.x + w
	l.Text(s, End(text, min(w, l.Left())))
	return l.to(to)
}

// Number draws text at the right end of w columns.
func (l *Line) Number(s theme.Style, text string, w int) *Line {
	to := l.x + w
	l.x += max(0, w-Width(text))
	l.Text(s, End(text, w))
	return l.to(to)
}

// Gap leaves n columns out.
func (l *Line) Gap(n int) *Line { return l.to(l.x + n) }

// At goes to column n of the line.
func (l *Line) At(n int) *Line { return l.to(l.from + n) }

// FromRight goes to n columns before the line's end.
func (l *Line) FromRight(n int) *Line { return l.to(l.end - n) }

func (l *Line) to(x int) *Line {
	l.x = max(x, l.from)
	return l
}

// Row is the row of the grid that the line is on; -1: outside of it.
func (l *Line) Row() int { return l.y }

// Left is how many columns are left.
func (l *Line) Left() int { return max(0, l.end-l.x) }

// Used is how many columns lie behind.
func (l *Line) Used() int { return l.x - l.from }
