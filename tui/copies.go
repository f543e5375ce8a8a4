package tui

import (
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// unitCopies are the two workers that claim to run a unit: the one that had it, and its holder.
type unitCopies struct {
	unit       group.Unit
	old, other group.Claim
}

// copiesOf finds both claims of a unit that stand; false where there are no such two.
func copiesOf(s *group.State, u group.Unit) (unitCopies, bool) {
	i, ok := s.Find(u)
	if !ok {
		return unitCopies{}, false
	}
	out, seen := unitCopies{unit: u}, 0
	for _, c := range s.Claims(i) {
		switch {
		case c.Worker < 0 || !c.Stands || c.State != decode.Running:
		case c.Worker == s.Units[i].Worker:
			out.other, seen = c, seen|1
		default:
			out.old, seen = c, seen|2
		}
	}
	return out, seen == 3
}

// copyLines are the evidence of units that may run twice, a line a unit; nil where it is not as plain as that.
func copyLines(s *scene, f *doctor.Finding, width int) []findingLine {
	const least, most = 62, 12
	if f.ID != "unit-duplicated" || width < least || len(f.Units) == 0 || len(f.Units) > most {
		return nil
	}
	var all []unitCopies
	name, worker := 8, 8
	for _, u := range f.Units {
		c, ok := copiesOf(s.state, u)
		if !ok {
			return nil
		}
		all = append(all, c)
		name = max(name, cell.Width(u.String()))
		worker = max(worker, cell.Width(s.state.Workers[c.old.Worker].Name), cell.Width(s.state.Workers[c.other.Worker].Name))
	}
	room := width - 2*10 - 7 - 2
	name = min(name, max(room/3, 8))
	worker = min(worker, (room-name-2)/2-2)
	row := func(mark string, style theme.Style, unit string, cells ...string) findingLine {
		out := findingLine{pieces: []piece{{style, fitName(unit, name)}, {theme.Wrong.Bold(), " " + mark + " "}}}
		for i, w := range []int{worker + 2, 10, worker + 2, 10} {
			cellStyle := text
			if i%2 == 1 || mark == " " {
				cellStyle = muted
			}
			out.pieces = append(out.pieces, piece{cellStyle, fitName(cells[i], w-2) + "  "})
		}
		out.pieces = append(out.pieces, piece{muted, cells[4]}) // beside the others, however wide the screen
		return out
	}
	out := []findingLine{row(" ", muted, "unit", "ran on", "since", "also on", "since", "stopped")}
	for _, c := range all {
		out = append(out, row("&", strong, c.unit.String(), s.state.Workers[c.old.Worker].Name, s.clock(c.old.At),
			s.state.Workers[c.other.Worker].Name, s.clock(c.other.At), "never"))
	}
	return out
}

// fitName is a name in exactly w columns.
func fitName(name string, w int) string {
	name = cell.Middle(name, w)
	return name + strings.Repeat(" ", max(w-cell.Width(name), 0))
}
