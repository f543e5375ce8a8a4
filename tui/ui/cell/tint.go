package cell

import "regroup/tui/ui/theme"

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
