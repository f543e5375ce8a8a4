package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/tui/keys"
)

// stage is how far somebody is on the way from a to an action.
type stage int

const (
	choosing stage = iota // a line of the menu
	telling               // what has to be told
	waitingReady
	agreeing // to what will happen
	readingReport
)

// dialog is what lies over the screen from a on until something is done, or left.
type dialog struct {
	stage  stage
	menus  []*menu // the one that is open, and those that led to it
	direct bool    // a command chose the line: nobody has seen the menu
	form   *form
	offer  *actions.Offer
	ask    *asking
	failed string // why the offer could not be made ready
	number int    // of the answer that is waited for
	end    context.CancelFunc
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
	case m.live.Verdict.Word == "BLIND":
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
	m.ui.dialog = &dialog{}
	m.openMenu(m.menuOf(m.selected()))
	return nil
}

// closeDialog leaves everything as it is.
func (m *model) closeDialog() {
	if d := m.ui.dialog; d != nil && d.end != nil {
		d.end()
	}
	m.ui.dialog = nil
}

// pressedInDialog gives a key to the dialog's stage. esc goes one step back; what quits still quits.
func (m *model) pressedInDialog(key, text string) tea.Cmd {
	d := m.ui.dialog
	switch {
	case key == "ctrl+c":
		return tea.Quit
	case key == "ctrl+z":
		return tea.Suspend
	case key == "esc":
		m.stepBack()
	case d.stage == choosing:
		m.pressedInMenu(key)
	case d.stage == telling:
		m.pressedInForm(key, text)
	case d.stage == agreeing:
		m.pressedInAsking(key, text)
	case d.stage == readingReport:
		m.pressedInReport(key)
	}
	return nil
}

func (m *model) stepBack() {
	d := m.ui.dialog
	if d.end != nil {
		d.end()
		d.end = nil
	}
	switch {
	case d.failed != "" && d.form != nil:
		d.stage, d.failed = telling, ""
	case d.direct:
		m.closeDialog()
	case d.failed != "" || d.stage == telling:
		d.stage, d.failed, d.form = choosing, "", nil
	case d.stage == choosing && len(d.menus) > 1:
		d.menus = d.menus[:len(d.menus)-1]
	default:
		m.closeDialog()
	}
}

// readyMsg is the action that was waited for, or why there is none.
type readyMsg struct {
	number   int
	prepared *actions.PreparedAction
	err      error
}

// makeReady asks for the action.
func (m *model) makeReady(given map[string]string) {
	ready := m.ui.dialog.offer.Ready
	m.waitFor(func(ctx context.Context, number int) tea.Msg {
		prepared, err := ready(ctx, given)
		return readyMsg{number, prepared, err}
	})
}

// askDraft asks for the draft.
func (m *model) askDraft() {
	ask := m.ui.dialog.offer.Form
	m.waitFor(func(ctx context.Context, number int) tea.Msg {
		draft, err := ask(ctx)
		return openedMsg{number, draft, err}
	})
}

// waitFor has the dialog wait for what is made ready beside the screen, and for nothing that it waited for before.
func (m *model) waitFor(made func(ctx context.Context, number int) tea.Msg) {
	d := m.ui.dialog
	if d.end != nil {
		d.end()
	}
	m.asked++
	d.number, d.stage, d.failed = m.asked, waitingReady, ""
	number := d.number
	d.end = m.host.act(d.offer.Label, func(ctx context.Context, send func(tea.Msg)) { send(made(ctx, number)) })
}

func (m *model) readied(msg readyMsg) {
	d := m.ui.dialog
	if d == nil || d.number != msg.number || d.stage != waitingReady {
		return
	}
	m.stale, d.end = true, nil
	switch {
	case msg.err != nil:
		d.failed = msg.err.Error()
		if d.stage = choosing; d.form != nil {
			d.stage = telling
		}
	case msg.prepared != nil:
		d.ask, d.stage = &asking{prepared: msg.prepared}, agreeing
	}
}

// pastedInDialog takes a pasted text where one is typed.
func (m *model) pastedInDialog(text string) {
	d := m.ui.dialog
	switch d.stage {
	case telling:
		d.form.add(text)
	case agreeing:
		d.ask.add(text)
	}
	m.stale = true
}
