package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/units"
)

// place opens the group where the first list that holds any has one alone, and nobody has pressed a key.
func (m *model) place() {
	if m.placed || m.fleet == nil || m.fleet.Trouble() != "" || len(m.fleet.Groups)+len(m.fleet.NotShown) == 0 {
		return
	}
	m.placed = true
	if m.view == keys.Fleet && m.group == "" && len(m.fleet.Groups) == 1 && len(m.fleet.NotShown) == 0 {
		m.open(m.fleet.Groups[0].Group)
		m.show(keys.Live)
	}
}

// showFleet goes to the list of groups, with the one that is open selected.
func showFleet(m *model) tea.Cmd {
	if m.view == keys.Fleet {
		return nil
	}
	m.show(keys.Fleet)
	if i := slices.IndexFunc(m.groups(), func(g *scene.GroupSummary) bool { return g.Group == m.group }); i >= 0 {
		m.views[keys.Fleet].State().List(scene.PaneGroups).Cursor = i
	}
	return nil
}

// openUnit shows the whole story of one unit.
func (m *model) openUnit(u group.Unit) {
	unit := m.views[keys.Unit].(*units.Unit)
	if m.ui.unit == nil || *m.ui.unit != u {
		unit.Begin()
	}
	unit.Focus = scene.PaneTrace
	m.ui.unit = &u
	m.enter(keys.Unit)
}

// listFrom goes to the list of units, onto one of them.
func (m *model) listFrom(u group.Unit) {
	m.views[keys.Units].(*units.List).GoTo(u)
	m.enter(keys.Units)
}

// standOn stands on the round of a number, if it is still in the ring.
func (m *model) standOn(seq int) {
	if i, found := group.FindRound(m.live.Rounds, seq); found {
		m.stand(i)
	}
}
