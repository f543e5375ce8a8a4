package tui

import (
	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/group"
	"regroup/tui/dialog"
	"regroup/tui/form"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

// front is where keys are pressed: what is in front, or the view that is open.
func (m *model) front() keys.View {
	switch {
	case m.ui.help:
		return keys.Help
	case m.ui.palette.open:
		return keys.Palette
	case m.ui.dialog != nil:
		return m.ui.dialog.Place()
	}
	return m.body()
}

// body is what has the body of the screen, whatever lies over it: the footer tells its keys.
func (m *model) body() keys.View {
	switch {
	case m.ui.form != nil:
		return m.ui.form.Place()
	case m.panes().Filter.Typing:
		return keys.Filter
	}
	return m.view
}

// around is what dialogs ask of the screen.
func (m *model) around() dialog.Around {
	return dialog.Around{
		Run: m.host.act, Acts: m.opt.Acts, Live: func() *group.State { return m.live },
		Doing: func() []dialog.Ongoing { return m.doing }, Costs: func() *dialog.Costs { return m.costs },
	}
}

// cannotAct says why nothing can be done from here.
func cannotAct(m *model) string {
	switch {
	case m.view == keys.Fleet:
		return "no group is open"
	case m.opt.Replay != "":
		return "this is a recording"
	case m.opt.Acts == nil:
		return "this is only to look at"
	case m.live == nil || len(m.live.Rounds) == 0:
		return "no round is known yet"
	case m.past != nil:
		return "this is a past round; f follows again"
	case m.live.Verdict.Word == group.VerdictBlind:
		return "what is shown is old"
	case m.live.Reading() != nil:
		return "the group's history is still being read"
	}
	return ""
}

// selected is what a is about: what the cursor is on.
func (m *model) selected() actions.Target { return m.views[m.view].Target(m.scene()) }

// beginAct opens the menu.
func beginAct(m *model) tea.Cmd {
	m.ui.dialog = dialog.On(m.around(), m.selected())
	return nil
}

// choose chooses a line of the menu that is open, by its word.
func (m *model) choose(word string) (cmd tea.Cmd, ok bool) {
	a, ok := m.ui.dialog.Choose(word)
	return m.carry(a), ok
}

// closeDialog leaves everything as it is.
func (m *model) closeDialog() {
	if m.ui.dialog != nil {
		m.ui.dialog.Drop()
	}
	m.ui.dialog = nil
}

// openForm gives the screen to a form; direct: to an editor at once.
func (m *model) openForm(f *actions.ConnectorForm, direct bool) tea.Cmd {
	m.closeForm()
	m.ui.form = form.New(form.Around{Run: m.host.act, Newest: m.newestRound}, f)
	return m.carry(m.ui.form.Begin(direct))
}

// closeForm leaves everything as it is.
func (m *model) closeForm() {
	if m.ui.form != nil {
		m.ui.form.Drop()
	}
	m.ui.form = nil
}

// runEditor gives the terminal to an editor, and the form what came of it.
func (m *model) runEditor(a scene.RunEditor) tea.Cmd {
	f := m.ui.form
	return m.exec(a.Editing, func(err error) tea.Msg {
		return scene.Tell(func() scene.Action {
			if m.ui.form != f {
				return nil
			}
			return a.Then(err)
		})
	})
}

func (m *model) newestRound() *group.Round {
	if m.live == nil || len(m.live.Rounds) == 0 {
		return nil
	}
	return m.live.Rounds[len(m.live.Rounds)-1]
}

func noEditor(m *model) string {
	switch {
	case m.ui.form == nil || !m.ui.form.CanEdit():
		return "there is no editor here"
	case m.acting.busy && !m.acting.did:
		return m.acting.what + " is under way" // while an editor has the terminal, nobody listens to it
	}
	return ""
}

func noFile(m *model) string {
	if m.ui.form == nil || !m.ui.form.CanLoad() {
		return "it is not read from files"
	}
	return ""
}
