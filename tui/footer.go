package tui

import (
	"regroup/tui/keys"
	"regroup/tui/scene"
)

// drawFooter is the last row: the keys that work here, most used first.
func drawFooter(s *scene.Scene, lines []keys.Line) {
	r := s.Lay.Footer.Columns(1, s.Lay.Footer.W-2)
	keys.DrawHints(s.Grid, r, s.HintGap(), lines)
}
