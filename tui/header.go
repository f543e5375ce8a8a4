package tui

import (
	"strconv"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// span of text in one style.
type piece struct {
	style theme.Style
	text  string
}

func widthOf(ps []piece) int {
	w := 0
	for _, p := range ps {
		w += cell.Width(p.text)
	}
	return w
}

// pieces draws one after the other; what does not fit loses its end.
func (s *scene) pieces(l *cell.Line, ps []piece) {
	for _, p := range ps {
		l.Sentence(p.style, p.text)
	}
}

// drawHeader is row 0: where one is, the views, and the time. What does not fit goes in steps: the other tabs shrink to their
// numbers, the tabs go, then the word "following", then "regroup"; then the name is cut.
func drawHeader(s *scene) {
	r := s.lay.header.Columns(1, s.lay.header.W-2)
	name := s.group
	if s.view == viewFleet {
		name = "fleet"
	}
	for step := 0; ; step++ {
		left, right := headerLeft(s, name, step), headerRight(s, step)
		gap := r.W - widthOf(left) - widthOf(right)
		if gap < 2 && step < headerSteps {
			continue
		}
		if gap < 2 {
			left = headerLeft(s, cell.Middle(name, max(cell.Width(name)-2+gap, 4)), step)
		}
		l := s.Line(r, 0)
		s.pieces(&l, left)
		s.tabs = tabZones(s, r.X+widthOf(left), step)
		l.FromRight(widthOf(right))
		s.pieces(&l, right)
		return
	}
}

const (
	headerShortTabs = iota + 1
	headerNoTabs
	headerNoFollowing
	headerNoProgram
	headerNoContext
	headerSteps = headerNoContext
)

func headerLeft(s *scene, name string, step int) []piece {
	var out []piece
	if step < headerNoProgram {
		out = append(out, piece{strong, "regroup"}, piece{muted, " ▸ "})
	}
	if chip := contextPieces(s.context, step); chip != nil {
		out = append(append(out, chip...), piece{muted, " ▸ "})
	}
	out = append(out, piece{text, name})
	if s.view == viewFleet {
		return out
	}
	if s.form != "" {
		return append(out, piece{muted, " ▸ "}, piece{text, cell.Middle(printable(s.form), max(maxConnector, s.lay.header.W/3))})
	}
	if s.view == viewUnit && s.unit != nil {
		out = append(out, piece{muted, " ▸ "}, piece{text, cell.Middle(s.unit.String(), maxConnector)})
	} else if step >= headerNoTabs {
		out = append(out, piece{muted, " ▸ "}, piece{text, string(s.view)})
	}
	if step >= headerNoTabs {
		return out
	}
	if step >= headerShortTabs {
		out = append(out, piece{text, "   "})
	} else {
		out = append(out, piece{text, "     "})
	}
	for _, t := range tabs {
		out = append(out, tabPieces(s, t, step >= headerShortTabs)...)
	}
	return out
}

// tabZones are where the tabs were drawn: they end the left part.
func tabZones(s *scene, end, step int) []tabZone {
	if s.view == viewFleet || s.form != "" || step >= headerNoTabs {
		return nil
	}
	out := make([]tabZone, len(tabs))
	for i := len(tabs) - 1; i >= 0; i-- {
		from := end - widthOf(tabPieces(s, tabs[i], step >= headerShortTabs))
		out[i], end = tabZone{tabs[i].id, from, end}, from
	}
	return out
}

// tabPieces are one tab. The doctor's counts what it found, and keeps its name while it does.
func tabPieces(s *scene, t tab, short bool) []piece {
	found, style := "", text
	if t.id == viewDoctor && s.state != nil {
		var n int
		if n, style = s.foundStyle(); n > 0 {
			found = " " + count(n)
		}
	}
	switch {
	case t.id == tabOf(s.view):
		on := theme.Strong.On(theme.Select)
		return []piece{{on, "["}, {on.Bold(), t.key + " " + string(t.id)}, {style.On(theme.Select), found}, {on, "]"}}
	case short && found == "":
		return []piece{{muted, " " + t.key + " "}}
	}
	return []piece{{muted, " " + t.key + " "}, {text, string(t.id)}, {style, found}, {text, " "}}
}

// foundStyle is the count of findings, and how it is drawn.
func (s *scene) foundStyle() (int, theme.Style) {
	n, worst := s.found()
	if worst == doctor.Critical {
		return n, theme.Wrong.Bold()
	}
	return n, theme.Delayed.Bold()
}

// found counts the findings that matter, and says how bad the worst is.
func (s *scene) found() (n int, worst doctor.Severity) {
	r := s.report()
	if r == nil {
		return 0, doctor.Info
	}
	worst = doctor.Warning
	for i := range r.Findings {
		if r.Findings[i].Severity == doctor.Critical {
			worst = doctor.Critical
		}
	}
	return r.Count(), worst
}

func headerRight(s *scene, step int) []piece {
	var now string
	switch {
	case s.view == viewFleet && s.fleet != nil:
		now = s.clock(s.fleet.Now)
	case s.state != nil:
		now = s.clock(s.state.Now)
	}
	if s.view != viewFleet && s.state != nil && s.state.Past {
		at := now
		if r := s.state.Round(); r != nil {
			at = s.clock(r.At)
		}
		return []piece{{theme.OnChip.On(theme.ChipPast).Bold(), " PAST "}, {theme.Past.On(theme.BandPast), " " + at + " "}}
	}
	var out []piece
	if s.view == viewFleet && s.fleet != nil && s.fleet.Brokers != "" && step < headerNoTabs {
		out = append(out, piece{muted, s.fleet.Brokers + "   "})
	}
	if step >= headerNoTabs && s.view != viewFleet && s.state != nil {
		if n, style := s.foundStyle(); n > 0 {
			out = append(out, piece{muted, "doctor "}, piece{style, count(n)}, piece{text, "   "})
		}
	}
	switch {
	case s.recorded():
		out = append(out, piece{muted, "replay "})
	case step < headerNoFollowing && !s.blind() && now != "":
		out = append(out, piece{muted, "following "})
	}
	return append(out, piece{text, now})
}

// generation is the number of a round as it is written everywhere.
func generation(r *group.Round) string {
	if r.Polled || r.Generation < 0 {
		return "?"
	}
	return count(int(r.Generation))
}

func needs(w, h int) string {
	return "needs " + strconv.Itoa(minWidth) + "x" + strconv.Itoa(minHeight) + ", this is " + strconv.Itoa(w) + "x" + strconv.Itoa(h)
}
