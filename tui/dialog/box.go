package dialog

import (
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// boxRows is how many of so many rows a dialog has room for inside.
func boxRows(s *scene.Scene, rows int) int { return max(min(rows+4, s.Lay.Screen.H)-3, 0) }

// drawBox is a box in the middle of the screen, with room for so many rows inside.
func drawBox(s *scene.Scene, title, note string, width, rows int) cell.Rect {
	screen := s.Lay.Screen
	w := min(width, screen.W-2)
	h := min(rows+4, screen.H)
	box := cell.Rect{X: (screen.W - w) / 2, Y: max(min(4, (screen.H-h)/2), 0), W: w, H: h}
	return ui.DrawBox(s.Grid, box, cell.Middle(ui.Printable(title), max(w-6, 0)), ui.Printable(note))
}

func drawLines(s *scene.Scene, inner cell.Rect, lines [][]ui.Piece, top, rows int) {
	for row := range min(rows, len(lines)-top) {
		l := s.Line(inner, row)
		l.Ground(theme.Dialog)
		for _, p := range lines[top+row] {
			l.Text(p.Style, cell.End(p.Text, l.Left()))
		}
	}
}
