package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// toggleMouse: with the mouse on, the terminal no longer selects text by itself (but with shift held in most).
func toggleMouse(m *model) tea.Cmd {
	m.ui.mouse = !m.ui.mouse
	m.ui.message = "mouse off: the terminal selects text again"
	if m.ui.mouse {
		m.ui.message = "mouse on: click selects, a second click opens, the wheel scrolls; text is selected with shift"
	}
	return nil
}

func inside(r cell.Rect, x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// clicked gives a click to what was drawn there: a tab, or a line of a pane.
func (m *model) clicked(msg tea.Mouse) tea.Cmd {
	if !m.ui.mouse || msg.Button != tea.MouseLeft {
		return nil
	}
	m.stale = true
	m.ui.message = ""
	switch {
	case m.ui.help:
		m.ui.help = false
		return nil
	case m.ui.palette.open:
		m.ui.palette.open = false
		return nil
	}
	if msg.Y == 0 {
		for _, t := range m.ui.tabs {
			if msg.X >= t.From && msg.X < t.To {
				return showTab(m, t.ID)
			}
		}
		return nil
	}
	z := m.zoneAt(msg.X, msg.Y)
	if z == nil {
		return nil
	}
	was := m.panes().Focus
	m.panes().Focus = z.Pane
	if z.Cursor < 0 {
		return nil
	}
	switch by := msg.Y - z.Cursor; {
	case by != 0:
		return m.move(by)
	case was == z.Pane:
		return m.do(keys.DoOpen)
	}
	return nil
}

// wheeled scrolls the pane under the pointer.
func (m *model) wheeled(msg tea.Mouse) tea.Cmd {
	z := m.zoneAt(msg.X, msg.Y)
	if !m.ui.mouse || z == nil || m.ui.help || m.ui.palette.open {
		return nil
	}
	m.stale = true
	m.panes().Focus = z.Pane
	lines := 3
	if z.Pane == scene.PaneRounds { // stepping changes all that is shown
		lines = 1
	}
	switch msg.Button {
	case tea.MouseWheelUp:
		return m.move(-lines)
	case tea.MouseWheelDown:
		return m.move(lines)
	}
	return nil
}

func (m *model) zoneAt(x, y int) *scene.Zone {
	i := slices.IndexFunc(m.panes().Zones, func(z scene.Zone) bool { return inside(z.Rect, x, y) })
	if i < 0 {
		return nil
	}
	return &m.panes().Zones[i]
}

func nothingToCopy(m *model) string {
	if m.focused() == "" {
		return "the cursor is on nothing"
	}
	return ""
}

// copyFocused puts what the cursor is on into the clipboard of whoever sits at the terminal, by OSC 52: it works over ssh.
func copyFocused(m *model) tea.Cmd {
	text := m.focused()
	first, rest, more := strings.Cut(text, "\n")
	m.ui.message = "copied: " + cell.End(ui.Printable(first), 60)
	if more {
		m.ui.message += ", and " + words.Plural(strings.Count(rest, "\n")+1, "more line")
	}
	return tea.SetClipboard(text)
}

// focused is what the cursor is on as text that is worth pasting: an id, a URL, a unit, a finding.
func (m *model) focused() string {
	s := m.scene()
	if m.view != keys.Fleet && s.State == nil {
		return ""
	}
	return m.views[m.view].Text(s)
}
