package compare

import (
	"fmt"
	"strings"

	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// drawSums draws the table, and beside it why.
func (m *Model) drawSums(s *scene.Scene, r cell.Rect) {
	rows := m.c.TableAt(m.at)
	width := 24
	widths := make([]int, len(m.c.Runs))
	for i, run := range m.c.Runs {
		widths[i] = max(len(run.Mode.Name), 7) + 2
		for _, row := range m.c.Table() {
			widths[i] = max(widths[i], len(row.Cells[i])+2)
		}
		width += widths[i]
	}
	name := "Sum"
	if m.at < m.c.Span {
		name = "Sum so far"
	}
	why := r.W-width-3 >= 34
	table := r
	if why {
		table = r.Columns(0, width)
	}
	s.Title(table.Rows(0, 1), name, "", "", false)
	l := s.Line(table, 1)
	l.Gap(24)
	for i, run := range m.c.Runs {
		l.Number(ui.Muted, run.Mode.Name, widths[i])
	}
	for y, row := range rows {
		l := s.Line(table, y+2)
		l.Words(ui.Text, row.Label, 24)
		for i, c := range row.Cells {
			style := ui.Text
			if row.Best[i] {
				style = ui.Strong
			}
			l.Number(style, c, widths[i])
		}
	}
	if y := len(rows) + 3; y < table.H && len(m.c.Runs) > 1 {
		l := s.Line(table, y)
		l.Text(ui.Muted, "bold is the better one")
	}
	if why {
		m.drawWhy(s, r.Columns(width+3, r.W-width-3))
	}
}

func (m *Model) drawWhy(s *scene.Scene, r cell.Rect) {
	s.Title(r.Rows(0, 1), "Why", "", "", false)
	y, mode, left := 1, "", 0
	for i, reason := range m.reasons {
		said := reason.Text
		if reason.Mode != mode {
			said = reason.Mode + ": " + strings.ToLower(said[:1]) + said[1:]
		}
		lines := cell.Wrap(said, r.W)
		room := r.H - y
		if i+1 < len(m.reasons) || left > 0 {
			room-- // for how many are left out
		}
		if y > 1 && len(lines) > room {
			left++ // half a reason is none
			continue
		}
		mode = reason.Mode
		for n, line := range lines {
			l := s.Line(r, y)
			style := ui.Muted
			if n == 0 {
				style = ui.Text
			}
			l.Text(style, line)
			y++
		}
	}
	if left > 0 && y < r.H {
		l := s.Line(r, y)
		l.Sentence(ui.Muted, fmt.Sprintf("%d more: regroup compare %s --explain", left, m.c.Name))
	}
}
