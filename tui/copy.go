package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

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
