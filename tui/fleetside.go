package tui

import (
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
)

// drawGroupSide is what happened to the group under the cursor, and beside it what is found wrong with it.
func drawGroupSide(s *scene, r cell.Rect) {
	i := s.panes.list(paneGroups).cursor
	if i >= len(s.groups) {
		return
	}
	g := s.groups[i]
	left, right := r, cell.Rect{}
	if s.lay.class >= classMedium {
		at := r.W * 11 / 20
		left, right = r.Columns(0, at), r.Columns(at+s.lay.gap, r.W)
	}
	s.title(left, cell.Middle(g.Group, 30), "", "what happened", false)
	if g.State == nil {
		l := s.Line(left, 1)
		l.Sentence(muted, "described alone; enter opens it and reads its history")
		return
	}
	drawHappened(s, left, g.State)
	if !right.Empty() {
		drawGroupFound(s, right, g)
	}
}

// drawHappened is the newest events of a group.
func drawHappened(s *scene, r cell.Rect, st *group.State) {
	inner := *s
	inner.state, inner.live = st, st
	for row := 1; row < r.H && row <= len(st.Events); row++ {
		e := &st.Events[len(st.Events)-row]
		l := s.Line(r, row)
		l.Words(muted, s.clock(e.At), 8).Gap(2)
		text := eventText(&inner, e, max(l.Left()-11, 0))
		source := sourceOf(e)
		if round, why, ok := cutRound(text); ok {
			source, text = round, why
		}
		l.Words(muted, source, 9).Gap(2).Sentence(eventStyle(e), text)
	}
	if len(st.Events) == 0 {
		l := s.Line(r, 1)
		l.Sentence(muted, "nothing was seen yet")
	}
}

// drawGroupFound is the findings of a group, and the next step of the first.
func drawGroupFound(s *scene, r cell.Rect, g *GroupSummary) {
	var found []*doctor.Finding
	if g.Report != nil {
		found = listedFindings(g.Report, false)
	}
	note := ""
	if len(found) > 0 {
		note = count(len(found))
	}
	s.title(r, "Findings", "", note, false)
	if len(found) == 0 {
		l := s.Line(r, 1)
		l.Sentence(muted, "nothing is wrong with what could be looked at")
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
		mark, style := findingMark(f)
		l.Text(style.Bold(), mark).Gap(1)
		if r.W < width+40 { // what is so says more than what it is called
			l.Sentence(text, f.Title)
			continue
		}
		l.Words(text, f.ID, width).Gap(2).Sentence(muted, f.Title)
	}
	if len(found[0].Next) == 0 {
		return
	}
	row++
	for n, line := range cell.Wrap("Next: "+found[0].Next[0], r.W) {
		l := s.Line(r, row+n)
		l.Text(text, line)
	}
}
