package tui

import (
	tea "charm.land/bubbletea/v2"

	"regroup/group"
)

// action is what a view asks of the root, as a value; nil: nothing.
type action interface{ isAction() }

type (
	openView   struct{ id viewID }
	openUnit   struct{ unit group.Unit } // its whole story
	listUnits  struct{ at group.Unit }   // the list of units, with the cursor on one of them
	openRound  struct{ seq int }         // the moment of a round, taken apart
	openGroup  struct{ name string }
	sayMessage struct{ text string }
)

func (openView) isAction()   {}
func (openUnit) isAction()   {}
func (listUnits) isAction()  {}
func (openRound) isAction()  {}
func (openGroup) isAction()  {}
func (sayMessage) isAction() {}

// carry does what a view asked for.
func (m *model) carry(a action) tea.Cmd {
	switch a := a.(type) {
	case openView:
		m.enter(a.id)
	case openUnit:
		m.openUnit(a.unit)
	case listUnits:
		m.listFrom(a.at)
	case openRound:
		m.standOn(a.seq)
		m.enter(viewRound)
	case openGroup:
		m.open(a.name)
		m.show(viewLive)
	case sayMessage:
		m.ui.message = a.text
	}
	return nil
}
