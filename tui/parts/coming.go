package parts

import (
	"strings"

	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// NextLines say what comes next, as far as that is known; of a past round what came of it.
func NextLines(s *scene.Scene, r *group.Round, width int) [][]ui.Piece {
	st := s.State
	if st.At+1 < len(st.Rounds) {
		return outcomeLines(s, r, st.Rounds[st.At+1], width)
	}
	if coming, exact := st.Coming(); len(coming) > 0 {
		return comingLines(s, r, coming, exact, width)
	}
	switch {
	case st.Delay != nil && st.Delay.Units > 0:
		return [][]ui.Piece{{{ui.Strong, s.Clock(st.Delay.Ends)}, {ui.Muted, "  the delay ends, if nobody joins before"}}}
	case st.Delay != nil:
		return [][]ui.Piece{{{ui.Strong, s.Clock(st.Delay.Ends)}, {ui.Muted, "  the leader goes on sharing evenly"}}}
	case r.Released > 0:
		return [][]ui.Piece{{{ui.Muted, "the next round gives "}, {ui.Text, words.Plural(r.Released, "unit")}, {ui.Muted, " to others"}}}
	case r.Settled && !r.Empty() && r.Mode == group.ModeEager:
		if lines := eagerLines(s, r, width); lines != nil {
			return lines
		}
		fallthrough
	case r.Settled && !r.Empty():
		return [][]ui.Piece{{{ui.Muted, "settled; nothing is planned"}}}
	}
	return nil
}

// eagerLines say what it takes for a group that one worker took to eager to be cooperative again.
func eagerLines(s *scene.Scene, r *group.Round, width int) [][]ui.Piece {
	who, others := scene.ForcedBy(s.State), 0
	if who == "" {
		return nil
	}
	for i := range s.State.Workers {
		if w := &s.State.Workers[i]; !w.Gone && w.Name != who {
			others += w.Held
		}
	}
	text := "While " + cell.Middle(who, 20) + " stays, every round stops all " + words.Plural(r.Units, "unit") + "."
	if s.Lay.Class > scene.Slim { // a slim screen has a line for it
		text += " If it leaves, the other " + words.Thousands(others) + " stop once more, and then the group is cooperative again."
	}
	var out [][]ui.Piece
	for _, line := range cell.Wrap(text, width) {
		out = append(out, []ui.Piece{{ui.Muted, line}})
	}
	return out
}

// leaderEnds says what follows if the leader, which has stopped its own work, leaves while a delay runs. nil: it has not.
func leaderEnds(s *scene.Scene, r *group.Round, width int) [][]ui.Piece {
	leader, heir := -1, -1
	ws := s.State.Workers
	for i := range ws {
		switch w := &ws[i]; {
		case w.Gone:
		case w.Leader:
			leader = i
		case heir < 0 || w.Wire < ws[heir].Wire:
			heir = i
		}
	}
	if r.Mode != group.ModeCooperative || r.Delayed == 0 || leader < 0 || heir < 0 || !StoppedItself(s.State, &ws[leader]) {
		return nil
	}
	all := ws[leader].Held + r.Delayed
	text := "If " + cell.Middle(ws[leader].Name, 20) + " leaves, " + cell.Middle(ws[heir].Name, 20) + " leads, knows no delay, and gives all " + words.Thousands(all) + " out at once."
	var out [][]ui.Piece
	for _, line := range cell.Wrap(text, width) {
		out = append(out, []ui.Piece{{ui.Text, line}})
	}
	return out
}

// StoppedItself says whether a worker says that it stopped all it holds, though no round told it to.
func StoppedItself(s *group.State, w *group.Worker) bool {
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
func comingLines(s *scene.Scene, r *group.Round, coming []group.Coming, exact bool, width int) [][]ui.Piece {
	out := leaderEnds(s, r, width)
	for i, c := range coming[:min(len(coming), maxComing)] {
		number := "round " + words.Thousands(int(c.Generation))
		when := number + ", if nobody joins before"
		switch {
		case i > 0:
			when = "then " + number
		case c.Why == group.CauseRelease && width < NarrowPane:
			when = number + ", once they stop"
		case c.Why == group.CauseRelease:
			when = number + ", once they have stopped"
		case width < NarrowPane:
			when = number + ", if nobody joins"
		}
		out = append(out, []ui.Piece{{ui.Strong, s.Clock(c.At)}, {ui.Muted, "  " + when}})
		var told []ToldWorker
		for _, w := range c.Workers {
			told = append(told, ToldWorker{w.Name, w.Start, w.Stop})
		}
		out = append(out, ToldLines(told, width, s.View == keys.Round)...)
	}
	switch {
	case !exact:
		out = append(out, []ui.Piece{{ui.Muted, "likely: the leader's mind is not known for sure"}})
	case s.View == keys.Round: // it says what the shadow leader makes of the round below
	case r.AsPredicted > 1 && width < NarrowPane:
		out = append(out, []ui.Piece{{ui.Muted, "exact: " + words.Thousands(r.AsPredicted) + " rounds went as predicted"}})
	case r.AsPredicted > 1:
		out = append(out, []ui.Piece{{ui.Muted, "exact: the last " + words.Thousands(r.AsPredicted) + " rounds went as predicted"}})
	default:
		out = append(out, []ui.Piece{{ui.Muted, "exact"}})
	}
	return out
}

// NextInOneLine is the round that comes next by itself, told in a line: when, and who starts and stops what; how many of them
// where their names find no place. nil: none comes.
func NextInOneLine(s *scene.Scene, width int) []ui.Piece {
	st := s.State
	if st.At+1 < len(st.Rounds) {
		return nil
	}
	coming, exact := st.Coming()
	if len(coming) == 0 {
		return nil
	}
	var line []ui.Piece
	for _, named := range []bool{true, false} {
		line = []ui.Piece{{ui.Strong, s.Clock(coming[0].At)}}
		if !exact {
			line = append(line, ui.Piece{ui.Muted, "  likely"})
		}
		for _, w := range coming[0].Workers {
			if len(w.Start)+len(w.Stop) == 0 {
				continue
			}
			line = append(line, ui.Piece{ui.Text, "  " + cell.Middle(w.Name, 16)})
			line = append(line, toldBriefly(w.Start, "▲", theme.Started, named)...)
			line = append(line, toldBriefly(w.Stop, "▼", theme.Stopped, named)...)
		}
		if ui.WidthOf(line) <= width {
			break
		}
	}
	return line
}

// toldBriefly are units behind one mark.
func toldBriefly(units []group.Unit, mark string, token theme.Token, named bool) []ui.Piece {
	if len(units) == 0 {
		return nil
	}
	out := []ui.Piece{{token.Plain(), " " + mark}}
	if !named {
		return append(out, ui.Piece{ui.Text, " " + words.Thousands(len(units))})
	}
	for i, run := range label.UnitRuns(units, ui.FarAway) {
		gap := " "
		if i > 0 {
			gap = "  "
		}
		out = append(out, ui.Piece{ui.Muted, gap + run.Connector + " "}, ui.Piece{ui.Text, run.Tasks})
	}
	return out
}

// outcomeLines tell what came of a past round: what the next one of its episode started and stopped.
func outcomeLines(s *scene.Scene, r, next *group.Round, width int) [][]ui.Piece {
	if next.EpisodeSeq != r.EpisodeSeq {
		return nil
	}
	out := [][]ui.Piece{{{ui.Strong, s.Clock(next.At)}, {ui.Muted, "  round " + label.Generation(next) + ", what came of it"}}}
	if d := s.Detail(s.State.At + 1); d != nil {
		var told []ToldWorker
		for i := range d.Members {
			told = append(told, ToldWorker{d.Members[i].Name, d.Members[i].Assigned, d.Members[i].Revoked})
		}
		if next.Mode == group.ModeCooperative { // under eager everything is assigned anew
			out = append(out, ToldLines(told, width, s.View == keys.Round)...)
		}
	}
	last := ""
	switch next.Shadow {
	case assign.ShadowSame:
		last = "as predicted; "
	case assign.ShadowDiffers:
		last = "not as predicted; "
	}
	if c, ok := s.Live.EpisodeCost(r); ok {
		last += "longest gap of a unit " + words.Gap(c.LongestLow, c.LongestHigh)
	}
	if last = strings.TrimSuffix(last, "; "); last != "" && s.View == keys.Round {
		for _, line := range cell.Wrap(last, width) {
			out = append(out, []ui.Piece{{ui.Muted, line}})
		}
	} else if last != "" {
		out = append(out, []ui.Piece{{ui.Muted, last}})
	}
	return out
}

// ToldWorker is what a round tells a worker to start and to stop.
type ToldWorker struct {
	Name        string
	Start, Stop []group.Unit
}

// maxToldWorkers bounds how many workers are listed.
const maxToldWorkers = 5

// ToldLines has a line a worker; where all is to be told, as many as it needs.
func ToldLines(workers []ToldWorker, width int, all bool) [][]ui.Piece {
	nameWidth := 0
	for _, w := range workers {
		if len(w.Start)+len(w.Stop) > 0 {
			nameWidth = max(nameWidth, min(cell.Width(w.Name), 16))
		}
	}
	var out [][]ui.Piece
	for _, w := range workers {
		if len(w.Start)+len(w.Stop) == 0 {
			continue
		}
		if len(out) == maxToldWorkers {
			return append(out, []ui.Piece{{ui.Muted, "  …"}})
		}
		name := cell.Middle(w.Name, nameWidth)
		line := []ui.Piece{{ui.Text, "  " + name + strings.Repeat(" ", nameWidth-cell.Width(name))}}
		if all {
			out = append(out, toldWhole(line, w, width)...)
			continue
		}
		line = appendRuns(line, w.Start, "▲", theme.Started, width)
		out = append(out, appendRuns(line, w.Stop, "▼", theme.Stopped, width))
	}
	return out
}

// toldWhole goes on in further lines, set in below the first.
func toldWhole(line []ui.Piece, w ToldWorker, width int) [][]ui.Piece {
	var out [][]ui.Piece
	indent := ui.WidthOf(line)
	add := func(units []group.Unit, mark string, token theme.Token) {
		for _, run := range label.UnitRuns(units, ui.FarAway) {
			p := []ui.Piece{{token.Plain(), "  " + mark}, {ui.Muted, " " + run.Connector + " "}, {ui.Text, run.Tasks}}
			if ui.WidthOf(line)+ui.WidthOf(p) > width && ui.WidthOf(line) > indent {
				out, line = append(out, line), []ui.Piece{{ui.Text, strings.Repeat(" ", indent)}}
			}
			line = append(line, p...)
		}
	}
	add(w.Start, "▲", theme.Started)
	add(w.Stop, "▼", theme.Stopped)
	return append(out, line)
}

// appendRuns adds units to a line, a mark before each connector; "…" for those that find no place.
func appendRuns(line []ui.Piece, units []group.Unit, mark string, token theme.Token, width int) []ui.Piece {
	runs := label.UnitRuns(units, width)
	room := width - ui.WidthOf(line)
	for i, run := range runs {
		add := []ui.Piece{{token.Plain(), "  " + mark}, {ui.Muted, " " + run.Connector + " "}, {ui.Text, run.Tasks}}
		need := ui.WidthOf(add)
		if i < len(runs)-1 {
			need += 2
		}
		if need > room {
			return append(line, ui.Piece{ui.Muted, " …"})
		}
		line = append(line, add...)
		room -= ui.WidthOf(add)
	}
	return line
}
