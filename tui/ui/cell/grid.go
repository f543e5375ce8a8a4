package cell

import (
	"strings"
	"unicode/utf8"

	"regroup/tui/ui/theme"
)

// Rect is a part of the screen.
type Rect struct{ X, Y, W, H int }

// Empty says whether there is nothing to draw on.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Rows is the part of r from row y on, h rows or what is left of it.
func (r Rect) Rows(y, h int) Rect {
	y = min(max(y, 0), max(r.H, 0))
	return Rect{r.X, r.Y + y, r.W, min(max(h, 0), r.H-y)}
}

// Columns is the part of r from column x on, w columns or what is left of it.
func (r Rect) Columns(x, w int) Rect {
	x = min(max(x, 0), max(r.W, 0))
	return Rect{r.X + x, r.Y, min(max(w, 0), r.W-x), r.H}
}

// one cell: a rune, or a cluster of several that is kept aside. The right half of a wide one is lead-less: ch is rightHalf.
type one struct {
	ch    rune // below 0: -ch-1 is an index into Grid.aside
	style theme.Style
}

const rightHalf rune = 0

// Grid is a screen that is drawn on. Everything put on it is clipped to it.
type Grid struct {
	W, H  int
	ascii bool
	cells []one
	aside []string
}

// New makes an empty grid. In ASCII mode glyphs are drawn as their fallbacks, and what else is not ASCII as '?'.
func New(w, h int, ascii bool) *Grid {
	g := &Grid{}
	g.Reset(w, h, ascii)
	return g
}

// Reset empties the grid and keeps its memory.
func (g *Grid) Reset(w, h int, ascii bool) {
	w, h = max(w, 0), max(h, 0)
	if cap(g.cells) < w*h {
		g.cells = make([]one, w*h)
	}
	g.W, g.H, g.ascii, g.cells, g.aside = w, h, ascii, g.cells[:w*h], g.aside[:0]
	blank := one{' ', theme.Text.Plain()}
	for i := range g.cells {
		g.cells[i] = blank
	}
}

// Bounds is the whole grid.
func (g *Grid) Bounds() Rect { return Rect{0, 0, g.W, g.H} }

// IsASCII reports whether only ASCII is drawn.
func (g *Grid) IsASCII() bool { return g.ascii }

// Put draws s at x, y, up to but not including column end, and says where it stopped.
func (g *Grid) Put(x, y, end int, s theme.Style, text string) int {
	end = min(end, g.W)
	if y < 0 || y >= g.H || x < 0 {
		return x
	}
	if plain(text) {
		for i := 0; i < len(text) && x < end; i++ {
			g.set(x, y, rune(text[i]), s, 1)
			x++
		}
		return x
	}
	clusters(text, func(t string, w int) bool {
		if x+w > end {
			return false
		}
		g.set(x, y, g.rune(t), s, w)
		x += w
		return true
	})
	return x
}

// Rune draws n times the same one-column glyph.
func (g *Grid) Rune(x, y, end int, s theme.Style, r rune, n int) int {
	end = min(end, g.W)
	if y < 0 || y >= g.H || x < 0 {
		return x
	}
	if g.ascii {
		r = rune(theme.ASCII(r))
	}
	for ; n > 0 && x < end; n-- {
		g.set(x, y, r, s, 1)
		x++
	}
	return x
}

func (g *Grid) rune(text string) rune {
	r, size := utf8.DecodeRuneInString(text)
	if g.ascii {
		return rune(theme.ASCII(r))
	}
	if size == len(text) {
		return r
	}
	g.aside = append(g.aside, text)
	return rune(-len(g.aside))
}

// set writes one cell, or two. What it covers half of is blanked, so that no half of a wide letter is ever left.
func (g *Grid) set(x, y int, ch rune, s theme.Style, w int) {
	row := g.cells[y*g.W : (y+1)*g.W]
	if row[x].ch == rightHalf {
		row[x-1].ch = ' '
	}
	last := x + w - 1
	if last+1 < g.W && row[last+1].ch == rightHalf {
		row[last+1].ch = ' '
	}
	row[x] = one{ch, s}
	if w == 2 {
		if g.ascii {
			row[last] = one{ch, s}
		} else {
			row[last] = one{rightHalf, s}
		}
	}
}

// Fill empties a part of the grid and gives it a ground.
func (g *Grid) Fill(r Rect, s theme.Style) {
	for y := r.Y; y < r.Y+r.H; y++ {
		g.Rune(r.X, y, r.X+r.W, s, ' ', r.W)
	}
}

// Restyle gives everything on the grid one style: what lies behind a dialog.
func (g *Grid) Restyle(s theme.Style) {
	for i := range g.cells {
		g.cells[i].style = s
	}
}

// String writes the grid out, line after line, each exactly W columns wide. A plain theme gives plain text.
func (g *Grid) String(t *theme.Theme) string {
	if g.W == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(g.W*g.H*3/2 + g.H*64)
	for y := range g.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		g.row(&b, g.cells[y*g.W:(y+1)*g.W], t)
	}
	return b.String()
}

func (g *Grid) row(b *strings.Builder, row []one, t *theme.Theme) {
	styled := !t.Plain()
	now, begun := theme.Style(0), false
	for _, c := range row {
		if styled && (!begun || c.style != now) && c.ch != rightHalf {
			now, begun = c.style, true
			b.WriteString(t.Prefix(now))
		}
		switch {
		case c.ch == rightHalf:
		case c.ch < 0:
			b.WriteString(g.aside[-c.ch-1])
		case c.ch < utf8.RuneSelf:
			b.WriteByte(byte(c.ch))
		default:
			b.WriteRune(c.ch)
		}
	}
	if begun {
		b.WriteString("\x1b[0m")
	}
}

// Mute takes the colour out of a part of the grid and leaves what it says.
func (g *Grid) Mute(r Rect) {
	for y := max(r.Y, 0); y < min(r.Y+r.H, g.H); y++ {
		for x := max(r.X, 0); x < min(r.X+r.W, g.W); x++ {
			c := &g.cells[y*g.W+x]
			ground := c.style.Ground()
			if ground == theme.Select {
				ground = theme.Select2
			}
			if c.style.Token() != theme.Faint {
				c.style = theme.Muted.On(ground)
			} else {
				c.style = theme.Faint.On(ground)
			}
		}
	}
}

// Tint lays a ground under what is drawn already: a column that the cursor is on.
func (g *Grid) Tint(r Rect, ground theme.Ground) {
	for y := max(r.Y, 0); y < min(r.Y+r.H, g.H); y++ {
		for x := max(r.X, 0); x < min(r.X+r.W, g.W); x++ {
			c := &g.cells[y*g.W+x]
			c.style = c.style.On(ground)
		}
	}
}

// At is the glyph at a place; 0 outside the grid, for the right half of a wide letter, and for a cluster of several runes.
func (g *Grid) At(x, y int) rune {
	if x < 0 || x >= g.W || y < 0 || y >= g.H {
		return 0
	}
	return max(g.cells[y*g.W+x].ch, 0)
}
