package tui

import (
	"strings"

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
		line := []piece{
			{m.token.Bold(), string(m.glyph)},
			{text, " "},
			{m.token.Plain(), pad(kind.String(), 10)},
			{bold, padLeft(count(n), digits)},
			{text, "  "},
		}
		if kind == group.UnitRunning {
			rows := 1
			if second {
				rows = 2
			}
			for i, names := range d.runningPieces(s.state, width-indent, rows) {
				if i > 0 {
					out = append(out, line)
					line = []piece{{text, padLeft("", indent)}}
				}
				line = append(line, names...)
			}
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
		out = append(out, []piece{{muted, noUnits(s)}})
	}
	return out
}

// kindPieces lists the units of a state; where there is one alone, also on which worker. What finds no place is told by its
// worker, where that is one.
func kindPieces(s *scene, d *digest, kind group.UnitStateKind, width int) []piece {
	out := unitPieces(d.unitsOf(s.state, kind), width)
	where := commonHolder(s.state, d, kind)
	if where == "" {
		return out
	}
	if cut := strings.HasSuffix(out[len(out)-1].text, "…"); cut {
		return []piece{{muted, cell.End("on "+where, width)}}
	}
	if on := "  on " + where; d.counts[kind] == 1 && widthOf(out)+cell.Width(on) <= width {
		out = append(out, piece{muted, on})
	}
	return out
}

// commonHolder names the worker that holds, or held last, all units of a state.
func commonHolder(s *group.State, d *digest, kind group.UnitStateKind) string {
	if d.counts[kind] > len(d.first[kind]) {
		return ""
	}
	name := ""
	for _, i := range d.first[kind] {
		switch on := holder(s, &s.Units[i]); {
		case on == "" || name != "" && on != name:
			return ""
		default:
			name = on
		}
	}
	return name
}

// plainWhys say why units are in a state where nothing else was said.
var plainWhys = map[group.UnitStateKind]string{
	group.UnitReleased:   "stopped, and in nobody's hands yet",
	group.UnitUnassigned: "in nobody's hands; nothing will start them",
	group.UnitStopping:   "told to stop; no word of it since",
	group.UnitDelayed:    "wait for their worker, or for the delay",
}

// whyPieces say why units are in a state: what claims otherwise, the last word of the evidence, or what the state means.
func whyPieces(s *scene, d *digest, kind group.UnitStateKind, indent, width int) []piece {
	if width < narrowPane {
		indent = 4
	}
	why := plainWhys[kind]
	for n, i := range d.first[kind] {
		u := &s.state.Units[i]
		if u.Orphaned {
			return []piece{{theme.Delayed.Plain(), padLeft("@ ", indent)}, {muted, cell.End("status still claims RUNNING there", width-indent)}}
		}
		if n > 0 {
			continue
		}
		if kind == group.UnitFailed && u.Trace != "" {
			why = traceWords(u.Trace, u.Unit)
			break
		}
		if kind == group.UnitStopping {
			why = stoppingWhy(s, d)
			break
		}
		if kind == group.UnitDuplicated && d.counts[kind] > 1 {
			why = "RUNNING twice, not stopped between"
			continue
		}
		if lines := s.state.Evidence(i); len(lines) > 0 && kind < group.UnitStopping {
			why = lines[len(lines)-1].Text
		}
	}
	if why == "" {
		return nil
	}
	return []piece{{text, padLeft("", indent)}, {muted, cell.End(why, width-indent)}}
}

// stoppingWhy tells units that their worker stopped by itself from those that a round told it to stop.
func stoppingWhy(s *scene, d *digest) string {
	who := commonHolder(s.state, d, group.UnitStopping)
	for i := range s.state.Workers {
		if w := &s.state.Workers[i]; w.Name == who && !w.Gone && w.Revoked == 0 {
			return who + " stopped them itself"
		}
	}
	return plainWhys[group.UnitStopping]
}

func drawUnits(s *scene, r cell.Rect, lines [][]piece) {
	focused := s.panes.pane(paneUnits)
	drawUnitsTitle(s, r, focused)
	list := s.panes.list(paneUnits)
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
