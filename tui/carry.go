package tui

import (
	tea "charm.land/bubbletea/v2"

	"regroup/tui/dialog"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

// carry does what a view, a dialog or a form asked for.
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
	case scene.OpenForm:
		m.ui.dialog = nil
		return m.openForm(a.Form, a.Direct)
	case scene.CloseForm:
		m.closeForm()
		m.ui.message = a.Text
	case scene.RunEditor:
		return m.runEditor(a)
	case scene.AskAgreement:
		m.ui.dialog = dialog.Agreement(m.around(), a.Prepared)
	case scene.CloseDialog:
		m.closeDialog()
		m.ui.message = a.Text
	case scene.CarryOut:
		m.ui.dialog = nil
		m.carryOut(a.Prepared, a.Typed)
	case scene.EndAction:
		m.endAction(a.Number)
	case scene.ShowCosts:
		m.ui.dialog = dialog.OnCosts(m.around())
	}
	return nil
}
