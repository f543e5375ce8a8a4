package dialog

import (
	"regroup/actions/exercise"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
)

// Costs is a table of what an exercise did and cost, to be read.
type Costs struct {
	title  string
	report *exercise.Report
	failed string // why it ended early
	top    int
	lines  int // of all, as drawn last
	rows   int // in sight, as drawn last
}

// CostsOf is the table of an exercise; failed says why it ended early.
func CostsOf(what string, r *exercise.Report, failed string) *Costs {
	return &Costs{title: ui.Capitalised(what), report: r, failed: failed}
}

func (c *Costs) press(what keys.ID) scene.Action {
	switch what {
	case keys.DoUp:
		c.top--
	case keys.DoDown:
		c.top++
	case keys.DoPageUp:
		c.top -= c.rows
	case keys.DoPageDown:
		c.top += c.rows
	case keys.DoClose:
		return scene.CloseDialog{}
	}
	c.top = min(max(c.top, 0), max(c.lines-c.rows, 0))
	return nil
}

func (c *Costs) draw(s *scene.Scene) {
	width := min(98, s.Lay.Screen.W-2)
	lines := parts.CostTable(c.report, width-7)
	if c.failed != "" {
		lines = append(lines, nil)
		lines = append(lines, parts.Marked("! ", theme.Wrong, ui.Text, ui.Capitalised(c.failed)+".", width-7)...)
	}
	inner := drawBox(s, c.title, s.Group, width, len(lines)+2)
	c.rows, c.lines = max(inner.H-2, 0), len(lines)
	c.top = min(max(c.top, 0), max(c.lines-c.rows, 0))
	drawLines(s, inner, lines, c.top, c.rows)
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	if c.lines > c.rows {
		scene.Hint(&l, s.Key(keys.Costs, keys.DoUp), "scroll")
	}
	scene.Hint(&l, s.Key(keys.Costs, keys.DoBack), "close")
}
