package tui

import "regroup/tui/cell"

// liveView is the first view of a group: workers, the rounds, the round stood on, units by state, and events.
type liveView struct{ common }

func newLiveView() *liveView { return &liveView{newCommon(paneRounds)} }

func (v *liveView) copied() view { return &liveView{v.common.copied()} }

// paneViews are the views that show more of what a pane shows.
var paneViews = map[paneID]viewID{paneRounds: viewRound, paneWorkers: viewMatrix, paneUnits: viewUnits, paneEvents: viewEvents}

func (v *liveView) open(*scene) action {
	if id, ok := paneViews[v.focus]; ok {
		return openView{id}
	}
	return nil
}

func (v *liveView) text(s *scene) string {
	if v.focus == paneWorkers {
		return s.workersText()
	}
	return v.common.text(s)
}

func (v *liveView) sheet(s *scene) *sheet {
	switch v.focus {
	case paneWorkers:
		return workerSheet(s.state)
	case paneRounds:
		return roundSheet(s.live)
	case paneEvents:
		return eventSheet(s.state, "", "")
	}
	return v.common.sheet(s)
}

func (*liveView) draw(s *scene, r cell.Rect) {
	if s.state == nil {
		return
	}
	used := drawWorkers(s, r)
	r = r.Rows(used+1, r.H)
	if h := timePaneHeight(s, r.H); h > 0 {
		drawTimePane(s, r.Rows(r.H-h, h))
		r = r.Rows(0, r.H-h-1)
	}
	switch {
	case s.lay.class >= classMedium:
		drawRounds(s, r.Columns(0, s.lay.roundsWidth))
		drawSide(s, r.Columns(s.lay.roundsWidth+s.lay.gap, r.W))
	case s.lay.class == classSlim && r.H > 8:
		drawRounds(s, r.Rows(0, r.H-3))
		drawRoundInTwoLines(s, r.Rows(r.H-2, 2))
	default:
		drawRoundInOneLine(s, s.lay.counts)
		drawRounds(s, r)
	}
}

// minEvents is how many rows events need to be worth their title.
const minEvents = 3

// drawSide stacks the round, the units and the events. When they do not all fit the events go first, then the second lines of
// the units. Where there is room each has a least height, so that nothing jumps when a line comes or goes.
func drawSide(s *scene, r cell.Rect) {
	round := roundLines(s, r.W)
	flat := s.lay.class >= classVast
	var units [][]piece
	if !flat {
		units = unitLines(s, r.W, true)
	}
	const leastRound, leastUnits = 9, 5
	needed := len(round) + 2 + len(units) + 1
	if needed > r.H && !flat {
		units = unitLines(s, r.W, false)
		needed = len(round) + 2 + len(units) + 1
	}
	roundH, unitsH := len(round)+1, len(units)+1
	spare := max(r.H-needed-minEvents-1, 0)
	grow := min(spare, max(leastRound-roundH, 0))
	roundH, spare = roundH+grow, spare-grow
	unitsH += min(spare, max(leastUnits-unitsH, 0))
	if roundH > r.H-4 { // the units' title and a few lines are worth more than the end of the story
		roundH = max(r.H-4, 3)
	}
	drawRoundPane(s, r.Rows(0, roundH), round)
	rest := r.Rows(roundH+1, r.H)
	if flat {
		unitsH = flatUnitsHeight(s, rest.H)
		drawFlatUnits(s, rest.Rows(0, unitsH))
	} else {
		drawUnits(s, rest.Rows(0, unitsH), units)
	}
	if rest = rest.Rows(unitsH+1, rest.H); rest.H >= minEvents {
		drawEvents(s, rest)
	}
}
