package doctor

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// findingLine is one row of the right half of the doctor view.
type findingLine struct {
	title, note string // of a part: drawn as a pane's
	pieces      []ui.Piece
	right       string // muted, at the right edge
}

// drawFinding is all that is known of one finding.
func drawFinding(s *scene.Scene, r cell.Rect, report *doctor.Report, f *doctor.Finding) {
	focused := s.Panes.Pane(scene.PaneFinding)
	note := string(f.Severity) + " · " + certainty(f)
	if !f.Since.IsZero() {
		note += " · since " + s.Clock(f.Since)
	}
	s.Title(r, f.ID, "", note, focused)
	lines, told := findingLines(s, report, f, r.W, false)
	if room := r.H - 1; told > room || told == room && len(lines) > room {
		lines, _ = findingLines(s, report, f, r.W, true)
	}
	list := s.Panes.List(scene.PaneFinding)
	list.Window(len(lines), r.H-1)
	for n := range min(list.Height, len(lines)-list.Top) {
		line := lines[list.Top+n]
		if hidden := len(lines) - list.Top - list.Height; hidden > 0 && n == list.Height-1 {
			l := s.Line(r, n+1)
			l.Sentence(ui.Muted, "… "+words.Plural(hidden+1, "more line"))
			return
		}
		if line.title != "" {
			s.Title(r.Rows(n+1, 1), line.title, "", line.note, false)
			continue
		}
		l := s.Line(r, n+1)
		s.Pieces(&l, line.pieces)
		if line.right != "" {
			l.FromRight(cell.Width(line.right)).Text(ui.Muted, line.right)
		}
	}
}

// findingLines are all its parts, and how many lines say what is wrong, by which evidence, and what to do. nextFirst has what to do
// before the evidence: where there is no room for both, evidence is what can wait.
func findingLines(s *scene.Scene, report *doctor.Report, f *doctor.Finding, width int, nextFirst bool) (out []findingLine, told int) {
	say := func(style theme.Style, t string) {
		for _, line := range cell.Wrap(t, width) {
			out = append(out, findingLine{pieces: []ui.Piece{{style, line}}})
		}
	}
	part := func(title, note string) { out = append(out, findingLine{}, findingLine{title: title, note: note}) }
	say(theme.Strong.Plain(), sentenceOf(s, f.Title))
	say(ui.Text, f.Why)
	evidence := func() {
		if copies := copyLines(s, f, width); copies != nil {
			part("Evidence", "status topic")
			out = append(out, copies...)
		} else if len(f.Evidence) > 0 {
			part("Evidence", "source")
			out = append(out, evidenceLines(s, f, width)...)
		}
		if f.Sure != "" {
			part("What would make it sure", "")
			say(ui.Text, f.Sure)
		}
	}
	next := func() {
		if len(f.Next) > 0 {
			part("Next", "")
			for i, step := range f.Next {
				number := strconv.Itoa(i+1) + "  "
				for n, line := range cell.Wrap(step, width-len(number)) {
					if n > 0 {
						number = ui.Pad("", len(number))
					}
					out = append(out, findingLine{pieces: []ui.Piece{{ui.Strong, number}, {ui.Text, line}}})
				}
			}
		}
	}
	if nextFirst {
		next()
		evidence()
	} else {
		evidence()
		next()
	}
	told = len(out)
	if len(f.Units) > 0 {
		part("Affected", words.Plural(len(f.Units), "unit"))
		out = append(out, affectedLines(s, f, width)...)
	}
	if under := foldedUnder(report, f); len(under) > 0 {
		part("Folded here", words.Thousands(len(under)))
		for _, u := range under {
			out = append(out, findingLine{pieces: []ui.Piece{{ui.Text, u.ID + "  "}, {ui.Muted, cell.End(u.Title, max(width-cell.Width(u.ID)-2, 0))}}})
		}
	}
	return out, told
}

// sentenceOf makes a title a sentence. Names keep their first letter.
func sentenceOf(s *scene.Scene, t string) string {
	if t == "" {
		return ""
	}
	for i := range s.State.Workers {
		if name := decode.Printable(s.State.Workers[i].Name); name != "" && strings.HasPrefix(t, name) {
			return t + "."
		}
	}
	first, _, _ := strings.Cut(t, " ")
	if i, _ := s.State.Find(group.Unit{Connector: first, Task: decode.Instance}); i < len(s.State.Units) && s.State.Units[i].Unit.Connector == first {
		return t + "."
	}
	r, size := utf8.DecodeRuneInString(t)
	return string(unicode.ToUpper(r)) + t[size:] + "."
}

