package tui

import (
	"regroup/actions"
	"regroup/group"
	"regroup/tui/cell"
)

// view is one of the screen's views. It keeps its own state, draws a scene into a rectangle, and answers what the person does
// there. Drawing works on a copy, which the root keeps: drawing itself changes nothing.
type view interface {
	copied() view
	state() *panes
	draw(s *scene, r cell.Rect)
	// facts are what the row of facts says of it.
	facts(s *scene) (left, right []factItem)
	// open is what enter does.
	open(s *scene) action
	// press does what a key of its own does.
	press(s *scene, what handlerID) action
	// target is what an action would be about.
	target(s *scene) actions.Target
	// text is what the cursor is on, as text that is worth pasting; "": nothing.
	text(s *scene) string
	// sheet is its table, as it is saved; nil: there is none.
	sheet(s *scene) *sheet
}

// common is what most views have in common: no facts, keys or target of their own.
type common struct{ panes }

func newCommon(first paneID) common { return common{newPanes(first)} }

func (c *common) copied() common { return common{*c.panes.copied()} }

func (*common) facts(s *scene) (left, right []factItem) { return groupFacts(s) }
func (*common) press(*scene, handlerID) action          { return nil }

// unit is the unit that a pane's cursor is on.
func (p *panes) unit(id paneID) (group.Unit, bool) {
	u, ok := p.at[id].(group.Unit)
	return u, ok && p.list(id).rows > 0
}

// openIn opens the unit that a pane's cursor is on.
func (p *panes) openIn(id paneID) action {
	if u, ok := p.unit(id); ok {
		return openUnit{u}
	}
	return nil
}

// target is the unit that the cursor is on, or the worker.
func (c *common) target(s *scene) actions.Target {
	switch c.focus {
	case paneUnitList, paneFlow, paneCell:
		if u, ok := c.unit(c.focus); ok {
			return actions.Target{Unit: &u}
		}
	case paneWorkers:
		if id, ok := c.at[paneWorkers].(string); ok {
			return workerTarget(s.live, id)
		}
	}
	return actions.Target{}
}

// text is the unit that the cursor is on, or else the round shown.
func (c *common) text(s *scene) string {
	if u, ok := c.at[c.focus].(group.Unit); ok {
		return u.String()
	}
	return s.roundText()
}

// sheet is the table of units, by name.
func (c *common) sheet(s *scene) *sheet { return unitSheet(s, c.filter.text, 1) }

// tab is a view that a number key opens.
type tab struct {
	key string
	id  viewID
}

// tabs are the views of a group, in the order of the header.
var tabs = []tab{{"1", viewLive}, {"2", viewMatrix}, {"3", viewTimeline}, {"4", viewRound}, {"5", viewUnits}, {"6", viewDoctor}, {"7", viewEvents}}

// newViews are the views as the program begins with them.
func newViews() map[viewID]view {
	return map[viewID]view{
		viewLive: newLiveView(), viewMatrix: newMatrixView(), viewTimeline: newTimelineView(), viewRound: newRoundView(),
		viewUnits: newUnitsView(), viewUnit: newUnitView(), viewDoctor: newDoctorView(), viewEvents: newEventsView(), viewFleet: newFleetView(),
	}
}

func known(id viewID) bool { _, ok := newViews()[id]; return ok }

// tabOf is the tab that is lit while a view is open.
func tabOf(id viewID) viewID {
	if id == viewUnit {
		return viewUnits
	}
	return id
}
