package tui

import (
	"strings"

	"regroup/group"
	"regroup/group/assign"
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
	case r.Settled && !r.Empty() && r.Mode == group.ModeEager:
		if lines := eagerLines(s, r, width); lines != nil {
			return lines
		}
		fallthrough
	case r.Settled && !r.Empty():
		return [][]piece{{{muted, "settled; nothing is planned"}}}
	}
	return nil
}

// eagerLines say what it takes for a group that one worker took to eager to be cooperative again.
func eagerLines(s *scene, r *group.Round, width int) [][]piece {
	who, others := forcedBy(s.state), 0
	if who == "" {
		return nil
	}
	for i := range s.state.Workers {
		if w := &s.state.Workers[i]; !w.Gone && w.Name != who {
			others += w.Held
		}
	}
	words := "While " + cell.Middle(who, 20) + " stays, every round stops all " + plural(r.Units, "unit") + "."
	if s.lay.class > classSlim { // a slim screen has a line for it
		words += " If it leaves, the other " + count(others) + " stop once more, and then the group is cooperative again."
	}
	var out [][]piece
	for _, line := range cell.Wrap(words, width) {
		out = append(out, []piece{{muted, line}})
	}
	return out
}

// leaderEnds says what follows if the leader, which has stopped its own work, leaves while a delay runs. nil: it has not.
func leaderEnds(s *scene, r *group.Round, width int) [][]piece {
	leader, heir := -1, -1
	ws := s.state.Workers
	for i := range ws {
		switch w := &ws[i]; {
		case w.Gone:
		case w.Leader:
			leader = i
		case heir < 0 || w.Wire < ws[heir].Wire:
			heir = i
		}
	}
	if r.Mode != group.ModeCooperative || r.Delayed == 0 || leader < 0 || heir < 0 || !stoppedItself(s.state, &ws[leader]) {
		return nil
	}
	all := ws[leader].Held + r.Delayed
	words := "If " + cell.Middle(ws[leader].Name, 20) + " leaves, " + cell.Middle(ws[heir].Name, 20) + " leads, knows no delay, and gives all " + count(all) + " out at once."
	var out [][]piece
	for _, line := range cell.Wrap(words, width) {
		out = append(out, []piece{{text, line}})
	}
	return out
}

// stoppedItself says whether a worker says that it stopped all it holds, though no round told it to.
func stoppedItself(s *group.State, w *group.Worker) bool {
	if w.Gone || w.Held == 0 || w.Revoked > 0 || len(w.Holds) != w.Held {
		return false
	}
	for _, u := range w.Holds {
		if s.Units[u].State != group.UnitStopping {
			return false
		}
	}
	return true
}

// maxComing bounds how many of the coming rounds are told.
const maxComing = 2

// comingLines tell the rounds that will come by themselves.
func comingLines(s *scene, r *group.Round, coming []group.Coming, exact bool, width int) [][]piece {
	out := leaderEnds(s, r, width)
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

// nextInOneLine is the round that comes next by itself, told in a line: when, and who starts and stops what; how many of them
// where their names find no place. nil: none comes.
func nextInOneLine(s *scene, width int) []piece {
	st := s.state
	if st.At+1 < len(st.Rounds) {
		return nil
	}
	coming, exact := st.Coming()
	if len(coming) == 0 {
		return nil
	}
	var line []piece
	for _, named := range []bool{true, false} {
		line = []piece{{strong, s.clock(coming[0].At)}}
		if !exact {
			line = append(line, piece{muted, "  likely"})
		}
		for _, w := range coming[0].Workers {
			if len(w.Start)+len(w.Stop) == 0 {
				continue
			}
			line = append(line, piece{text, "  " + cell.Middle(w.Name, 16)})
			line = append(line, toldBriefly(w.Start, "▲", theme.Started, named)...)
			line = append(line, toldBriefly(w.Stop, "▼", theme.Stopped, named)...)
		}
		if widthOf(line) <= width {
			break
		}
	}
	return line
}

// toldBriefly are units behind one mark.
func toldBriefly(units []group.Unit, mark string, token theme.Token, named bool) []piece {
	if len(units) == 0 {
		return nil
	}
	out := []piece{{token.Plain(), " " + mark}}
	if !named {
		return append(out, piece{text, " " + count(len(units))})
	}
	for i, run := range unitRuns(units, farAway) {
		gap := " "
		if i > 0 {
			gap = "  "
		}
		out = append(out, piece{muted, gap + run.connector + " "}, piece{text, run.tasks})
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
	case assign.ShadowSame:
		last = "as predicted; "
	case assign.ShadowDiffers:
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
