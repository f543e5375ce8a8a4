package live

import (
	"strings"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// unitLines are the units by state, worst first. A state that needs a look has a second line that says why.
func unitLines(s *scene.Scene, width int, second bool) [][]ui.Piece {
	d := s.Digest()
	var out [][]ui.Piece
	digits := 2
	for _, n := range d.Counts {
		digits = max(digits, len(words.Thousands(n)))
	}
	indent := 2 + 10 + digits + 2
	for k := range d.Counts {
		kind, n := group.UnitStateKind(k), d.Counts[k]
		if n == 0 {
			continue
		}
		m := label.UnitMarks[kind]
		line := []ui.Piece{
			{m.Token.Bold(), string(m.Glyph)},
			{ui.Text, " "},
			{m.Token.Plain(), ui.Pad(kind.String(), 10)},
			{ui.Bold, ui.PadLeft(words.Thousands(n), digits)},
			{ui.Text, "  "},
		}
		if kind == group.UnitRunning {
			rows := 1
			if second {
				rows = 2
			}
			for i, names := range d.RunningPieces(s.State, width-indent, rows) {
				if i > 0 {
					out = append(out, line)
					line = []ui.Piece{{ui.Text, ui.PadLeft("", indent)}}
				}
				line = append(line, names...)
			}
		} else {
			line = append(line, kindPieces(s, d, kind, width-indent)...)
		}
		out = append(out, line)
		if second && scene.NeedsLook(kind) {
			if why := whyPieces(s, d, kind, indent, width); why != nil {
				out = append(out, why)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, []ui.Piece{{ui.Muted, parts.NoUnits(s)}})
	}
	return out
}

// kindPieces lists the units of a state; where there is one alone, also on which worker. What finds no place is told by its
// worker, where that is one.
func kindPieces(s *scene.Scene, d *scene.Digest, kind group.UnitStateKind, width int) []ui.Piece {
	out := label.UnitPieces(d.UnitsOf(s.State, kind), width)
	where := commonHolder(s.State, d, kind)
	if where == "" {
		return out
	}
	if cut := strings.HasSuffix(out[len(out)-1].Text, "…"); cut {
		return []ui.Piece{{ui.Muted, cell.End("on "+where, width)}}
	}
	if on := "  on " + where; d.Counts[kind] == 1 && ui.WidthOf(out)+cell.Width(on) <= width {
		out = append(out, ui.Piece{ui.Muted, on})
	}
	return out
}

// commonHolder names the worker that holds, or held last, all units of a state.
func commonHolder(s *group.State, d *scene.Digest, kind group.UnitStateKind) string {
	if d.Counts[kind] > len(d.First[kind]) {
		return ""
	}
	name := ""
	for _, i := range d.First[kind] {
		switch on := label.Holder(s, &s.Units[i]); {
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
func whyPieces(s *scene.Scene, d *scene.Digest, kind group.UnitStateKind, indent, width int) []ui.Piece {
	if width < parts.NarrowPane {
		indent = 4
	}
	why := plainWhys[kind]
	for n, i := range d.First[kind] {
		u := &s.State.Units[i]
		if u.Orphaned {
			return []ui.Piece{{theme.Delayed.Plain(), ui.PadLeft("@ ", indent)}, {ui.Muted, cell.End("status still claims RUNNING there", width-indent)}}
		}
		if n > 0 {
			continue
		}
		if kind == group.UnitFailed && u.Trace != "" {
			why = label.TraceWords(u.Trace, u.Unit)
			break
		}
		if kind == group.UnitStopping {
			why = stoppingWhy(s, d)
			break
		}
		if kind == group.UnitDuplicated && d.Counts[kind] > 1 {
			why = "RUNNING twice, not stopped between"
			continue
		}
		if lines := s.State.Evidence(i); len(lines) > 0 && kind < group.UnitStopping {
			why = lines[len(lines)-1].Text
		}
	}
	if why == "" {
		return nil
	}
	return []ui.Piece{{ui.Text, ui.PadLeft("", indent)}, {ui.Muted, cell.End(why, width-indent)}}
}

// stoppingWhy tells units that their worker stopped by itself from those that a round told it to stop.
func stoppingWhy(s *scene.Scene, d *scene.Digest) string {
	who := commonHolder(s.State, d, group.UnitStopping)
	for i := range s.State.Workers {
		if w := &s.State.Workers[i]; w.Name == who && !w.Gone && w.Revoked == 0 {
			return who + " stopped them itself"
		}
	}
	return plainWhys[group.UnitStopping]
}

func drawUnits(s *scene.Scene, r cell.Rect, lines [][]ui.Piece) {
	focused := s.Panes.Pane(scene.PaneUnits)
	drawUnitsTitle(s, r, focused)
	list := s.Panes.List(scene.PaneUnits)
	list.Window(len(lines), r.H-1)
	for i := 0; i < r.H-1 && list.Top+i < len(lines); i++ {
		l := s.Line(r, i+1)
		s.Pieces(&l, lines[list.Top+i])
	}
}

func drawUnitsTitle(s *scene.Scene, r cell.Rect, focused bool) {
	d := s.Digest()
	note := words.Thousands(d.Look) + " need a look"
	if d.Look == 1 {
		note = "1 needs a look"
	}
	more := words.Thousands(d.All)
	if f := scene.FilterNote(s, focused); f != "" {
		more += " " + f
		note = words.Thousands(d.Matched) + " of " + words.Thousands(d.All)
	}
	s.Title(r, "Units", more, note, focused)
}

// flatUnitsHeight is how many rows the flat list of units takes of those that are left: no more than it has. Events find a place
// once all that needs a look has one.
func flatUnitsHeight(s *scene.Scene, left int) int {
	d := s.Digest()
	want := d.Matched + 2
	if want+1+minEvents+1 > left {
		want = max(left-1-minEvents-1, min(d.Look+3, want))
	}
	if left-want-1 < minEvents+1 {
		return left
	}
	return want
}

// drawFlatUnits is the units pane of a vast screen: a line a unit, worst first.
func drawFlatUnits(s *scene.Scene, r cell.Rect) {
	focused := s.Panes.Pane(scene.PaneUnits)
	drawUnitsTitle(s, r, focused)
	d := s.Digest()
	var rows []int
	for k := range d.First {
		rows = append(rows, d.First[k]...)
	}
	unitWidth, workerWidth := 8, 8
	list := s.Panes.List(scene.PaneUnits)
	list.Window(len(rows), r.H-2)
	visible := rows[list.Top:min(list.Top+list.Height, len(rows))]
	for _, i := range visible {
		unitWidth = max(unitWidth, min(cell.Width(s.State.Units[i].Unit.String()), 24))
		workerWidth = max(workerWidth, min(cell.Width(label.Holder(s.State, &s.State.Units[i])), 16))
	}
	head := s.Line(r, 1)
	head.Gap(2).Words(ui.Muted, "unit", unitWidth+1).Words(ui.Muted, "state", 11).Words(ui.Muted, "worker", workerWidth+1)
	head.Words(ui.Muted, "since", 9).Text(ui.Muted, "evidence")
	for n, i := range visible {
		u := &s.State.Units[i]
		l := s.Line(r, n+2)
		if hidden := d.Matched - list.Top - n; n == len(visible)-1 && hidden > 1 {
			l.Gap(0).Sentence(ui.Muted, "… "+words.Thousands(hidden)+" more"+allAlike(u))
			return
		}
		m := label.UnitMarks[u.State]
		l.Rune(m.Token.Bold(), m.Glyph, 1).Gap(1).Name(ui.Text, u.Unit.String(), unitWidth).Gap(1)
		l.Words(m.Token.Plain(), u.State.String(), 11)
		l.Name(ui.Text, label.Holder(s.State, u), workerWidth).Gap(1).Words(ui.Muted, s.Clock(u.Since), 9)
		parts.DrawEvidence(&l, s.State, i)
	}
}

// allAlike says so when everything that found no place runs.
func allAlike(u *group.UnitState) string {
	if u.State == group.UnitRunning {
		return ", all running"
	}
	return ""
}
