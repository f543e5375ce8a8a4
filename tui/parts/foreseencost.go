package parts

import (
	"time"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
)

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
