package tui

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// findingLine is one row of the right half of the doctor view.
type findingLine struct {
	title, note string // of a part: drawn as a pane's
	pieces      []piece
	right       string // muted, at the right edge
}

// drawFinding is all that is known of one finding.
func drawFinding(s *scene, r cell.Rect, report *doctor.Report, f *doctor.Finding) {
	focused := s.panes.pane(paneFinding)
	note := string(f.Severity) + " · " + certainty(f)
	if !f.Since.IsZero() {
		note += " · since " + s.clock(f.Since)
	}
	s.title(r, f.ID, "", note, focused)
	lines, told := findingLines(s, report, f, r.W, false)
	if room := r.H - 1; told > room || told == room && len(lines) > room {
		lines, _ = findingLines(s, report, f, r.W, true)
	}
	list := s.panes.list(paneFinding)
	list.window(len(lines), r.H-1)
	for n := range min(list.height, len(lines)-list.top) {
		line := lines[list.top+n]
		if hidden := len(lines) - list.top - list.height; hidden > 0 && n == list.height-1 {
			l := s.Line(r, n+1)
			l.Sentence(muted, "… "+plural(hidden+1, "more line"))
			return
		}
		if line.title != "" {
			s.title(r.Rows(n+1, 1), line.title, "", line.note, false)
			continue
		}
		l := s.Line(r, n+1)
		s.pieces(&l, line.pieces)
		if line.right != "" {
			l.FromRight(cell.Width(line.right)).Text(muted, line.right)
		}
	}
}

// findingLines are all its parts, and how many lines say what is wrong, by which evidence, and what to do. nextFirst has what to do
// before the evidence: where there is no room for both, evidence is what can wait.
func findingLines(s *scene, report *doctor.Report, f *doctor.Finding, width int, nextFirst bool) (out []findingLine, told int) {
	say := func(style theme.Style, t string) {
		for _, line := range cell.Wrap(t, width) {
			out = append(out, findingLine{pieces: []piece{{style, line}}})
		}
	}
	part := func(title, note string) { out = append(out, findingLine{}, findingLine{title: title, note: note}) }
	say(theme.Strong.Plain(), s.sentenceOf(f.Title))
	say(text, f.Why)
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
			say(text, f.Sure)
		}
	}
	next := func() {
		if len(f.Next) > 0 {
			part("Next", "")
			for i, step := range f.Next {
				number := strconv.Itoa(i+1) + "  "
				for n, line := range cell.Wrap(step, width-len(number)) {
					if n > 0 {
						number = pad("", len(number))
					}
					out = append(out, findingLine{pieces: []piece{{strong, number}, {text, line}}})
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
		part("Affected", plural(len(f.Units), "unit"))
		out = append(out, affectedLines(s, f, width)...)
	}
	if under := foldedUnder(report, f); len(under) > 0 {
		part("Folded here", count(len(under)))
		for _, u := range under {
			out = append(out, findingLine{pieces: []piece{{text, u.ID + "  "}, {muted, cell.End(u.Title, max(width-cell.Width(u.ID)-2, 0))}}})
		}
	}
	return out, told
}

// sentenceOf makes a title a sentence. Names keep their first letter.
func (s *scene) sentenceOf(t string) string {
	if t == "" {
		return ""
	}
	for i := range s.state.Workers {
		if name := decode.Printable(s.state.Workers[i].Name); name != "" && strings.HasPrefix(t, name) {
			return t + "."
		}
	}
	first, _, _ := strings.Cut(t, " ")
	if i, _ := s.state.Find(group.Unit{Connector: first, Task: decode.Instance}); i < len(s.state.Units) && s.state.Units[i].Unit.Connector == first {
		return t + "."
	}
	r, size := utf8.DecodeRuneInString(t)
	return string(unicode.ToUpper(r)) + t[size:] + "."
}

// evidenceLines have the time at the left and the source at the right.
func evidenceLines(s *scene, f *doctor.Finding, width int) []findingLine {
	var out []findingLine
	for _, e := range f.Evidence {
		when := s.clock(e.At)
		source, _, _ := strings.Cut(string(e.Source), " ")
		for n, line := range cell.Wrap(e.Text, width-12-8) {
			l := findingLine{pieces: []piece{{muted, pad(when, 8) + "  "}, {text, line}}}
			if n == 0 {
				l.right = source
			} else {
				l.pieces[0].text = pad("", 10)
			}
			out = append(out, l)
		}
	}
	return out
}

// affectedLines list the units of a finding by their states, and where they are.
func affectedLines(s *scene, f *doctor.Finding, width int) []findingLine {
	type where struct {
		kind   group.UnitStateKind
		worker string
	}
	by := map[where][]group.Unit{}
	var order []where
	for _, u := range f.Units {
		i, ok := s.state.Find(u)
		if !ok {
			continue
		}
		at := where{s.state.Units[i].State, holder(s.state, &s.state.Units[i])}
		if by[at] == nil {
			order = append(order, at)
		}
		by[at] = append(by[at], u)
	}
	slices.SortStableFunc(order, func(a, b where) int { return int(a.kind) - int(b.kind) })
	var out []findingLine
	for _, at := range order {
		m := unitMarks[at.kind]
		tail := at.kind.String()
		if at.worker != "" {
			tail += " on " + cell.Middle(at.worker, 20)
		}
		line := []piece{{m.token.Bold(), string(m.glyph) + " "}}
		line = append(line, unitPieces(by[at], max(width-cell.Width(tail)-5, 8))...)
		out = append(out, findingLine{pieces: append(line, piece{muted, "  " + tail})})
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
