package parts

import (
	"time"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/internal/words"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

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
	out := UnitSeconds(low)
	if high-low >= 50*time.Millisecond {
		if out = Whole(low); Whole(high) != out {
			out += "-" + Whole(high)
		}
	}
	if estimated {
		out = "~" + out
	}
	return out
}

// CostTable is what an exercise did and cost, a line a step, and below what came otherwise than foreseen.
func CostTable(r *actions.Report, width int) [][]ui.Piece {
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
		line := []ui.Piece{{style, name + ui.Repeat(' ', room-cell.Width(name))}}
		if step.State == actions.StepNotDone {
			out = append(out, append(line, ui.Piece{ui.Muted, "  not done"}))
			continue
		}
		out = append(out, numbers(line, step.Sum, ui.Text))
		if step.Predicted != nil {
			out = append(out, numbers([]ui.Piece{{ui.Muted, ui.Pad("  predicted", room)}}, *step.Predicted, ui.Muted))
		}
		for _, d := range step.Deviations {
			out = append(out, Marked("! ", theme.Stopped, ui.Muted, "out of range: "+d.String(), width)...)
		}
		if step.State != actions.StepDone && step.State != actions.StepForeseen {
			out = append(out, Marked("! ", theme.Wrong, ui.Text, stepWords(step), width)...)
		}
		out = append(out, differenceLines(step.Differences, width)...)
	}
	total := []ui.Piece{{ui.Strong, ui.Pad("all", room)}}
	out = append(out, numbers(total, r.Total, ui.Bold))
	if r.Predicted != nil {
		out = append(out, numbers([]ui.Piece{{ui.Muted, ui.Pad("  predicted", room)}}, *r.Predicted, ui.Muted))
	}
	for _, d := range r.Caveats {
		out = append(out, Marked("? ", theme.Delayed, ui.Muted, d, width)...)
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
		out = append(out, Marked("! ", theme.Stopped, ui.Muted, "otherwise than predicted: "+d.String(), width)...)
	}
	return out
}
