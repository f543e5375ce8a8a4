package parts

import (
	"time"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// ForeseenLines tell what will happen, or what eager would do: each way in which it may go, round by round, what it costs beside eager, and why it
// may come otherwise.
func ForeseenLines(prepared *actions.PreparedAction, eager bool, width int) [][]ui.Piece {
	var out [][]ui.Piece
	for _, l := range prepared.Lines {
		out = append(out, []ui.Piece{{ui.Text, ui.Printable(l)}})
	}
	if len(out) > 0 {
		out = append(out, nil)
	}
	if h := prepared.Action.Harm; h != "" {
		for _, l := range cell.Wrap(ui.Printable(ui.Capitalised(h))+".", width) {
			out = append(out, []ui.Piece{{ui.Text, l}})
		}
		out = append(out, nil)
	}
	if r := prepared.Foreseen; r != nil {
		out = append(out, ruled("What it will cost", "foreseen", width))
		return append(out, CostTable(r, width)...)
	}
	if prepared.Preview == nil {
		why := prepared.NoPreview
		if why == "" {
			why = "No round comes of it: everything stays where it is"
		}
		return append(out, []ui.Piece{{ui.Muted, cell.End(ui.Printable(ui.Capitalised(why))+".", width)}})
	}
	if n := prepared.Preview.Times; n > 1 {
		out = append(out, []ui.Piece{{ui.Text, words.Thousands(n) + " times; each time one of these:"}}, nil)
	}
	priced := false
	for i, o := range prepared.Preview.Outcomes {
		if i > 0 {
			out = append(out, nil)
		}
		out = append(out, outcomeText(eager, i, &o, width)...)
		priced = priced || len(o.Rounds)+len(o.Eager) > 0
	}
	if priced {
		for _, l := range cell.Wrap(ui.Capitalised(prepared.Preview.PaceText())+".", width-2) {
			out = append(out, []ui.Piece{{ui.Muted, "  " + l}})
		}
	}
	return out
}

func outcomeText(eager bool, i int, o *foresight.Outcome, width int) [][]ui.Piece {
	var out [][]ui.Piece
	title, note := "What will happen", "exact"
	if eager {
		title, note = "What eager would do", ""
	} else if !o.Exact() {
		note = "not certain"
	}
	out = append(out, ruled(title, note, width))
	if o.Name != "" {
		word := "if "
		if i > 0 {
			word = "or, if "
		}
		out = append(out, []ui.Piece{{ui.Muted, "  " + cell.End(ui.Printable(word+o.Name)+":", width-2)}})
	}
	rounds := o.Rounds
	if eager {
		rounds = o.Eager
	} else {
		for _, w := range o.Warnings { // before the rounds, of which there may be more than the dialog has rows
			out = append(out, Marked("& ", theme.Wrong, ui.Text, ui.Capitalised(w)+".", width)...)
		}
	}
	out = append(out, foreseenRounds(rounds, width)...)
	if !eager {
		for _, d := range o.Caveats {
			out = append(out, Marked("? ", theme.Delayed, ui.Muted, d, width)...)
		}
	}
	if len(o.Rounds)+len(o.Eager) > 0 {
		out = append(out, nil, ruled("What it costs", "", width))
		out = append(out, priceLines(o, width)...)
	}
	return out
}

// Marked is a remark below the rounds, with a mark before it.
func Marked(mark string, token theme.Token, style theme.Style, words string, width int) [][]ui.Piece {
	var out [][]ui.Piece
	for n, l := range cell.Wrap(ui.Printable(words), width-4) {
		if n > 0 {
			mark = "  "
		}
		out = append(out, []ui.Piece{{token.Bold(), "  " + mark}, {style, l}})
	}
	return out
}

// ruled is a heading with a rule and a note behind it.
func ruled(title, note string, width int) []ui.Piece {
	rule := width - cell.Width(title) - 1
	if note != "" {
		rule -= cell.Width(note) + 1
	}
	line := []ui.Piece{{ui.Strong, title}, {ui.Text, " "}, {ui.Faint, ui.Repeat('─', rule)}}
	if note != "" {
		line = append(line, ui.Piece{ui.Muted, " " + note})
	}
	return line
}

// foreseenRounds have a line a round: its number, when, what stops, starts and waits; below it who, and why.
func foreseenRounds(rounds []foresight.Foreseen, width int) [][]ui.Piece {
	if len(rounds) == 0 {
		return [][]ui.Piece{{{ui.Muted, "  no round: nothing moves"}}}
	}
	const whenWidth, indent = 22, 45
	out := [][]ui.Piece{{{ui.Muted, "  " + ui.PadLeft("round", 6) + "  " + ui.Pad("when", whenWidth) + " stop start wait"}}}
	for i, f := range rounds {
		r := f.Round
		line := []ui.Piece{
			{ui.Strong, "  " + ui.PadLeft(label.Generation(r), 6) + "  "},
			{ui.Text, ui.Pad(cell.End(WhenText(rounds, i), whenWidth), whenWidth)},
			number(r.Stopped+r.Dropped, 5, theme.Stopped), number(r.Started, 6, theme.Started), number(r.Delayed, 5, theme.Delayed),
			{ui.Text, "  "},
		}
		if width >= indent+30 {
			room := width - indent
			who := WhoLines(f, room)
			for n, w := range who {
				if n > 0 {
					line = []ui.Piece{{ui.Text, ui.Repeat(' ', indent)}}
				}
				out = append(out, append(line, w...))
			}
			continue
		}
		out = append(out, line)
		for _, w := range WhoLines(f, width-6) {
			out = append(out, append([]ui.Piece{{ui.Text, "      "}}, w...))
		}
	}
	return out
}

func number(n, width int, some theme.Token) ui.Piece {
	if n == 0 {
		return ui.Piece{ui.Muted, ui.PadLeft("0", width)}
	}
	return ui.Piece{some.Bold(), ui.PadLeft(words.Thousands(n), width)}
}

// WhenText tells a round's time from now, or after the round before.
func WhenText(rounds []foresight.Foreseen, i int) string {
	in, slack, after := rounds[i].In, rounds[i].Slack, " from now"
	if i > 0 {
		in, after = in-rounds[i-1].In, " after that"
	}
	switch {
	case in < time.Second && slack > 0:
		return "within " + words.Span(in.Truncate(time.Second)+slack)
	case in < time.Second:
		return "at once"
	case slack > 0 && i == 0:
		return words.Thousands(int(in.Round(time.Second)/time.Second)) + " to " + words.Span((in + slack).Round(time.Second)) + after
	}
	return words.Span(in.Round(time.Second)) + after
}

// WhoLines say what brings a round about, and what each worker starts and stops, and what waits.
func WhoLines(f foresight.Foreseen, width int) [][]ui.Piece {
	out := [][]ui.Piece{{{ui.Muted, cell.End(ui.Printable(f.Why), width)}}}
	var told []ToldWorker
	for _, m := range f.Members {
		told = append(told, ToldWorker{m.Name, m.Assigned, m.Revoked})
	}
	for _, line := range ToldLines(told, width+toldIndent, true) {
		line[0].Text = line[0].Text[toldIndent:]
		out = append(out, line)
	}
	add := func(what string, units []group.Unit, mark rune, token theme.Token) {
		if len(units) == 0 {
			return
		}
		line := []ui.Piece{{ui.Text, what}}
		for _, run := range label.UnitRuns(units, ui.FarAway) {
			p := []ui.Piece{{token.Plain(), "  " + string(mark)}, {ui.Muted, " " + run.Connector + " "}, {ui.Text, run.Tasks}}
			if ui.WidthOf(line)+ui.WidthOf(p) > width && len(line) > 1 {
				out, line = append(out, line), []ui.Piece{{ui.Text, ui.Repeat(' ', cell.Width(what))}}
			}
			line = append(line, p...)
		}
		out = append(out, line)
	}
	if n := f.Round.Restarted; n > 0 {
		out = append(out, []ui.Piece{{theme.Stopped.Plain(), "◆"}, {ui.Text, " " + Restarts(n) + " where they are"}})
	}
	add("wait "+words.Span(time.Duration(f.DelayMs)*time.Millisecond), f.Delayed, '░', theme.Delayed)
	add("nobody has", f.Unassigned, 'x', theme.Wrong)
	return out
}

// Restarts counts units that stop and start again on their worker, which is told of neither.
func Restarts(n int) string {
	if n == 1 {
		return "1 unit restarts"
	}
	return words.Plural(n, "unit") + " restart"
}

// toldIndent is how far toldLines sets its lines in.
const toldIndent = 2

// ResultText says in one line whether something came as foreseen.
func ResultText(c actions.ActionResult) (string, theme.Token) {
	text, token := followedText(c)
	switch len(c.Failed) {
	case 0:
		return text, token
	case 1:
		return text + "; " + c.Failed[0].Unit.String() + " failed", theme.Wrong
	}
	return text + "; " + words.Thousands(len(c.Failed)) + " units failed, " + c.Failed[0].Unit.String() + " first", theme.Wrong
}

func followedText(c actions.ActionResult) (string, theme.Token) {
	switch {
	case c.Unsettled != "":
		return "not settled: " + c.Unsettled, theme.Delayed
	case c.Outcome == nil && len(c.Rounds) == 0:
		return "settled", theme.Running
	case c.Outcome == nil:
		return "settled after " + words.Plural(len(c.Rounds), "round"), theme.Running
	case len(c.Differences) > 0:
		out := "not as predicted: " + c.Differences[0].String()
		if more := len(c.Differences) - 1; more > 0 {
			out += ", and " + words.Thousands(more) + " more"
		}
		return out, theme.Wrong
	case len(c.Outcome.Rounds) == 0:
		return "as predicted: no round", theme.Running
	}
	as := map[foresight.Precision]string{foresight.InUnits: "as predicted", foresight.InCounts: "as predicted, in counts", foresight.InRounds: "as predicted, as far as it could be"}[c.Outcome.Precision]
	return as + ": round" + roundRange(c.Rounds), theme.Running
}

// roundRange is " 22", or "s 22 to 23".
func roundRange(rounds []*group.Detail) string {
	switch n := len(rounds); n {
	case 0:
		return "s"
	case 1:
		return " " + label.Generation(rounds[0].Round)
	default:
		return "s " + label.Generation(rounds[0].Round) + " to " + label.Generation(rounds[n-1].Round)
	}
}
