package cell

import (
	"fmt"
	"html"
	"strings"

	"regroup/tui/ui/theme"
)

// A cell of a picture, in pixels, and the air around the screen.
const (
	svgW   = 8
	svgH   = 18
	svgAir = 12
)

// SVG writes the grid out as a picture: text as text, and lines, areas and shades as shapes, so that it looks the same with
// every font. The same grid gives the same bytes.
func (g *Grid) SVG(kind theme.Kind) string {
	w, h := g.W*svgW+2*svgAir, g.H*svgH+2*svgAir
	p := &picture{g: g, kind: kind}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13.2">`+"\n", w, h, w, h)
	p.shades()
	fmt.Fprintf(p, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", w, h, theme.HexGround(kind, theme.Page))
	for y := range g.H {
		p.grounds(y)
	}
	for y := range g.H {
		p.row(y)
	}
	p.WriteString("</svg>\n")
	return p.String()
}

// picture is an SVG that is being drawn.
type picture struct {
	strings.Builder
	g    *Grid
	kind theme.Kind
}

// shades are the patterns of shaded cells, one a colour.
func (p *picture) shades() {
	done := map[theme.Token]bool{}
	for _, c := range p.g.cells {
		if t := c.style.Token(); shapes[c.ch].shade && !done[t] {
			done[t] = true
			fmt.Fprintf(p, `<defs><pattern id="s%d" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0h1v1h-1zM2 0h1v1h-1zM1 2h1v1h-1zM3 2h1v1h-1z" fill="%s"/></pattern></defs>`+"\n", t, theme.Hex(p.kind, t))
		}
	}
}

func (p *picture) at(x, y int) *one { return &p.g.cells[y*p.g.W+x] }

// grounds fills what lies behind the text.
func (p *picture) grounds(y int) {
	for x := 0; x < p.g.W; {
		ground, from := p.at(x, y).style.Ground(), x
		for x < p.g.W && p.at(x, y).style.Ground() == ground {
			x++
		}
		if ground != theme.Page {
			fmt.Fprintf(p, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", svgAir+from*svgW, svgAir+y*svgH, (x-from)*svgW, svgH, theme.HexGround(p.kind, ground))
		}
	}
}

// row writes runs of one style: shapes of one kind together, and words with their places.
func (p *picture) row(y int) {
	for x := 0; x < p.g.W; {
		c := *p.at(x, y)
		from := x
		if c.ch == ' ' || c.ch == rightHalf {
			x++
			continue
		}
		if shape, ok := shapes[c.ch]; ok {
			for x < p.g.W && p.at(x, y).ch == c.ch && p.at(x, y).style == c.style {
				x++
			}
			p.shape(shape, from, y, x-from, c.style)
			continue
		}
		var text strings.Builder
		for x < p.g.W && p.at(x, y).style == c.style {
			ch := p.at(x, y).ch
			if _, ok := shapes[ch]; ok || ch == ' ' && (x+1 >= p.g.W || p.at(x+1, y).ch == ' ') {
				break
			}
			if ch < 0 {
				text.WriteString(p.g.aside[-ch-1])
			} else if ch != rightHalf {
				text.WriteRune(ch)
			}
			x++
		}
		p.words(text.String(), from, y, x-from, c.style)
	}
}

func (p *picture) words(text string, x, y, n int, s theme.Style) {
	more := ""
	if s.IsBold() {
		more = ` font-weight="bold"`
	}
	if s.IsUnderlined() {
		more += ` text-decoration="underline"`
	}
	fmt.Fprintf(p, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s" xml:space="preserve"%s>%s</text>`+"\n",
		svgAir+x*svgW, svgAir+y*svgH+13, n*svgW, theme.Hex(p.kind, s.Token()), more, html.EscapeString(text))
}

// shape is how a glyph is drawn: in parts of its cell, from the top left.
type shape struct {
	x, y, w, h float64 // of a cell
	each       bool    // a shape a cell, not one for all
	twice      float64 // a second one so much lower
	shade      bool
}

var shapes = map[rune]shape{
	'─': {0, .47, 1, .06, false, 0, false}, '━': {0, .42, 1, .16, false, 0, false}, '═': {0, .36, 1, .07, false, .2, false},
	'┄': {.1, .47, .5, .06, true, 0, false}, '│': {.44, 0, .12, 1, true, 0, false}, '╵': {.44, 0, .12, .5, true, 0, false},
	'░': {0, 0, 1, 1, false, 0, true}, '█': {0, 0, 1, 1, false, 0, false},
	'▁': {0, .875, 1, .125, false, 0, false}, '▂': {0, .75, 1, .25, false, 0, false}, '▃': {0, .625, 1, .375, false, 0, false},
	'▄': {0, .5, 1, .5, false, 0, false}, '▅': {0, .375, 1, .625, false, 0, false}, '▆': {0, .25, 1, .75, false, 0, false},
	'▇': {0, .125, 1, .875, false, 0, false}, '▌': {0, 0, .5, 1, false, 0, false}, '▎': {0, 0, .25, 1, false, 0, false},
	'■': {.08, .3, .84, .46, true, 0, false},
}

func (p *picture) shape(k shape, x, y, n int, s theme.Style) {
	fill := theme.Hex(p.kind, s.Token())
	if k.shade {
		fill = fmt.Sprintf("url(#s%d)", s.Token())
	}
	draw := func(x float64, w, dy float64) {
		fmt.Fprintf(p, `<rect x="%.4g" y="%.5g" width="%.4g" height="%.4g" fill="%s"/>`+"\n", svgAir+x*svgW, svgAir+(float64(y)+k.y+dy)*svgH, w*svgW, k.h*svgH, fill)
	}
	rows := []float64{0}
	if k.twice > 0 {
		rows = append(rows, k.twice)
	}
	for _, dy := range rows {
		if !k.each {
			draw(float64(x)+k.x, k.w*float64(n), dy)
			continue
		}
		for i := range n {
			draw(float64(x+i)+k.x, k.w, dy)
		}
	}
}
