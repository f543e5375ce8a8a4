package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
)

// stateMsg is the newest State of the group that was opened as number run.
type stateMsg struct {
	run    int
	state  *group.State
	report *doctor.Report // what the doctor says of it; nil: to be asked
}

// fleetMsg is the newest list of groups.
type fleetMsg struct{ fleet *observe.Fleet }

// Update routes a message by its type. What it does not know changes nothing.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.onResize(msg)
	case tea.KeyPressMsg:
		m.placed = true
		cmd = m.pressed(msg)
	case tea.PasteMsg:
		cmd = m.pasted(msg)
	case stateMsg:
		m.onState(msg)
	case fleetMsg:
		m.fleet = msg.fleet
		m.stale = m.stale || m.view == keys.Fleet
		m.place()
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.retheme()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.retheme()
	case tea.ResumeMsg:
		cmd = m.onResume()
	case tea.MouseClickMsg:
		cmd = m.clicked(msg.Mouse())
	case tea.MouseWheelMsg:
		cmd = m.wheeled(msg.Mouse())
	case savedMsg:
		m.onSaved(msg)
	case probeMsg:
		cmd = m.sendProbe()
	case probeOverMsg:
		m.probeOver()
	case tea.CursorPositionMsg:
		m.onProbe(msg.X)
	case captionMsg:
		m.onCaption(msg)
	case stoodMsg:
		m.onStood(msg)
	case scene.Reply:
		if then, wanted := msg.Take(); wanted {
			m.stale = true
			cmd = m.carry(then)
		}
	}
	m.redraw()
	if len(m.pending) > 0 {
		cmd, m.pending = tea.Batch(append(m.pending, cmd)...), nil
	}
	return m, cmd
}

func (m *model) onResize(msg tea.WindowSizeMsg) {
	if msg.Width == m.lay.Screen.W && msg.Height == m.lay.Screen.H {
		return
	}
	m.lay = m.layout(msg.Width, msg.Height)
	m.stale = true
}

// onResume is after ctrl-z and fg: another program may have changed the background meanwhile.
func (m *model) onResume() tea.Cmd {
	m.stale = true
	if m.opt.Themes.FollowsBackground(m.kind) {
		return tea.RequestBackgroundColor
	}
	return nil
}

func (m *model) onState(msg stateMsg) {
	if msg.run != m.run || msg.state == nil || msg.state == m.live {
		return
	}
	m.live = msg.state
	m.found.tell(msg.state, msg.report)
	m.restand()
	m.stale = m.stale || m.view != keys.Fleet
	m.wantBytes()
	m.wantProperties()
	if m.ui.form != nil {
		m.ui.form.LookAnew()
	}
}

// pressed gives a key to what is in front: help, palette, dialog, form, a filter that is typed, or the view.
func (m *model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	m.stale = true
	defer m.wantBytes()
	defer m.wantProperties()
	m.ui.message = ""
	key, place := msg.String(), m.front()
	var what keys.ID
	if b := keys.Lookup(m.keys, place, key, m.there); b != nil {
		if off := m.off(b); off != "" {
			m.ui.message = b.Shown() + " is off: " + off + "."
			return nil
		}
		what = b.Do
	}
	switch {
	case what == keys.DoQuit:
		return tea.Quit
	case what == keys.DoSuspend:
		return tea.Suspend
	case place == keys.Help:
		m.pressedInHelp(what)
	case place == keys.Palette:
		return m.pressedInPalette(what, msg.Text)
	case m.ui.dialog != nil:
		return m.carry(m.ui.dialog.Press(what, msg.Text))
	case what == keys.DoHelp:
		m.ui.help, m.ui.page = true, 0
	case m.ui.form != nil:
		return m.carry(m.ui.form.Press(what, msg.Text))
	case place == keys.Filter:
		return m.typed(what, msg)
	case what != "":
		return m.handle(what)
	}
	return nil
}

// do does what a key would, if it can be done now.
func (m *model) do(what keys.ID) tea.Cmd {
	for i := range m.keys {
		if b := &m.keys[i]; b.Do == what && b.WorksIn(m.view) && m.there(b) && m.off(b) == "" {
			return m.handle(what)
		}
	}
	return nil
}

// pressedInHelp turns its page, or closes it.
func (m *model) pressedInHelp(what keys.ID) {
	if m.ui.page+1 < m.ui.pages && what != keys.DoBack {
		m.ui.page++
		return
	}
	m.ui.help = false
}

// typed takes a key into the filter. What is no text leaves it as it is typed, and does what it does in the view.
func (m *model) typed(what keys.ID, msg tea.KeyPressMsg) tea.Cmd {
	f := &m.panes().Filter
	switch {
	case what == keys.DoOpen:
		f.Typing = false
	case what == keys.DoBack:
		*f = ui.Filter{}
	case f.Press(ui.Edit(what)):
	case msg.Text != "":
		f.Add(msg.Text)
	default:
		if keys.Lookup(m.keys, m.view, msg.String(), m.there) != nil {
			f.Typing = false
			return m.pressed(msg)
		}
	}
	return nil
}

// pasted takes a text where one is typed.
func (m *model) pasted(msg tea.PasteMsg) tea.Cmd {
	m.stale = true
	text := strings.TrimSpace(msg.Content)
	switch {
	case m.ui.dialog != nil:
		m.ui.dialog.Paste(text)
	case m.ui.form != nil:
		return m.carry(m.ui.form.Paste(msg.Content))
	case m.ui.palette.open:
		m.ui.palette.add(text)
		m.offer()
	case m.panes().Filter.Typing:
		m.panes().Filter.Add(text)
	}
	return nil
}
