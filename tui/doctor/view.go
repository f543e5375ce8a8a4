package doctor

import (
	"strings"

	"regroup/group/doctor"
	"regroup/internal/words"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// View is what the doctor finds: the list, and of the finding under the cursor why, the evidence and what to do.
type View struct{ scene.Common }

// New is the view as the program begins with it.
func New() *View { return &View{scene.NewCommon(scene.PaneFindings)} }

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied()} }

// findingKey tells a finding whatever its words have become.
type findingKey struct {
	id    string
	about string
}

func keyOfFinding(f *doctor.Finding) findingKey {
	k := findingKey{id: f.ID}
	if len(f.Workers) > 0 {
		k.about = f.Workers[0]
	} else if len(f.Units) > 0 {
		k.about = f.Units[0].String()
	}
	return k
}

// selected is the finding under the cursor; nil: there is none.
func (v *View) selected(s *scene.Scene) *doctor.Finding {
	list := parts.ListedFindings(s.Report(), v.Less)
	if i := v.List(scene.PaneFindings).Cursor; i < len(list) {
		return list[i]
	}
	return nil
}

// Open goes to the units that a finding is about: the one, or the list of them.
func (v *View) Open(s *scene.Scene) scene.Action {
	f := v.selected(s)
	switch {
	case f == nil:
		return nil
	case len(f.Units) == 1:
		return scene.OpenUnit{f.Units[0]}
	case len(f.Units) > 1:
		return scene.ListUnits{f.Units[0]}
	}
	return scene.SayMessage{"this finding is about no unit; its next steps are on the right."}
}

// Text implements scene.View.
func (v *View) Text(s *scene.Scene) string {
	f := v.selected(s)
	if f == nil {
		return ""
	}
	lines := []string{f.ID + ": " + f.Title}
	if f.Why != "" {
		lines = append(lines, f.Why)
	}
	for _, e := range f.Evidence {
		lines = append(lines, strings.TrimSpace(scene.When(e.At)+" "+string(e.Source)+": "+e.Text))
	}
	return strings.Join(append(lines, f.Next...), "\n")
}

// Sheet implements scene.View.
func (*View) Sheet(s *scene.Scene) *scene.Sheet { return findingSheet(s.Report()) }

// Draw implements scene.View.
func (*View) Draw(s *scene.Scene, r cell.Rect) {
	report := s.Report()
	if report == nil {
		return
	}
	list := parts.ListedFindings(report, s.Panes.Less)
	keys := make([]findingKey, len(list))
	for i, f := range list {
		keys[i] = keyOfFinding(f)
	}
	scene.Stick(s.Panes, scene.PaneFindings, keys)
	var chosen *doctor.Finding
	if len(list) > 0 {
		chosen = list[s.Panes.List(scene.PaneFindings).Cursor]
	}
	if s.Lay.Class < scene.Medium {
		height := min(2*len(list)+1, max(r.H/3, 3))
		drawFindings(s, r.Rows(0, max(height, 2)), report, list)
		if chosen != nil {
			drawFinding(s, r.Rows(height+1, r.H), report, chosen)
		} else {
			drawRules(s, r.Rows(height+1, r.H), report)
		}
		return
	}
	left := min(max(r.W*2/5, 44), 70)
	drawLeft(s, r.Columns(0, left), report, list, chosen)
	right := r.Columns(left+s.Lay.Gap, r.W)
	switch {
	case chosen == nil && len(report.Blanks) > 0:
		drawBlanks(s, right, report)
		return
	case chosen == nil:
		drawRoundsBeside(s, right)
		return
	}
	drawFinding(s, right, report, chosen)
}

// drawLeft stacks the findings, the rules, what the chosen finding is seen on, and the rounds.
func drawLeft(s *scene.Scene, r cell.Rect, report *doctor.Report, list []*doctor.Finding, chosen *doctor.Finding) {
	height := min(2*max(len(list), 1)+1, max(r.H/2, 3))
	drawFindings(s, r.Rows(0, height), report, list)
	r = r.Rows(height+1, r.H)
	used := drawRules(s, r, report)
	r = r.Rows(used+1, r.H)
	used = drawContext(s, r, chosen)
	if r = r.Rows(used, r.H); r.H >= 4 && (chosen != nil || len(report.Blanks) > 0) {
		drawRoundsBeside(s, r)
	}
}

func drawFindings(s *scene.Scene, r cell.Rect, report *doctor.Report, list []*doctor.Finding) {
	focused := s.Panes.Pane(scene.PaneFindings)
	l := s.Panes.List(scene.PaneFindings)
	l.Fit(len(list), max((r.H-1)/2, 1))
	s.Title(r, "Findings", "", findingsNote(report, len(list)), focused)
	if len(list) == 0 {
		line := s.Line(r, 1)
		word := "nothing is wrong"
		switch {
		case report.Verdict == doctor.CannotTell:
			word = "it cannot be told: nothing says who is in the group"
		case len(report.Blanks) > 0:
			word = "nothing is wrong with what could be looked at"
		}
		line.Gap(2).Sentence(ui.Muted, word)
		return
	}
	for n := range min(l.Height, len(list)-l.Top) {
		drawFindingLines(s, r.Rows(1+2*n, 2), list[l.Top+n], l.Top+n == l.Cursor, focused)
	}
}

