package tui

import (
	tea "charm.land/bubbletea/v2"

	"regroup/tui/keys"
	"regroup/tui/scene"
)

// carry does what a view asked for.
func (m *model) carry(a scene.Action) tea.Cmd {
	switch a := a.(type) {
	case scene.OpenView:
		m.enter(a.ID)
	case scene.OpenUnit:
		m.openUnit(a.Unit)
	case scene.ListUnits:
		m.listFrom(a.At)
	case scene.OpenRound:
		m.standOn(a.Seq)
		m.enter(keys.Round)
	case scene.OpenGroup:
		m.open(a.Name)
		m.show(keys.Live)
	case scene.SayMessage:
		m.ui.message = a.Text
	}
	return nil
}
