package units

import (
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// groupText is what the group says of a unit: who holds it, and since which round.
func groupText(s *scene.Scene, i int) string {
	u := &s.State.Units[i]
	if u.Worker < 0 {
		r := s.State.Round()
		if r == nil || r.Polled {
			return "nobody"
		}
		return "nobody, round " + label.Generation(r)
	}
	name := cell.Middle(label.Holder(s.State, u), 20)
	if _, g, ok := s.State.Given(i); ok {
		return name + ", round " + words.Thousands(int(g))
	}
	return name + ", before"
}

// statusText is what the status topic says of a unit: state, worker, and the newest generation that the worker knew.
func statusText(s *scene.Scene, i int) string {
	said, ok := s.State.LatestStatus(i)
	if !ok {
		return "nothing"
	}
	return decode.Printable(said.State) + " " + cell.Middle(said.Worker, 20) + ", " + words.Thousands(int(said.Generation))
}

func drawStatusText(s *scene.Scene, l *cell.Line, i, w int) {
	u := &s.State.Units[i]
	end := l.Used() + w
	switch {
	case u.Orphaned:
		l.Text(theme.Delayed.Plain(), "@ ")
	case u.Stale:
		l.Text(ui.Muted, "~ ")
	}
	style := ui.Text
	said, ok := s.State.LatestStatus(i)
	switch {
	case !ok:
		style = ui.Muted
	case said.State == decode.Failed:
		style = theme.Wrong.Plain()
	case u.Orphaned:
		style = theme.Delayed.Plain()
	}
	l.Words(style, statusText(s, i), max(end-l.Used(), 0))
}

func statusAge(s *scene.Scene, i int) string {
	said, ok := s.State.LatestStatus(i)
	if !ok {
		return ""
	}
	return statusAgo(s, said)
}

// statusAgo is an age under two minutes to the second, as 0:20; older ones in one unit.
func statusAgo(s *scene.Scene, said group.LatestStatus) string {
	d := s.State.Now.Sub(said.At)
	if d < 120*1e9 {
		return words.Countdown(d)
	}
	return words.Age(d)
}

// drawUnitBrief says of one unit what the list has no room for, and the end of its story.
func drawUnitBrief(s *scene.Scene, life *lifeMemo, r cell.Rect, i int) {
	u := &s.State.Units[i]
	s.Title(r, cell.Middle(u.Unit.String(), 40), "", "enter opens its story", false)
	lines := unitSentences(s, i, r.W)
	row := 1
	for _, line := range lines {
		if row >= r.H {
			return
		}
		l := s.Line(r, row)
		s.Pieces(&l, line)
		row++
	}
	happened, _ := life.of(s.State, i)
	room := r.H - row - 1
	if len(happened) == 0 || room < 1 {
		return
	}
	for _, h := range happened[max(0, len(happened)-room):] {
		row++
		l := s.Line(r, row)
		drawBriefEntry(s, &l, &h)
	}
}

func drawBriefEntry(s *scene.Scene, l *cell.Line, h *group.Entry) {
	l.Words(ui.Muted, s.Clock(h.At), 8).Gap(2).Words(ui.Muted, entrySource(h), 9).Gap(2)
	glyph, token := parts.EntryMark(h)
	l.Rune(token.Bold(), glyph, 1).Gap(1).Sentence(ui.Text, parts.EntryText(s, h))
}

func entrySource(h *group.Entry) string {
	switch {
	case h.Round != nil:
		return "round " + label.Generation(h.Round)
	case h.Kind == group.LifeConfig:
		return "config"
	}
	return "status"
}

// unitSentences tell the state of a unit, and each claim that does not fit it.
func unitSentences(s *scene.Scene, i, width int) [][]ui.Piece {
	u := &s.State.Units[i]
	m := label.UnitMarks[u.State]
	var out [][]ui.Piece
	add := func(token theme.Token, mark rune, word, rest string) {
		lines := cell.Wrap(word+rest, width-2)
		for n, line := range lines {
			if n > 0 {
				out = append(out, []ui.Piece{{ui.Text, "  " + line}})
				continue
			}
			head, tail := line, ""
			if strings.HasPrefix(line, word) {
				head, tail = word, line[len(word):]
			}
			out = append(out, []ui.Piece{{token.Bold(), string(mark) + " "}, {token.Plain(), head}, {ui.Text, tail}})
		}
	}
	add(m.Token, m.Glyph, u.State.String(), stateRest(s, i))
	if u.Orphaned {
		said, _ := s.State.LatestStatus(i)
		add(theme.Delayed, '@', "orphaned", ": the status topic still claims RUNNING on "+said.Worker+", which is not in the group.")
	}
	if u.Stale {
		add(theme.Muted, '~', "stale", ": a worker of an older generation wrote the newest record.")
	}
	for _, c := range s.State.Claims(i) {
		if c.Worker >= 0 && c.Worker != u.Worker && c.Stands && c.State == decode.Running {
			add(theme.Wrong, '&', "a copy", " on "+s.State.Workers[c.Worker].Name+" said RUNNING at "+s.Clock(c.At)+" and never UNASSIGNED: it may still run.")
		}
	}
	return out
}

// stateRest goes on after the word of a unit's state.
func stateRest(s *scene.Scene, i int) string {
	u, st := &s.State.Units[i], s.State
	who, since := label.Holder(st, u), ""
	if !u.Since.IsZero() {
		since = " since " + s.Clock(u.Since)
	}
	switch u.State {
	case group.UnitDelayed:
		out := "."
		if st.Delay != nil {
			out = ", " + words.Countdown(st.Delay.Remaining) + " left."
		}
		if who != "" {
			out += " It was on " + who + "."
		}
		return out + comesBack(s, u.Unit)
	case group.UnitReleased:
		return ": it stopped on " + who + " and is not given to anyone yet." + comesBack(s, u.Unit)
	case group.UnitUnassigned:
		return ": in nobody's hands, and no delay runs. Nothing will start it by itself."
	case group.UnitFailed:
		return " on " + who + since + ": " + label.TraceWords(u.Trace, u.Unit)
	case group.UnitStarting:
		return " on " + who + since + ": given to it, and no status came from there yet."
	case group.UnitStopping:
		return " on " + who + since + ": told to stop, or it says that it stops."
	case group.UnitUnknown:
		if lines := st.Evidence(i); len(lines) > 0 {
			return ": " + lines[len(lines)-1].Text + "."
		}
		return ": no source tells."
	}
	return " on " + who + since + "."
}

// comesBack says when and where a unit starts again, as far as that is known.
func comesBack(s *scene.Scene, u group.Unit) string {
	coming, exact := s.State.Coming()
	for _, c := range coming {
		for _, w := range c.Workers {
			for _, start := range w.Start {
				if start != u {
					continue
				}
				likely := ""
				if !exact {
					likely = "likely "
				}
				return " At " + s.Clock(c.At) + " it " + likely + "starts on " + w.Name + ", if nobody joins."
			}
		}
	}
	return ""
}
