package tui

import (
	"time"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/internal/words"
	"regroup/tui/cell"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// reading is a table of what an exercise did and cost, to be read.
type reading struct {
	title  string
	report *actions.Report
	failed string // why it ended early
	top    int
	lines  int // of all, as drawn last
	rows   int // in sight, as drawn last
}

// showReport opens the table, unless somebody is at something else: then the menu of the group has it.
func (m *model) showReport(what string, r *actions.Report, failed string) {
	m.last = &reading{title: capitalised(what), report: r, failed: failed}
	if m.ui.dialog == nil && m.ui.draft == nil && !m.ui.help && !m.ui.palette.open && m.view != keys.Fleet {
		m.readReport()
	}
}

// readReport opens the table of what was done last.
func (m *model) readReport() {
	m.last.top = 0
	m.ui.dialog = &dialog{stage: readingReport}
	m.stale = true
}

func (m *model) pressedInReport(key string) {
	r := m.last
	switch key {
	case "up", "k":
		r.top--
	case "down", "j":
		r.top++
	case "pgup":
		r.top -= r.rows
	case "pgdown", "space":
		r.top += r.rows
	case "enter", "q", "a":
		m.closeDialog()
	}
	r.top = min(max(r.top, 0), max(r.lines-r.rows, 0))
}

func drawReport(s *scene.Scene, r *reading) {
	width := min(98, s.Lay.Screen.W-2)
	lines := reportLines(r.report, width-7)
	if r.failed != "" {
		lines = append(lines, nil)
		lines = append(lines, marked("! ", theme.Wrong, ui.Text, capitalised(r.failed)+".", width-7)...)
	}
	inner := dialogBox(s, r.title, s.Group, width, len(lines)+2)
	r.rows, r.lines = max(inner.H-2, 0), len(lines)
	r.top = min(max(r.top, 0), max(r.lines-r.rows, 0))
	drawLines(s, inner, lines, r.top, r.rows)
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	if r.lines > r.rows {
		hint(&l, "↑ ↓", "scroll")
	}
	hint(&l, "esc", "close")
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

// reportColumn is one of the table's numbers.
type reportColumn struct {
	head  string
	width int
	value func(s actions.Sum) string
}

var reportColumns = []reportColumn{
	{"rounds", 7, func(s actions.Sum) string { return words.Thousands(s.Rounds) }},
	{"stopped", 9, func(s actions.Sum) string { return words.Thousands(s.Stopped) }},
	{"down", 6, func(s actions.Sum) string { return words.Thousands(s.Units) }},
	{"unit-s", 11, func(s actions.Sum) string { return rangeText(s.Low, s.High, s.Estimated) }},
	{"longest gap", 13, func(s actions.Sum) string { return rangeText(s.LongestLow, s.LongestHigh, s.Estimated) + " s" }},
	{"eager stops", 13, func(s actions.Sum) string { return words.Thousands(s.EagerStops) }},
}

// rangeText is 5.6, 56-71, ~60.
func rangeText(low, high time.Duration, estimated bool) string {
	out := parts.UnitSeconds(low)
	if high-low >= 50*time.Millisecond {
		if out = parts.Whole(low); parts.Whole(high) != out {
			out += "-" + parts.Whole(high)
		}
	}
	if estimated {
		out = "~" + out
	}
	return out
}

// reportLines are the table, a line a step, and below what came otherwise than foreseen.
func reportLines(r *actions.Report, width int) [][]ui.Piece {
	columns := reportColumns
	used := func() (n int) {
		for _, c := range columns {
			n += c.width
		}
		return n
	}
	const least = 20 // of a step's own words
	for len(columns) > 2 && width-used() < least {
		columns = columns[:len(columns)-1]
	}
	room := max(width-used(), 4)
	head := []ui.Piece{{ui.Muted, ui.Pad("step", room)}}
	for _, c := range columns {
		head = append(head, ui.Piece{ui.Muted, ui.PadLeft(c.head, c.width)})
	}
	out := [][]ui.Piece{head}
	numbers := func(line []ui.Piece, s actions.Sum, style theme.Style) []ui.Piece {
		for _, c := range columns {
			line = append(line, ui.Piece{style, ui.PadLeft(c.value(s), c.width)})
		}
		return line
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		name, style := ui.Printable(step.Do), ui.Text
		if step.State == actions.StepNotDone {
			style = ui.Muted
		}
		name = cell.End(name, room-1)
		line := []ui.Piece{{style, name + repeat(' ', room-cell.Width(name))}}
		if step.State == actions.StepNotDone {
			out = append(out, append(line, ui.Piece{ui.Muted, "  not done"}))
			continue
		}
		out = append(out, numbers(line, step.Sum, ui.Text))
		if step.Predicted != nil {
			out = append(out, numbers([]ui.Piece{{ui.Muted, ui.Pad("  predicted", room)}}, *step.Predicted, ui.Muted))
		}
		for _, d := range step.Deviations {
			out = append(out, marked("! ", theme.Stopped, ui.Muted, "out of range: "+d.String(), width)...)
		}
		if step.State != actions.StepDone && step.State != actions.StepForeseen {
			out = append(out, marked("! ", theme.Wrong, ui.Text, stepWords(step), width)...)
		}
		out = append(out, differenceLines(step.Differences, width)...)
	}
	total := []ui.Piece{{ui.Strong, ui.Pad("all", room)}}
	out = append(out, numbers(total, r.Total, ui.Bold))
	if r.Predicted != nil {
		out = append(out, numbers([]ui.Piece{{ui.Muted, ui.Pad("  predicted", room)}}, *r.Predicted, ui.Muted))
	}
	for _, d := range r.Caveats {
		out = append(out, marked("? ", theme.Delayed, ui.Muted, d, width)...)
	}
	return out
}

// stepWords say how far a step got that is not done.
func stepWords(step *actions.StepReport) string {
	switch {
	case step.State == actions.StepUnsettled:
		return "done; nobody waited until the group had settled"
	case step.Answer != "":
		return string(step.State) + ": " + step.Answer
	}
	return string(step.State)
}

// maxDifferences bounds how many of one step are told.
const maxDifferences = 3

func differenceLines(all []foresight.Difference, width int) [][]ui.Piece {
	var out [][]ui.Piece
	for i, d := range all {
		if i == maxDifferences {
			return append(out, []ui.Piece{{ui.Muted, "    and " + words.Plural(len(all)-i, "difference") + " more"}})
		}
		out = append(out, marked("! ", theme.Stopped, ui.Muted, "otherwise than predicted: "+d.String(), width)...)
	}
	return out
}
