package fleet

import (
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/words"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// drawGroupSide is what happened to the group under the cursor, and beside it what is found wrong with it.
func drawGroupSide(s *scene.Scene, g *scene.GroupSummary, r cell.Rect) {
	left, right := r, cell.Rect{}
	if s.Lay.Class >= scene.Medium {
		at := r.W * 11 / 20
		left, right = r.Columns(0, at), r.Columns(at+s.Lay.Gap, r.W)
	}
	s.Title(left, cell.Middle(g.Group, 30), "", "what happened", false)
	if g.State == nil {
		l := s.Line(left, 1)
		l.Sentence(ui.Muted, "described alone; enter opens it and reads its history")
		return
	}
	drawHappened(s, left, g.State)
	if !right.Empty() {
		drawGroupFound(s, right, g)
	}
}

// drawHappened is the newest events of a group.
func drawHappened(s *scene.Scene, r cell.Rect, st *group.State) {
	inner := *s
	inner.State, inner.Live = st, st
	for row := 1; row < r.H && row <= len(st.Events); row++ {
		e := &st.Events[len(st.Events)-row]
		l := s.Line(r, row)
		l.Words(ui.Muted, s.Clock(e.At), 8).Gap(2)
		text := parts.EventText(&inner, e, max(l.Left()-11, 0))
		source := parts.SourceOf(e)
		if round, why, ok := parts.CutRound(text); ok {
			source, text = round, why
		}
		l.Words(ui.Muted, source, 9).Gap(2).Sentence(parts.EventStyle(e), text)
	}
	if len(st.Events) == 0 {
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "nothing was seen yet")
	}
}

// drawGroupFound is the findings of a group, and the next step of the first.
func drawGroupFound(s *scene.Scene, r cell.Rect, g *scene.GroupSummary) {
	var found []*doctor.Finding
	if g.Report != nil {
		found = parts.ListedFindings(g.Report, false)
	}
	note := ""
	if len(found) > 0 {
		note = words.Thousands(len(found))
	}
	s.Title(r, "Findings", "", note, false)
	if len(found) == 0 {
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "nothing is wrong with what could be looked at")
		return
	}
	width := 0
	for _, f := range found {
		width = max(width, min(cell.Width(f.ID), 22))
	}
	row := 1
	for ; row <= len(found) && row < r.H; row++ {
		f := found[row-1]
		l := s.Line(r, row)
		mark, style := parts.FindingMark(f)
		l.Text(style.Bold(), mark).Gap(1)
		if r.W < width+40 { // what is so says more than what it is called
			l.Sentence(ui.Text, f.Title)
			continue
		}
		l.Words(ui.Text, f.ID, width).Gap(2).Sentence(ui.Muted, f.Title)
	}
	if len(found[0].Next) == 0 {
		return
	}
	row++
	for n, line := range cell.Wrap("Next: "+found[0].Next[0], r.W) {
		l := s.Line(r, row+n)
		l.Text(ui.Text, line)
	}
}
