package tui

import (
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// unitLines are the units by state, worst first. A state that needs a look has a second line that says why.
func unitLines(s *scene, width int, second bool) [][]piece {
	d := s.digest()
	var out [][]piece
	digits := 2
	for _, n := range d.counts {
		digits = max(digits, len(count(n)))
	}
	indent := 2 + 10 + digits + 2
	for k := range d.counts {
		kind, n := group.UnitStateKind(k), d.counts[k]
		if n == 0 {
			continue
		}
		m := unitMarks[kind]
		line := []piece{{m.token.Bold(), string(m.glyph)}, {text, " "}, {m.token.Plain(), pad(kind.String(), 10)},
			{bold, padLeft(count(n), digits)}, {text, "  "}}
		if kind == group.UnitRunning {
			line = append(line, d.runningPieces(s.state, width-indent)...)
		} else {
			line = append(line, kindPieces(s, d, kind, width-indent)...)
		}
		out = append(out, line)
		if second && needsLook(kind) {
			if why := whyPieces(s, d, kind, indent, width); why != nil {
				out = append(out, why)
			}
		}
	}
	if len(out) == 0 {
		word := "no unit is known"
		if d.all > 0 {
			word = "no unit matches"
		}
		out = append(out, []piece{{muted, word}})
	}
	return out
}

// kindPieces lists the units of a state; where there is one alone, also on which worker.
func kindPieces(s *scene, d *digest, kind group.UnitStateKind, width int) []piece {
	out := unitPieces(d.unitsOf(s.state, kind), width)
	first := &s.state.Units[d.first[kind][0]]
	if d.counts[kind] == 1 && first.Worker >= 0 && first.Worker < len(s.state.Workers) {
		on := "  on " + s.state.Workers[first.Worker].Name
		if widthOf(out)+cell.Width(on) <= width {
			out = append(out, piece{muted, on})
		}
	}
	return out
}

// whyPieces say why units are in a state, in the words of the evidence; and what claims otherwise.
func whyPieces(s *scene, d *digest, kind group.UnitStateKind, indent, width int) []piece {
	for _, i := range d.first[kind] {
		u := &s.state.Units[i]
		if u.Orphaned {
			return []piece{{theme.Delayed.Plain(), padLeft("@ ", indent)}, {muted, cell.End("status still claims RUNNING there", width-indent)}}
		}
		if why := s.state.Evidence(i); len(why) > 0 {
			return []piece{{text, padLeft("", indent)}, {muted, cell.End(why[0].Text, width-indent)}}
		}
	}
	return nil
}

func drawUnits(s *scene, r cell.Rect, lines [][]piece) {
	focused := s.ui.drawn(paneUnits)
	drawUnitsTitle(s, r, focused)
	list := s.ui.list(paneUnits)
	list.window(len(lines), r.H-1)
	for i := 0; i < r.H-1 && list.top+i < len(lines); i++ {
		l := s.Line(r, i+1)
		s.pieces(&l, lines[list.top+i])
	}
}

func drawUnitsTitle(s *scene, r cell.Rect, focused bool) {
	d := s.digest()
	note := count(d.look) + " need a look"
	if d.look == 1 {
		note = "1 needs a look"
	}
	more := count(d.all)
	if f := filterNote(s, focused); f != "" {
		more += " " + f
		note = count(d.matched) + " of " + count(d.all)
	}
	s.title(r, "Units", more, note, focused)
}

func pad(t string, w int) string {
	for len(t) < w {
		t += " "
	}
	return t
}

func padLeft(t string, w int) string {
	for len(t) < w {
		t = " " + t
	}
	return t
}
