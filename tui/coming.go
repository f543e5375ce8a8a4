package tui

import (
	"strings"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// nextLines say what comes next, as far as that is known; of a past round what came of it.
func nextLines(s *scene, r *group.Round, width int) [][]piece {
	st := s.state
	if st.At+1 < len(st.Rounds) {
		return outcomeLines(s, r, st.Rounds[st.At+1], width)
	}
	if coming, exact := st.Coming(); len(coming) > 0 {
		return comingLines(s, r, coming, exact, width)
	}
	switch {
	case st.Delay != nil && st.Delay.Units > 0:
		return [][]piece{{{strong, s.clock(st.Delay.Ends)}, {muted, "  the delay ends, if nobody joins before"}}}
	case st.Delay != nil:
		return [][]piece{{{strong, s.clock(st.Delay.Ends)}, {muted, "  the leader goes on sharing evenly"}}}
	case r.Released > 0:
		return [][]piece{{{muted, "the next round gives "}, {text, plural(r.Released, "unit")}, {muted, " to others"}}}
	case r.Settled && !r.Empty():
		return [][]piece{{{muted, "settled; nothing is planned"}}}
	}
	return nil
}

// maxComing bounds how many of the coming rounds are told.
const maxComing = 2

// comingLines tell the rounds that will come by themselves.
func comingLines(s *scene, r *group.Round, coming []group.Coming, exact bool, width int) [][]piece {
	var out [][]piece
	for i, c := range coming[:min(len(coming), maxComing)] {
		number := "round " + count(int(c.Generation))
		when := number + ", if nobody joins before"
		switch {
		case i > 0:
			when = "then " + number
		case c.Why == group.CauseRelease && width < narrowPane:
			when = number + ", once they stop"
		case c.Why == group.CauseRelease:
			when = number + ", once they have stopped"
		case width < narrowPane:
			when = number + ", if nobody joins"
		}
		out = append(out, []piece{{strong, s.clock(c.At)}, {muted, "  " + when}})
		var told []toldWorker
		for _, w := range c.Workers {
			told = append(told, toldWorker{w.Name, w.Start, w.Stop})
		}
		out = append(out, toldLines(told, width, s.view == viewRound)...)
	}
	switch {
	case !exact:
		out = append(out, []piece{{muted, "likely: the leader's mind is not known for sure"}})
	case s.view == viewRound: // it says what the shadow leader makes of the round below
	case r.AsPredicted > 1 && width < narrowPane:
		out = append(out, []piece{{muted, "exact: " + count(r.AsPredicted) + " rounds went as predicted"}})
	case r.AsPredicted > 1:
		out = append(out, []piece{{muted, "exact: the last " + count(r.AsPredicted) + " rounds went as predicted"}})
	default:
		out = append(out, []piece{{muted, "exact"}})
	}
	return out
}

// outcomeLines tell what came of a past round: what the next one of its episode started and stopped.
func outcomeLines(s *scene, r, next *group.Round, width int) [][]piece {
	if next.EpisodeSeq != r.EpisodeSeq {
		return nil
	}
	out := [][]piece{{{strong, s.clock(next.At)}, {muted, "  round " + generation(next) + ", what came of it"}}}
	if d := s.detail(s.state.At + 1); d != nil {
		var told []toldWorker
		for i := range d.Members {
			told = append(told, toldWorker{d.Members[i].Name, d.Members[i].Assigned, d.Members[i].Revoked})
		}
		if next.Mode == group.ModeCooperative { // under eager everything is assigned anew
			out = append(out, toldLines(told, width, s.view == viewRound)...)
		}
	}
	last := ""
	switch next.Shadow {
	case "same":
		last = "as predicted; "
	case "differs":
		last = "not as predicted; "
	}
	if c, ok := s.live.EpisodeCost(r); ok {
		last += "longest gap of a unit " + gapText(c.LongestLow, c.LongestHigh)
	}
	if last = strings.TrimSuffix(last, "; "); last != "" && s.view == viewRound {
		for _, line := range cell.Wrap(last, width) {
			out = append(out, []piece{{muted, line}})
		}
	} else if last != "" {
		out = append(out, []piece{{muted, last}})
	}
	return out
}

// toldWorker is what a round tells a worker to start and to stop.
type toldWorker struct {
	name        string
	start, stop []group.Unit
}

// maxToldWorkers bounds how many workers are listed.
const maxToldWorkers = 5

// toldLines has a line a worker; where all is to be told, as many as it needs.
func toldLines(workers []toldWorker, width int, all bool) [][]piece {
	nameWidth := 0
	for _, w := range workers {
		if len(w.start)+len(w.stop) > 0 {
			nameWidth = max(nameWidth, min(cell.Width(w.name), 16))
		}
	}
	var out [][]piece
	for _, w := range workers {
		if len(w.start)+len(w.stop) == 0 {
			continue
		}
		if len(out) == maxToldWorkers {
			return append(out, []piece{{muted, "  …"}})
		}
		name := cell.Middle(w.name, nameWidth)
		line := []piece{{text, "  " + name + strings.Repeat(" ", nameWidth-cell.Width(name))}}
		if all {
			out = append(out, toldWhole(line, w, width)...)
			continue
		}
		line = appendRuns(line, w.start, "▲", theme.Started, width)
		out = append(out, appendRuns(line, w.stop, "▼", theme.Stopped, width))
	}
	return out
}

// toldWhole goes on in further lines, set in below the first.
func toldWhole(line []piece, w toldWorker, width int) [][]piece {
	var out [][]piece
	indent := widthOf(line)
	add := func(units []group.Unit, mark string, token theme.Token) {
		for _, run := range unitRuns(units, farAway) {
			p := []piece{{token.Plain(), "  " + mark}, {muted, " " + run.connector + " "}, {text, run.tasks}}
			if widthOf(line)+widthOf(p) > width && widthOf(line) > indent {
				out, line = append(out, line), []piece{{text, strings.Repeat(" ", indent)}}
			}
			line = append(line, p...)
		}
	}
	add(w.start, "▲", theme.Started)
	add(w.stop, "▼", theme.Stopped)
	return append(out, line)
}

// appendRuns adds units to a line, a mark before each connector; "…" for those that find no place.
func appendRuns(line []piece, units []group.Unit, mark string, token theme.Token, width int) []piece {
	runs := unitRuns(units, width)
	room := width - widthOf(line)
	for i, run := range runs {
		add := []piece{{token.Plain(), "  " + mark}, {muted, " " + run.connector + " "}, {text, run.tasks}}
		need := widthOf(add)
		if i < len(runs)-1 {
			need += 2
		}
		if need > room {
			return append(line, piece{muted, " …"})
		}
		line = append(line, add...)
		room -= widthOf(add)
	}
	return line
}
