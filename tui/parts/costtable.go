package parts

import (
	"strings"
	"time"

	"regroup/actions/exercise"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// reportColumn is one of the table's numbers.
type reportColumn struct {
	head  string
	width int
	value func(s exercise.Sum) string
}

var reportColumns = []reportColumn{
	{"rounds", 7, func(s exercise.Sum) string { return words.Thousands(s.Rounds) }},
	{"stopped", 9, func(s exercise.Sum) string { return words.Thousands(s.Stopped) }},
	{"down", 6, func(s exercise.Sum) string { return words.Thousands(s.Units) }},
	{"unit-s", 11, func(s exercise.Sum) string { return words.UnitRange(s.Low, s.High, s.Estimated) }},
	{"longest gap", 13, func(s exercise.Sum) string { return words.UnitRange(s.LongestLow, s.LongestHigh, s.Estimated) + " s" }},
	{"eager stops", 13, func(s exercise.Sum) string { return words.Thousands(s.EagerStops) }},
}

// CostTable is what an exercise did and cost, a line a step, and below what came otherwise than foreseen.
func CostTable(r *exercise.Report, width int) [][]ui.Piece {
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
	numbers := func(line []ui.Piece, s exercise.Sum, style theme.Style) []ui.Piece {
		for _, c := range columns {
			line = append(line, ui.Piece{style, ui.PadLeft(c.value(s), c.width)})
		}
		return line
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		name, style := ui.Printable(step.Do), ui.Text
		if step.State == exercise.StepNotDone {
			style = ui.Muted
		}
		name = cell.End(name, room-1)
		line := []ui.Piece{{style, name + ui.Repeat(' ', room-cell.Width(name))}}
		if step.State == exercise.StepNotDone {
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
		if step.State != exercise.StepDone && step.State != exercise.StepForeseen {
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
func stepWords(step *exercise.StepReport) string {
	switch {
	case step.State == exercise.StepUnsettled:
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

// priceLines hold what stops and what waits against what eager would stop.
func priceLines(o *foresight.Outcome, width int) [][]ui.Piece {
	const label, amounts = 12, 46
	bar := min(max(width-label-amounts, 0), 40)
	most := 1
	for _, rounds := range [][]foresight.Foreseen{o.Rounds, o.Eager} {
		for _, f := range rounds {
			most = max(most, f.Units)
		}
	}
	line := func(name string, rounds []foresight.Foreseen, cost group.Cost) []ui.Piece {
		out := []ui.Piece{{ui.Muted, "  " + ui.Pad(name, label-2)}}
		strip := priceParts(rounds, most)
		cells := ui.Scale(strip, most, min(bar, most))
		used := 0
		for i, n := range cells {
			used += n
			out = append(out, ui.Piece{strip[i].Token.Plain(), ui.Repeat(strip[i].Glyph, n)})
		}
		waits, seconds := waitOf(rounds)
		out = append(out, ui.Piece{ui.Text, ui.Repeat(' ', min(bar, most)-used) + "  stops " + words.Thousands(foresight.Stopped(rounds))})
		if n := foresight.Restarted(rounds); n > 0 {
			out = append(out, ui.Piece{ui.Text, ", restarts " + words.Thousands(n)})
		}
		if waits > 0 {
			out = append(out, ui.Piece{ui.Text, ", " + words.Thousands(waits) + " wait " + words.Span(seconds.Round(time.Second))})
		}
		price := []ui.Piece{{ui.Text, "  "}, {ui.Bold, CostText(cost)}, {ui.Muted, " unit-s"}}
		return append(append(out, ui.Piece{ui.Text, ui.Repeat(' ', width-ui.WidthOf(out)-ui.WidthOf(price))}), price...)
	}
	return [][]ui.Piece{line("as it is", o.Rounds, o.Cost), line("eager", o.Eager, o.EagerCost)}
}

// priceParts are all units over all rounds: those that nothing happens to, that stop, start, or wait.
func priceParts(rounds []foresight.Foreseen, most int) []ui.Part {
	stopped, started := foresight.Stopped(rounds), 0
	waits, _ := waitOf(rounds)
	for _, f := range rounds {
		started += f.Round.Started
	}
	stopped = min(stopped, most)
	again := min(foresight.Restarted(rounds), most-stopped)
	waits = min(waits, most-stopped-again)
	fresh := min(max(started-stopped-waits, 0), most-stopped-again-waits)
	return []ui.Part{
		{'■', theme.Running, most - stopped - again - waits - fresh},
		{'◆', theme.Stopped, again},
		{'▼', theme.Stopped, stopped},
		{'▲', theme.Started, fresh},
		{'░', theme.Delayed, waits},
	}
}

// waitOf is how many units wait at most, and for how long there are any.
func waitOf(rounds []foresight.Foreseen) (units int, d time.Duration) {
	for i, f := range rounds {
		if f.Round.Delayed == 0 {
			continue
		}
		units = max(units, f.Round.Delayed)
		if i+1 < len(rounds) {
			d += rounds[i+1].In - f.In
		} else {
			d += time.Duration(f.DelayMs) * time.Millisecond
		}
	}
	return units, d
}

// CostText is a cost in unit-seconds: 5.6, 1,234, 30.6k; known within a range 56-71; at least
// that >20.9; still growing 56-71+; estimated ~60.
func CostText(c group.Cost) string {
	out := words.UnitSeconds(c.Low)
	switch {
	case c.Open:
		out = ">" + out
	case !c.Exact():
		out = strings.TrimSuffix(words.Whole(c.Low)+"-"+words.Whole(c.High), "-")
		if words.Whole(c.Low) == words.Whole(c.High) {
			out = words.Whole(c.Low)
		}
	}
	if c.Estimated {
		out = "~" + out
	}
	if c.Growing {
		out += "+"
	}
	return out
}

// EagerCost is what eager would have cost in a round, told by how long this group's units take to stop and to start; "" where
// that is not known, or not asked for with e.
func EagerCost(s *scene.Scene, r *group.Round) string {
	if !s.Eager {
		return ""
	}
	low, high := s.Pace.Of(s.Live).EagerCost(r.EagerWouldStop)
	if low <= 0 {
		return ""
	}
	return CostText(group.Cost{Low: low, High: high, Estimated: true})
}

// CostPieces are the line of the round pane that says what the round cost, and what eager would have stopped.
func CostPieces(s *scene.Scene, r *group.Round, narrow bool) []ui.Piece {
	var out []ui.Piece
	if c, ok := s.Live.Cost(r); ok {
		down := " down"
		if c.Growing && !narrow {
			down = " down so far"
		}
		sum := strings.TrimSuffix(CostText(c), "+")
		if c.Open {
			sum = "at least " + strings.TrimPrefix(sum, ">")
		}
		out = append(out, ui.Piece{ui.Text, sum + " unit-s"}, ui.Piece{ui.Muted, down})
	}
	if r.EagerWouldStop > 0 && r.Mode == group.ModeCooperative {
		between := "eager would stop "
		if narrow {
			between = "eager stops "
		}
		if out != nil {
			between = "; " + between
		}
		out = append(out, ui.Piece{ui.Muted, between}, ui.Piece{ui.Text, words.Thousands(r.EagerWouldStop)})
	}
	return out
}

// RoundCost is what a round cost in unit-seconds, "0" where units were touched and none stood still, "" where it touched none.
func RoundCost(s *group.State, r *group.Round) string {
	c, ok := s.CostSaid(r)
	if !ok {
		return ""
	}
	return CostText(c)
}
