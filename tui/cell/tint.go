package cell

import "regroup/tui/theme"

// Tint lays a ground under what is drawn already: a column that the cursor is on.
func (g *Grid) Tint(r Rect, ground theme.Ground) {
	for y := max(r.Y, 0); y < min(r.Y+r.H, g.H); y++ {
		for x := max(r.X, 0); x < min(r.X+r.W, g.W); x++ {
			c := &g.cells[y*g.W+x]
			c.style = c.style.On(ground)
		}
	}
}
