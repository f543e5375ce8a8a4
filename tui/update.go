package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/group/doctor"
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
type fleetMsg struct{ fleet *scene.Fleet }

// Update routes a message by its type. What it does not know changes nothing.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resized(msg)
	case tea.KeyPressMsg:
		m.placed = true
		cmd = m.pressed(msg)
	case tea.PasteMsg:
		m.pasted(msg)
	case stateMsg:
		m.arrived(msg)
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
		cmd = m.resumed()
	case tea.MouseClickMsg:
		cmd = m.clicked(msg.Mouse())
	case tea.MouseWheelMsg:
		cmd = m.wheeled(msg.Mouse())
	case savedMsg:
		m.saved(msg)
	case probeMsg:
		cmd = m.sendProbe()
	case probeOverMsg:
		m.probeOver()
	case tea.CursorPositionMsg:
		m.probed(msg.X)
	case captionMsg:
		m.captioned(msg)
	case stoodMsg:
		m.stood(msg)
	case bytesMsg:
		m.arrivedBytes(msg)
	case probedMsg:
		m.probedOffers(msg)
	case readyMsg:
		m.readied(msg)
	case actingMsg:
		m.acted(msg)
	case propertiesMsg:
		m.arrivedProperties(msg)
	case openedMsg:
		cmd = m.opened(msg)
	case lookedMsg:
		m.looked(msg)
	case draftReadyMsg:
		m.draftReadied(msg)
	case loadedMsg:
		m.loadedDraft(msg)
	case editedMsg:
		m.edited(msg)
	}
	m.redraw()
	if len(m.pending) > 0 {
		cmd, m.pending = tea.Batch(append(m.pending, cmd)...), nil
	}
	return m, cmd
}

func (m *model) resized(msg tea.WindowSizeMsg) {
	if msg.Width == m.lay.Screen.W && msg.Height == m.lay.Screen.H {
		return
	}
	m.lay = m.layout(msg.Width, msg.Height)
	m.stale = true
}

// resumed is after ctrl-z and fg: another program may have changed the background meanwhile.
func (m *model) resumed() tea.Cmd {
	m.stale = true
	if m.kind == "auto" {
		return tea.RequestBackgroundColor
	}
	return nil
}

func (m *model) arrived(msg stateMsg) {
	if msg.run != m.run || msg.state == nil || msg.state == m.live {
		return
	}
	m.live = msg.state
	m.found.tell(msg.state, msg.report)
	m.restand()
	m.stale = m.stale || m.view != keys.Fleet
	m.wantBytes()
	m.wantProperties()
	m.lookAnew()
}

// pressed gives a key to what is in front: a dialog, a filter that is typed, or the key table.
func (m *model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	m.stale = true
	defer m.wantBytes()
	defer m.wantProperties()
	m.ui.message = ""
	key := msg.String()
	if m.ui.help {
		return m.pressedInHelp(key)
	}
	if m.ui.palette.open {
		return m.pressedInPalette(key, msg.Text)
	}
	if m.ui.dialog != nil {
		return m.pressedInDialog(key, msg.Text)
	}
	if m.ui.draft != nil {
		return m.pressedInDraft(key, msg.Text)
	}
	if m.panes().Filter.Typing {
		return m.typed(key, msg.Text)
	}
	b := m.binding(key)
	if b == nil {
		return nil
	}
	if off := m.off(b); off != "" {
		m.ui.message = b.Keys[0] + " is off: " + off + "."
		return nil
	}
	return m.handle(b.Do)
}

// do does what a key would, if it can be done now.
func (m *model) do(what keys.ID) tea.Cmd {
	for i := range m.keys {
		if b := &m.keys[i]; b.Do == what && m.there(b) && m.off(b) == "" {
			return m.handle(what)
		}
	}
	return nil
}

// pressedInHelp turns its page or closes it; what quits still quits.
func (m *model) pressedInHelp(key string) tea.Cmd {
	if b := m.binding(key); b != nil && (b.Do == keys.DoQuit || b.Do == keys.DoSuspend) && key != "q" {
		return m.handle(b.Do)
	}
	if m.ui.page+1 < m.ui.pages && key != "esc" && key != "q" {
		m.ui.page++
		return nil
	}
	m.ui.help = false
	return nil
}

// typed takes a key into the filter. Arrows and tab leave it typed and do what they always do.
func (m *model) typed(key, text string) tea.Cmd {
	f := &m.panes().Filter
	switch key {
	case "enter":
		f.Typing = false
	case "esc":
		*f = ui.Filter{}
	case "backspace":
		f.Backspace()
	case "ctrl+u":
		f.Text = ""
	case "up", "down", "left", "right", "tab", "ctrl+c", "ctrl+z", "pgup", "pgdown":
		if b := m.binding(key); b != nil {
			f.Typing = false
			return m.handle(b.Do)
		}
	default:
		f.Add(text)
	}
	return nil
}

func (m *model) pasted(msg tea.PasteMsg) {
	if m.ui.dialog != nil {
		m.pastedInDialog(strings.TrimSpace(msg.Content))
		return
	}
	if m.ui.draft != nil {
		m.pastedInDraft(strings.Trim(msg.Content, "\r\n"))
		return
	}
	if m.ui.palette.open {
		m.ui.palette.add(strings.TrimSpace(msg.Content))
		m.offer()
		m.stale = true
		return
	}
	if m.panes().Filter.Typing {
		m.panes().Filter.Add(strings.TrimSpace(msg.Content))
		m.stale = true
	}
}

// binding finds what a key does in the view that is open.
func (m *model) binding(key string) *keys.Binding {
	for i := range m.keys {
		if b := &m.keys[i]; m.there(b) && slices.Contains(b.Keys, key) {
			return b
		}
	}
	return nil
}
