package tui

import (
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// part is one stretch of a strip: so many units, drawn alike.
type part struct {
	glyph rune
	token theme.Token
	n     int
}

// roundParts are a round's units in the order of a strip: kept, restarted, started, started twice, stopped, waiting, lost.
// A round into or out of eager stops and starts the same units: those are restarted.
func roundParts(r, prev *group.Round) []part {
	both := 0
	if r.Mode == group.ModeEager || prev != nil && prev.Mode == group.ModeEager {
		both = min(r.Started, r.Stopped)
	}
	twice := min(r.Twice, r.Started-both)
	return []part{
		{'■', theme.Running, r.Kept},
		{'◆', theme.Stopped, r.Restarted + both},
		{'▲', theme.Started, r.Started - both - twice},
		{'&', theme.Wrong, twice},
		{'▼', theme.Stopped, r.Stopped - both + r.Dropped},
		{'░', theme.Delayed, r.Delayed},
		{'x', theme.Wrong, r.Unassigned},
	}
}

func total(parts []part) int {
	n := 0
	for _, p := range parts {
		n += max(p.n, 0)
	}
	return n
}

// drawStrip draws parts on a scale on which most units fill width cells; a unit never takes more than one. A part that is
// not zero keeps at least one cell.
func drawStrip(l *cell.Line, parts []part, most, width int) {
	for i, n := range scale(parts, most, width) {
		l.Rune(parts[i].token.Plain(), parts[i].glyph, n)
	}
}

// scale gives each part its cells. Cells are dealt out by the running sum, so that rounding never adds up; what a small part
// needs to be seen is taken from the largest.
func scale(parts []part, most, width int) []int {
	cells := make([]int, len(parts))
	if most <= width {
		for i, p := range parts {
			cells[i] = max(p.n, 0)
		}
		return cells
	}
	sum, given, largest := 0, 0, 0
	for i, p := range parts {
		sum += max(p.n, 0)
		upTo := (sum*width + most/2) / most
		cells[i] = upTo - given
		given = upTo
		if p.n > 0 && cells[i] == 0 {
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
