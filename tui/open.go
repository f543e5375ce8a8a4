package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
)

// openers are what enter does in each view.
var openers = map[viewID]func(*model) tea.Cmd{
	viewFleet: openGroup, viewLive: openPane, viewUnits: openListed, viewMatrix: openCell, viewDoctor: openFinding,
	viewEvents: openEvent, viewTimeline: openTimeline, viewRound: openFlow, viewUnit: openHappening,
}

// open is what enter does.
func open(m *model) tea.Cmd { return openers[m.view](m) }

func openGroup(m *model) tea.Cmd {
	groups := m.fleetOrder()
	if i := m.ui.list(paneGroups).cursor; i < len(groups) {
		m.open(groups[i].Group)
		m.show(viewLive)
	}
	return nil
}

// place opens the group where the first list that holds any has one alone, and nobody has pressed a key.
func (m *model) place() {
	if m.placed || m.fleet == nil || m.fleet.trouble() != "" || len(m.fleet.Groups)+len(m.fleet.NotShown) == 0 {
		return
	}
	m.placed = true
	if m.view == viewFleet && m.group == "" && len(m.fleet.Groups) == 1 && len(m.fleet.NotShown) == 0 {
		m.open(m.fleet.Groups[0].Group)
		m.show(viewLive)
	}
}

// showFleet goes to the list of groups, with the one that is open selected.
func showFleet(m *model) tea.Cmd {
	if m.view == viewFleet {
		return nil
	}
	m.show(viewFleet)
	if i := slices.IndexFunc(m.fleetOrder(), func(g *GroupSummary) bool { return g.Group == m.group }); i >= 0 {
		m.ui.list(paneGroups).cursor = i
	}
	return nil
}

// paneViews are the views that show more of what a pane of the live view shows.
var paneViews = map[paneID]viewID{paneRounds: viewRound, paneWorkers: viewMatrix, paneUnits: viewUnits, paneEvents: viewEvents}

func openPane(m *model) tea.Cmd {
	if v, ok := paneViews[m.ui.focus]; ok {
		m.enter(v)
	}
	return nil
}

// openUnit shows the whole story of one unit.
func (m *model) openUnit(u group.Unit) {
	if m.ui.unit == nil || *m.ui.unit != u {
		m.ui.lists[paneTrace], m.ui.lists[paneUnitStory] = nil, nil
		delete(m.ui.at, paneUnitStory)
	}
	m.ui.unit = &u
	m.enter(viewUnit)
	m.ui.focus = firstPane[viewUnit]
}

func openListed(m *model) tea.Cmd {
	if u, ok := m.ui.at[paneUnitList].(group.Unit); ok && m.ui.list(paneUnitList).rows > 0 {
		m.openUnit(u)
	}
	return nil
}

func openFlow(m *model) tea.Cmd {
	if u, ok := m.ui.at[paneFlow].(group.Unit); ok && m.ui.list(paneFlow).rows > 0 {
		m.openUnit(u)
	}
	return nil
}

func openCell(m *model) tea.Cmd {
	if u, ok := m.ui.at[paneCell].(group.Unit); ok && m.ui.list(paneCell).rows > 0 {
		m.openUnit(u)
	}
	return nil
}

// openFinding goes to the units that a finding is about: the one, or the list of them.
func openFinding(m *model) tea.Cmd {
	f := m.selectedFinding()
	switch {
	case f == nil:
	case len(f.Units) == 1:
		m.openUnit(f.Units[0])
	case len(f.Units) > 1:
		m.listFrom(f.Units[0])
	default:
		m.ui.message = "this finding is about no unit; its next steps are on the right."
	}
	return nil
}

// listFrom goes to the list of units, onto one of them.
func (m *model) listFrom(u group.Unit) {
	m.ui.at[paneUnitList] = u
	m.ui.list(paneUnitList).moved, m.ui.list(paneUnitList).placed = false, true
	m.enter(viewUnits)
	m.ui.filter = filter{}
}

// openEvent goes to what an event is about: a unit, or a round.
func openEvent(m *model) tea.Cmd {
	e := m.selectedEvent()
	switch {
	case e == nil:
	case e.Unit != nil:
		m.openUnit(*e.Unit)
	case len(e.Units) > 0:
		m.listFrom(e.Units[0])
	case e.Seq >= 0:
		m.standOn(e.Seq)
		m.enter(viewRound)
	default:
		m.ui.message = "nothing more is known of this event."
	}
	return nil
}

// openHappening goes to the round of a line of a unit's story.
func openHappening(m *model) tea.Cmd {
	if m.ui.focus != paneUnitStory {
		m.ui.message = "enter opens the round of a line of the story: tab goes there."
		return nil
	}
	if seq, ok := m.ui.at[paneUnitStory].(storyKey); ok && seq.round >= 0 {
		m.standOn(seq.round)
		m.enter(viewRound)
	}
	return nil
}

// standOn stands on the round of a number, if it is still in the ring.
func (m *model) standOn(seq int) {
	for i, r := range m.live.Rounds {
		if r.Seq == seq {
			m.stand(i)
			return
		}
	}
}
