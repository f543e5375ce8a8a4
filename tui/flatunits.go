package tui

import (
	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// flatUnitsHeight is how many rows the flat list of units takes of those that are left: no more than it has. Events find a place
// once all that needs a look has one.
func flatUnitsHeight(s *scene, left int) int {
	d := s.digest()
	want := d.matched + 2
	if want+1+minEvents+1 > left {
		want = max(left-1-minEvents-1, min(d.look+3, want))
	}
	if left-want-1 < minEvents+1 {
		return left
	}
	return want
}

// drawFlatUnits is the units pane of a vast screen: a line a unit, worst first.
func drawFlatUnits(s *scene, r cell.Rect) {
	focused := s.panes.pane(paneUnits)
	drawUnitsTitle(s, r, focused)
	d := s.digest()
	var rows []int
	for k := range d.first {
		rows = append(rows, d.first[k]...)
	}
	unitWidth, workerWidth := 8, 8
	list := s.panes.list(paneUnits)
	list.window(len(rows), r.H-2)
	visible := rows[list.top:min(list.top+list.height, len(rows))]
	for _, i := range visible {
		unitWidth = max(unitWidth, min(cell.Width(s.state.Units[i].Unit.String()), 24))
		workerWidth = max(workerWidth, min(cell.Width(holder(s.state, &s.state.Units[i])), 16))
	}
	head := s.Line(r, 1)
	head.Gap(2).Words(muted, "unit", unitWidth+1).Words(muted, "state", 11).Words(muted, "worker", workerWidth+1)
	head.Words(muted, "since", 9).Text(muted, "evidence")
	for n, i := range visible {
		u := &s.state.Units[i]
		l := s.Line(r, n+2)
		if hidden := d.matched - list.top - n; n == len(visible)-1 && hidden > 1 {
			l.Gap(0).Sentence(muted, "… "+count(hidden)+" more"+allAlike(u))
			return
		}
		m := unitMarks[u.State]
		l.Rune(m.token.Bold(), m.glyph, 1).Gap(1).Name(text, u.Unit.String(), unitWidth).Gap(1)
		l.Words(m.token.Plain(), u.State.String(), 11)
		l.Name(text, holder(s.state, u), workerWidth).Gap(1).Words(muted, s.clock(u.Since), 9)
		drawEvidence(&l, s.state, i)
	}
}

// allAlike says so when everything that found no place runs.
func allAlike(u *group.UnitState) string {
	if u.State == group.UnitRunning {
		return ", all running"
	}
	return ""
}

func drawEvidence(l *cell.Line, s *group.State, i int) {
	u := &s.Units[i]
	if u.Orphaned {
		l.Text(theme.Delayed.Plain(), "@ ")
	} else if u.Stale {
		l.Text(muted, "~ ")
	}
	switch why := s.Evidence(i); {
	case u.State == group.UnitFailed && u.Trace != "":
		l.Sentence(muted, traceWords(u.Trace, u.Unit))
	case u.Orphaned:
		l.Sentence(muted, orphanWords(s, i))
	case len(why) > 0:
		l.Sentence(muted, why[len(why)-1].Text)
	case u.Reported != "":
		l.Sentence(muted, u.Reported)
	}
}

// orphanWords say what still claims to run a unit, and whether an older copy does as well.
func orphanWords(s *group.State, i int) string {
	u, out := &s.Units[i], "RUNNING there"
	for _, c := range s.Claims(i) {
		if c.Worker >= 0 && c.Worker != u.Worker && c.Stands && c.State == decode.Running && !s.Workers[c.Worker].Gone {
			return out + ", a copy on " + s.Workers[c.Worker].Name
		}
	}
	return out
}

// holder names the worker that holds a unit, or the last one that did.
func holder(s *group.State, u *group.UnitState) string {
	if u.Worker >= 0 && u.Worker < len(s.Workers) {
		return s.Workers[u.Worker].Name
	}
	for i := len(s.Workers) - 1; i >= 0 && u.Last >= 0; i-- {
		if s.Workers[i].Worker == u.Last {
			return s.Workers[i].Name
		}
	}
	return ""
}
