package tui

import (
	"slices"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

const (
	laneFrom   = 17 // column at which a unit's own lane begins
	laneHeight = timeHeads + 3
)

// drawLane draws one unit's life along the time, as the timeline would. It says how many rows it took.
func drawLane(s *scene, r cell.Rect, u group.Unit, life []group.Happening) int {
	width := r.W - laneFrom
	if r.H < 24 || s.lay.class < classMedium || len(life) == 0 || width < 20 {
		return 0
	}
	t := &timeline{s: s, from: laneFrom, memo: s.memo.time.of(s.live), small: true}
	lane, ok := t.laneOf(u)
	lived := s.state.Now.Sub(life[0].At)
	if !ok || lived < time.Second {
		return 0
	}
	t.win = timeWindow{from: life[0].At.Add(-lived / time.Duration(width)), width: width, per: lived/time.Duration(width-2) + 1}
	s.title(r, "Its life", "", s.clock(life[0].At)+" to "+s.clock(s.state.Now)+", "+shortSpan(t.win.per)+" a column", false)
	t.heads(r, 1)
	l := s.Line(r, timeHeads+1)
	l.Name(strong, u.String(), laneFrom-2).At(laneFrom)
	drawLaneCells(&l, laneCells(lane.Stretches, t.win, s.state.Now, t.memo.label(s.live)))
	return laneHeight
}

// laneOf is the lane of one unit.
func (t *timeline) laneOf(u group.Unit) (group.Lane, bool) {
	units := t.memo.laneUnits(t.s.live)
	i, ok := slices.BinarySearchFunc(units, u, func(l group.LaneUnit, u group.Unit) int { return t.s.live.LaneName(l).Compare(u) })
	if !ok {
		return group.Lane{}, false
	}
	return t.memo.lanesOf(t.s.live, units[i:i+1], units[i:i+1], 0)[0], true
}

// laneCell is one column of a lane.
type laneCell struct {
	glyph rune
	token theme.Token
}

// endOf is the last letter or digit of a worker's name, which tells it from the others in most groups.
func endOf(name string) rune {
	for i := len(name) - 1; i >= 0; i-- {
		if c := name[i]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return rune(c)
		}
	}
	return '━'
}