// evidenceLines have the time at the left and the source at the right.
func evidenceLines(s *scene.Scene, f *doctor.Finding, width int) []findingLine {
	var out []findingLine
	for _, e := range f.Evidence {
		when := s.Clock(e.At)
		source, _, _ := strings.Cut(string(e.Source), " ")
		for n, line := range cell.Wrap(e.Text, width-12-8) {
			l := findingLine{pieces: []ui.Piece{{ui.Muted, ui.Pad(when, 8) + "  "}, {ui.Text, line}}}
			if n == 0 {
				l.right = source
			} else {
				l.pieces[0].Text = ui.Pad("", 10)
			}
			out = append(out, l)
		}
	}
	return out
}

// affectedLines list the units of a finding by their states, and where they are.
func affectedLines(s *scene.Scene, f *doctor.Finding, width int) []findingLine {
	type where struct {
		kind   group.UnitStateKind
		worker string
	}
	by := map[where][]group.Unit{}
	var order []where
	for _, u := range f.Units {
		i, ok := s.State.Find(u)
		if !ok {
			continue
		}
		at := where{s.State.Units[i].State, label.Holder(s.State, &s.State.Units[i])}
		if by[at] == nil {
			order = append(order, at)
		}
		by[at] = append(by[at], u)
	}
	slices.SortStableFunc(order, func(a, b where) int { return int(a.kind) - int(b.kind) })
	var out []findingLine
	for _, at := range order {
		m := label.UnitMarks[at.kind]
		tail := at.kind.String()
		if at.worker != "" {
			tail += " on " + cell.Middle(at.worker, 20)
		}
		line := []ui.Piece{{m.Token.Bold(), string(m.Glyph) + " "}}
		line = append(line, label.UnitPieces(by[at], max(width-cell.Width(tail)-5, 8))...)
		out = append(out, findingLine{pieces: append(line, ui.Piece{ui.Muted, "  " + tail})})
	}
	return out
}

// foldedUnder are the findings that follow from one.
func foldedUnder(report *doctor.Report, f *doctor.Finding) []*doctor.Finding {
	var out []*doctor.Finding
	found := false
	for i := range report.Findings {
		o := &report.Findings[i]
		switch {
		case o == f || o.ID == f.ID && keyOfFinding(o) == keyOfFinding(f):
			found = true
		case !found:
		case o.Cause == f.ID:
			out = append(out, o)
		case o.Cause == "":
			return out
		}
	}
	return out
}

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
func copyLines(s *scene.Scene, f *doctor.Finding, width int) []findingLine {
	const least, most = 62, 12
	if f.ID != "unit-duplicated" || width < least || len(f.Units) == 0 || len(f.Units) > most {
		return nil
	}
	var all []unitCopies
	name, worker := 8, 8
	for _, u := range f.Units {
		c, ok := copiesOf(s.State, u)
		if !ok {
			return nil
		}
		all = append(all, c)
		name = max(name, cell.Width(u.String()))
		worker = max(worker, cell.Width(s.State.Workers[c.old.Worker].Name), cell.Width(s.State.Workers[c.other.Worker].Name))
	}
	room := width - 2*10 - 7 - 2
	name = min(name, max(room/3, 8))
	worker = min(worker, (room-name-2)/2-2)
	row := func(mark string, style theme.Style, unit string, cells ...string) findingLine {
		out := findingLine{pieces: []ui.Piece{{style, fitName(unit, name)}, {theme.Wrong.Bold(), " " + mark + " "}}}
		for i, w := range []int{worker + 2, 10, worker + 2, 10} {
			cellStyle := ui.Text
			if i%2 == 1 || mark == " " {
				cellStyle = ui.Muted
			}
			out.pieces = append(out.pieces, ui.Piece{cellStyle, fitName(cells[i], w-2) + "  "})
		}
		out.pieces = append(out.pieces, ui.Piece{ui.Muted, cells[4]}) // beside the others, however wide the screen
		return out
	}
	out := []findingLine{row(" ", ui.Muted, "unit", "ran on", "since", "also on", "since", "stopped")}
	for _, c := range all {
		out = append(out, row("&", ui.Strong, c.unit.String(), s.State.Workers[c.old.Worker].Name, s.Clock(c.old.At),
			s.State.Workers[c.other.Worker].Name, s.Clock(c.other.At), "never"))
	}
	return out
}

// fitName is a name in exactly w columns.
func fitName(name string, w int) string {
	name = cell.Middle(name, w)
	return name + strings.Repeat(" ", max(w-cell.Width(name), 0))
}
