package tui

import (
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// groupText is what the group says of a unit: who holds it, and since which round.
func groupText(s *scene, i int) string {
	u := &s.state.Units[i]
	if u.Worker < 0 {
		r := s.state.Round()
		if r == nil || r.Polled {
			return "nobody"
		}
		return "nobody, round " + generation(r)
	}
	name := cell.Middle(holder(s.state, u), 20)
	if _, g, ok := s.state.Given(i); ok {
		return name + ", round " + count(int(g))
	}
	return name + ", before"
}

// statusText is what the status topic says of a unit: state, worker, and the newest generation that the worker knew.
func statusText(s *scene, i int) string {
	said, ok := s.state.Saying(i)
	if !ok {
		return "nothing"
	}
	return decode.Printable(said.State) + " " + cell.Middle(said.Worker, 20) + ", " + count(int(said.Generation))
}

func drawStatusText(s *scene, l *cell.Line, i, w int) {
	u := &s.state.Units[i]
	end := l.Used() + w
	switch {
	case u.Orphaned:
		l.Text(theme.Delayed.Plain(), "@ ")
	case u.Stale:
		l.Text(muted, "~ ")
	}
	style := text
	said, ok := s.state.Saying(i)
	switch {
	case !ok:
		style = muted
	case said.State == decode.Failed:
		style = theme.Wrong.Plain()
	case u.Orphaned:
		style = theme.Delayed.Plain()
	}
	l.Words(style, statusText(s, i), max(end-l.Used(), 0))
}

func statusAge(s *scene, i int) string {
	said, ok := s.state.Saying(i)
	if !ok {
		return ""
	}
	return agoText(s, said)
}

// agoText is an age under two minutes to the second, as 0:20; older ones in one unit.
func agoText(s *scene, said group.Saying) string {
	d := s.state.Now.Sub(said.At)
	if d < 120*1e9 {
		return countdown(d)
	}
	return age(d)
}

// drawUnitBrief says of one unit what the list has no room for, and the end of its story.
func drawUnitBrief(s *scene, r cell.Rect, i int) {
	u := &s.state.Units[i]
	s.title(r, cell.Middle(u.Unit.String(), 40), "", "enter opens its story", false)
	lines := unitSentences(s, i, r.W)
	row := 1
	for _, line := range lines {
		if row >= r.H {
			return
		}
		l := s.Line(r, row)
		s.pieces(&l, line)
		row++
	}
	happened, _ := s.memo.life.of(s.state, i)
	room := r.H - row - 1
	if len(happened) == 0 || room < 1 {
		return
	}
	for _, h := range happened[max(0, len(happened)-room):] {
		row++
		l := s.Line(r, row)
		drawBriefHappening(s, &l, &h)
	}
}

func drawBriefHappening(s *scene, l *cell.Line, h *group.Happening) {
	l.Words(muted, s.clock(h.At), 8).Gap(2).Words(muted, happeningSource(h), 9).Gap(2)
	glyph, token := happeningMark(h)
	l.Rune(token.Bold(), glyph, 1).Gap(1).Sentence(text, happeningText(s, h))
}

func happeningSource(h *group.Happening) string {
	switch {
	case h.Round != nil:
		return "round " + generation(h.Round)
	case h.Kind == group.LifeConfig:
		return "config"
	}
	return "status"
}

// unitSentences tell the state of a unit, and each claim that does not fit it.
func unitSentences(s *scene, i, width int) [][]piece {
	u := &s.state.Units[i]
	m := unitMarks[u.State]
	var out [][]piece
	add := func(token theme.Token, mark rune, word, rest string) {
		lines := cell.Wrap(word+rest, width-2)
		for n, line := range lines {
			if n > 0 {
				out = append(out, []piece{{text, "  " + line}})
				continue
			}
			head, tail := line, ""
			if strings.HasPrefix(line, word) {
				head, tail = word, line[len(word):]
			}
			out = append(out, []piece{{token.Bold(), string(mark) + " "}, {token.Plain(), head}, {text, tail}})
		}
	}
	add(m.token, m.glyph, u.State.String(), stateRest(s, i))
	if u.Orphaned {
		said, _ := s.state.Saying(i)
		add(theme.Delayed, '@', "orphaned", ": the status topic still claims RUNNING on "+said.Worker+", which is not in the group.")
	}
	if u.Stale {
		add(theme.Muted, '~', "stale", ": a worker of an older generation wrote the newest record.")
	}
	for _, c := range s.state.Claims(i) {
		if c.Worker >= 0 && c.Worker != u.Worker && c.Stands && c.State == decode.Running {
			add(theme.Wrong, '&', "a copy", " on "+s.state.Workers[c.Worker].Name+" said RUNNING at "+s.clock(c.At)+" and never UNASSIGNED: it may still run.")
		}
	}
	return out
}

// stateRest goes on after the word of a unit's state.
func stateRest(s *scene, i int) string {
	u, st := &s.state.Units[i], s.state
	who, since := holder(st, u), ""
	if !u.Since.IsZero() {
		since = " since " + s.clock(u.Since)
	}
	switch u.State {
	case group.UnitDelayed:
		out := "."
		if st.Delay != nil {
			out = ", " + countdown(st.Delay.Remaining) + " left."
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
		return " on " + who + since + ": " + traceWords(u.Trace, u.Unit)
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
func comesBack(s *scene, u group.Unit) string {
	coming, exact := s.state.Coming()
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
				return " At " + s.clock(c.At) + " it " + likely + "starts on " + w.Name + ", if nobody joins."
			}
		}
	}
	return ""
}