func findingsNote(report *doctor.Report, shown int) string {
	var n [3]int
	for _, f := range report.Findings {
		switch f.Severity {
		case doctor.Critical:
			n[0]++
		case doctor.Warning:
			n[1]++
		default:
			n[2]++
		}
	}
	out := ""
	for i, word := range []string{" critical", " warning", " info"} {
		if n[i] == 0 {
			continue
		}
		if out != "" {
			out += " · "
		}
		out += words.Thousands(n[i]) + word
	}
	if folded := len(report.Findings) - shown; folded > 0 {
		out += " · " + words.Thousands(folded) + " folded"
	}
	return out
}

func drawFindingLines(s *scene.Scene, r cell.Rect, f *doctor.Finding, selected, focused bool) {
	indent := 2
	l := s.Line(r, 0)
	second := s.Line(r, 1)
	if selected {
		s.Selected(&l, focused)
		second.Ground(ui.SelectGround(focused))
	}
	l.At(indent)
	if f.Cause != "" {
		l.Rune(ui.Muted, '└', 1).Gap(1)
		indent += 2
	}
	mark, style := parts.FindingMark(f)
	l.Text(style.Bold(), mark).Gap(1)
	sure := certainty(f)
	l.Words(nameStyle(selected), f.ID, max(l.Left()-cell.Width(sure)-1, 0)).FromRight(cell.Width(sure)).Text(ui.Muted, sure)
	second.At(indent+2).Words(ui.Muted, f.Title, max(second.Left()-9, 0)).FromRight(8).Text(ui.Muted, s.Clock(f.Since))
}

func nameStyle(selected bool) theme.Style {
	if selected {
		return ui.Strong
	}
	return ui.Bold
}

func certainty(f *doctor.Finding) string {
	if f.Certainty == doctor.Unknown {
		return "cannot tell"
	}
	return string(f.Certainty)
}

// drawRules says how many rules looked, and what those that could not would need.
func drawRules(s *scene.Scene, r cell.Rect, report *doctor.Report) int {
	own, under := map[string]bool{}, map[string]bool{}
	for _, f := range report.Findings {
		if f.Cause == "" {
			own[f.ID] = true
		} else {
			under[f.ID] = true
		}
	}
	for id := range own {
		delete(under, id)
	}
	nothing := report.Rules - len(report.Blanks) - len(own) - len(under)
	s.Title(r, "Rules", "", words.Thousands(report.Rules), false)
	lines := [][4]string{{words.Thousands(len(own)), finds(len(own)), words.Thousands(len(under)), folds(len(under))}, {words.Thousands(nothing), "find nothing", words.Thousands(len(report.Blanks)), "cannot tell"}}
	for n, c := range lines {
		l := s.Line(r, n+1)
		l.Number(numberStyle(c[0]), c[0], 3).Gap(1).Words(ui.Muted, c[1], 18)
		l.Number(numberStyle(c[2]), c[2], 3).Gap(1).Sentence(ui.Muted, c[3])
	}
	row := 3
	for _, why := range blankReasons(report) {
		if row >= min(r.H, 7) {
			break
		}
		l := s.Line(r, row)
		l.Gap(4).Sentence(ui.Muted, why)
		row++
	}
	return row
}

func numberStyle(n string) theme.Style {
	if n == "0" {
		return ui.Faint
	}
	return ui.Bold
}

func finds(n int) string {
	if n == 1 {
		return "finds something"
	}
	return "find something"
}

func folds(n int) string {
	if n == 1 {
		return "folds under it"
	}
	return "fold under them"
}

func blankReasons(report *doctor.Report) []string {
	seen := map[string]int{}
	var order []string
	for _, b := range report.Blanks {
		if seen[b.Missing]++; seen[b.Missing] == 1 {
			order = append(order, b.Missing)
		}
	}
	out := make([]string, len(order))
	for i, why := range order {
		out[i] = words.Plural(seen[why], "rule") + ": " + why
	}
	return out
}

// drawBlanks is the right half while nothing is found: what could not be looked at, rule by rule.
func drawBlanks(s *scene.Scene, r cell.Rect, report *doctor.Report) {
	s.Title(r, "Could not look", "", words.Thousands(len(report.Blanks)), false)
	width := 8
	for _, b := range report.Blanks {
		width = max(width, cell.Width(b.ID))
	}
	for n, b := range report.Blanks {
		l := s.Line(r, n+1)
		l.Gap(2).Words(ui.Text, b.ID, width).Gap(2).Sentence(ui.Muted, b.Missing)
	}
}

func findingSheet(r *doctor.Report) *scene.Sheet {
	out := &scene.Sheet{Name: "findings", Head: []string{"id", "severity", "certainty", "title", "why", "since", "next"}}
	if r != nil {
		for i := range r.Findings {
			f := &r.Findings[i]
			out.Rows = append(out.Rows, []string{f.ID, string(f.Severity), string(f.Certainty), f.Title, f.Why, scene.When(f.Since), strings.Join(f.Next, " ")})
		}
	}
	return out
}
