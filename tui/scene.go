package tui

import (
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// scene is what is drawn: what is known, what the person has set, and the grid to draw on.
type scene struct {
	*cell.Grid
	lay     layout
	live    *group.State // the newest; nil before the first
	state   *group.State // the one shown: live, or the past one that is stood on
	fleet   *Fleet
	groups  []*GroupSummary // of the fleet, in the order shown
	detail  func(i int) *group.Detail
	digest  func() *digest // of the units of state
	report  func() *doctor.Report
	memo    *memo
	bytes   bytesState
	props   *properties
	acts    bool        // something can be done from here
	panes   *panes      // of the view that is drawn, or asked
	eager   bool        // rounds are shown as eager would have made them
	unit    *group.Unit // the one that is open
	tabs    []tabZone   // where they were drawn
	form    string      // title of the form that has the screen; "": none does
	view    viewID
	loc     *time.Location
	replay  string
	ascii   bool // nothing outside ASCII is drawn
	newer   int  // rounds that came since somebody stands on a past one
	group   string
	last    *reading
	context Context
	keys    func(hinted bool) []keyLine
}

// viewID names a view, as --view does.
type viewID string

const (
	viewLive     viewID = "live"
	viewMatrix   viewID = "matrix"
	viewTimeline viewID = "timeline"
	viewRound    viewID = "round"
	viewUnits    viewID = "units"
	viewUnit     viewID = "unit" // one of them: opened from a list
	viewDoctor   viewID = "doctor"
	viewEvents   viewID = "events"
	viewFleet    viewID = "fleet"
)

// Styles that every view needs.
var (
	text   = theme.Text.Plain()
	bold   = theme.Text.Bold()
	strong = theme.Strong.Bold()
	muted  = theme.Muted.Plain()
	faint  = theme.Faint.Plain()
)

// clock is a time of day.
func (s *scene) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.loc).Format("15:04:05")
}

// stamp is a time of day to the millisecond.
func (s *scene) stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.loc).Format("15:04:05.000")
}

// round is the round shown, and the one before it; nil where there is none.
func (s *scene) round() (r, prev *group.Round) {
	if s.state == nil || s.state.Round() == nil {
		return nil, nil
	}
	if s.state.At > 0 {
		prev = s.state.Rounds[s.state.At-1]
	}
	return s.state.Round(), prev
}

// blind says that what is shown is old: panes are muted.
func (s *scene) blind() bool { return s.live != nil && s.live.Verdict.Word == "BLIND" }

// title draws a pane's first row: its name, what follows the name, a rule to the pane's right edge and a short note at its end.
func (s *scene) title(r cell.Rect, name, more, note string, focused bool) {
	if s.panes.begun != "" {
		s.panes.zones, s.panes.begun = append(s.panes.zones, zone{s.panes.begun, r, -1}), ""
	}
	l := s.Line(r, 0)
	style, rule, ruleStyle := bold, '─', faint
	if focused {
		style, rule, ruleStyle = strong, '━', muted
	}
	l.Text(style, cell.End(name, max(l.Left()-2, 0))).Gap(1)
	if more != "" {
		l.Text(muted, cell.End(more, max(l.Left()-2, 0))).Gap(1)
	}
	width := cell.Width(note)
	if note != "" && l.Left() > width+4 {
		l.Rune(ruleStyle, rule, l.Left()-width-1).Gap(1).Text(muted, note)
		return
	}
	l.Rune(ruleStyle, rule, l.Left())
}
