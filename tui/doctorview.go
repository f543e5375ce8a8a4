package tui

import (
	"strings"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// doctorView is what the doctor finds: the list, and of the finding under the cursor why, the evidence and what to do.
type doctorView struct{ common }

func newDoctorView() *doctorView { return &doctorView{newCommon(paneFindings)} }

func (v *doctorView) copied() view { return &doctorView{v.common.copied()} }

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

// listedFindings are the findings of the list. Folded, what follows from another is left out.
func listedFindings(r *doctor.Report, folded bool) []*doctor.Finding {
	if r == nil {
		return nil
	}
	var out []*doctor.Finding
	for i := range r.Findings {
		if f := &r.Findings[i]; !folded || f.Cause == "" {
			out = append(out, f)
		}
	}
	return out
}

// selected is the finding under the cursor; nil: there is none.
func (v *doctorView) selected(s *scene) *doctor.Finding {
	list := listedFindings(s.report(), v.less)
	if i := v.list(paneFindings).cursor; i < len(list) {
		return list[i]
	}
	return nil
}

// open goes to the units that a finding is about: the one, or the list of them.
func (v *doctorView) open(s *scene) action {
	f := v.selected(s)
	switch {
	case f == nil:
		return nil
	case len(f.Units) == 1:
		return openUnit{f.Units[0]}
	case len(f.Units) > 1:
		return listUnits{f.Units[0]}
	}
	return sayMessage{"this finding is about no unit; its next steps are on the right."}
}

func (v *doctorView) text(s *scene) string {
	f := v.selected(s)
	if f == nil {
		return ""
	}
	lines := []string{f.ID + ": " + f.Title}
	if f.Why != "" {
		lines = append(lines, f.Why)
	}
	for _, e := range f.Evidence {
		lines = append(lines, strings.TrimSpace(when(e.At)+" "+string(e.Source)+": "+e.Text))
	}
	return strings.Join(append(lines, f.Next...), "\n")
}

func (*doctorView) sheet(s *scene) *sheet { return findingSheet(s.report()) }

func (*doctorView) draw(s *scene, r cell.Rect) {
	report := s.report()
	if report == nil {
		return
	}
	list := listedFindings(report, s.panes.less)
	keys := make([]findingKey, len(list))
	for i, f := range list {
		keys[i] = keyOfFinding(f)
	}
	stick(s.panes, paneFindings, keys)
	var chosen *doctor.Finding
	if len(list) > 0 {
		chosen = list[s.panes.list(paneFindings).cursor]
	}
	if s.lay.class < classMedium {
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
	right := r.Columns(left+s.lay.gap, r.W)
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
func drawLeft(s *scene, r cell.Rect, report *doctor.Report, list []*doctor.Finding, chosen *doctor.Finding) {
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

func drawFindings(s *scene, r cell.Rect, report *doctor.Report, list []*doctor.Finding) {
	focused := s.panes.pane(paneFindings)
	l := s.panes.list(paneFindings)
	l.fit(len(list), max((r.H-1)/2, 1))
	s.title(r, "Findings", "", findingsNote(report, len(list)), focused)
	if len(list) == 0 {
		line := s.Line(r, 1)
		word := "nothing is wrong"
		switch {
		case report.Verdict == doctor.CannotTell:
			word = "it cannot be told: nothing says who is in the group"
		case len(report.Blanks) > 0:
			word = "nothing is wrong with what could be looked at"
		}
		line.Gap(2).Sentence(muted, word)
		return
	}
	for n := range min(l.height, len(list)-l.top) {
		drawFindingLines(s, r.Rows(1+2*n, 2), list[l.top+n], l.top+n == l.cursor, focused)
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
		out += count(n[i]) + word
	}
	if folded := len(report.Findings) - shown; folded > 0 {
		out += " · " + count(folded) + " folded"
	}
	return out
}

func drawFindingLines(s *scene, r cell.Rect, f *doctor.Finding, selected, focused bool) {
	indent := 2
	l := s.Line(r, 0)
	second := s.Line(r, 1)
	if selected {
		s.selected(&l, focused)
		second.Ground(selectGround(focused))
	}
	l.At(indent)
	if f.Cause != "" {
		l.Rune(muted, '└', 1).Gap(1)
		indent += 2
	}
	mark, style := findingMark(f)
	l.Text(style.Bold(), mark).Gap(1)
	sure := certainty(f)
	l.Words(nameStyle(selected), f.ID, max(l.Left()-cell.Width(sure)-1, 0)).FromRight(cell.Width(sure)).Text(muted, sure)
	second.At(indent+2).Words(muted, f.Title, max(second.Left()-9, 0)).FromRight(8).Text(muted, s.clock(f.Since))
}

func nameStyle(selected bool) theme.Style {
	if selected {
		return strong
	}
	return bold
}

func findingMark(f *doctor.Finding) (string, theme.Style) {
	switch f.Severity {
	case doctor.Critical:
		return "!", theme.Wrong.Plain()
	case doctor.Warning:
		return "!", theme.Delayed.Plain()
	}
	return "-", muted
}

func certainty(f *doctor.Finding) string {
	if f.Certainty == doctor.Unknown {
		return "cannot tell"
	}
	return string(f.Certainty)
}

// drawRules says how many rules looked, and what those that could not would need.
func drawRules(s *scene, r cell.Rect, report *doctor.Report) int {
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
	s.title(r, "Rules", "", count(report.Rules), false)
	lines := [][4]string{{count(len(own)), finds(len(own)), count(len(under)), folds(len(under))}, {count(nothing), "find nothing", count(len(report.Blanks)), "cannot tell"}}
	for n, c := range lines {
		l := s.Line(r, n+1)
		l.Number(numberStyle(c[0]), c[0], 3).Gap(1).Words(muted, c[1], 18)
		l.Number(numberStyle(c[2]), c[2], 3).Gap(1).Sentence(muted, c[3])
	}
	row := 3
	for _, why := range blankReasons(report) {
		if row >= min(r.H, 7) {
			break
		}
		l := s.Line(r, row)
		l.Gap(4).Sentence(muted, why)
		row++
	}
	return row
}

func numberStyle(n string) theme.Style {
	if n == "0" {
		return faint
	}
	return bold
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
		out[i] = plural(seen[why], "rule") + ": " + why
	}
	return out
}

// drawBlanks is the right half while nothing is found: what could not be looked at, rule by rule.
func drawBlanks(s *scene, r cell.Rect, report *doctor.Report) {
	s.title(r, "Could not look", "", count(len(report.Blanks)), false)
	width := 8
	for _, b := range report.Blanks {
		width = max(width, cell.Width(b.ID))
	}
	for n, b := range report.Blanks {
		l := s.Line(r, n+1)
		l.Gap(2).Words(text, b.ID, width).Gap(2).Sentence(muted, b.Missing)
	}
}

// workerNames are the short names of members by id.
func workerNames(s *group.State) map[string]string {
	out := map[string]string{}
	for i := range s.Workers {
		out[s.Workers[i].ID] = s.Workers[i].Name
	}
	return out
}
