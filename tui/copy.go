package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/tui/cell"
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
	m.ui.message = "copied: " + cell.End(printable(first), 60)
	if more {
		m.ui.message += ", and " + plural(strings.Count(rest, "\n")+1, "more line")
	}
	return tea.SetClipboard(text)
}

// focused is what the cursor is on as text that is worth pasting: an id, a URL, a unit, a finding.
func (m *model) focused() string {
	s := m.scene()
	if m.view != viewFleet && s.state == nil {
		return ""
	}
	return m.views[m.view].text(s)
}

// roundText is the round shown, with the story of its episode.
func (s *scene) roundText() string {
	r, prev := s.round()
	if r == nil {
		return ""
	}
	text := "round " + generation(r) + " " + when(r.At) + " " + longWhy(r, prev)
	if story := s.live.Story(min(s.state.At, s.live.At)); story != "" {
		text += "\n" + story
	}
	return text
}

// workersText are the ids and URLs of the workers.
func (s *scene) workersText() string {
	urls := make([]string, 0, len(s.state.Workers))
	for i := range s.state.Workers {
		urls = append(urls, s.state.Workers[i].ID+" "+s.state.Workers[i].URL)
	}
	return strings.Join(urls, "\n")
}
