package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
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
	s := m.shown()
	switch {
	case m.view == viewFleet:
		groups := m.fleetOrder()
		if i := m.ui.list(paneGroups).cursor; i < len(groups) {
			return groups[i].Group
		}
		return ""
	case s == nil:
		return ""
	case m.view == viewDoctor:
		return m.findingText()
	case m.view == viewEvents:
		if e := m.selectedEvent(); e != nil {
			return when(e.At) + " " + eventSource(e) + " " + e.Text
		}
		return ""
	case m.view == viewUnit && m.ui.unit != nil:
		return m.unitText(s)
	case m.view == viewLive && m.ui.focus == paneWorkers, m.view == viewRound && m.ui.focus != paneFlow:
		var urls []string
		for i := range s.Workers {
			urls = append(urls, s.Workers[i].ID+" "+s.Workers[i].URL)
		}
		return strings.Join(urls, "\n")
	}
	if u, ok := m.ui.at[m.ui.focus].(group.Unit); ok {
		return u.String()
	}
	return m.roundText(s)
}

func (m *model) roundText(s *group.State) string {
	r := s.Round()
	if r == nil {
		return ""
	}
	text := "round " + generation(r) + " " + when(r.At) + " " + longWhy(r, before(s.Rounds, s.At))
	if story := m.live.Story(min(s.At, m.live.At)); story != "" {
		text += "\n" + story
	}
	return text
}

func (m *model) unitText(s *group.State) string {
	text := m.ui.unit.String()
	if i, ok := s.Find(*m.ui.unit); ok && s.Units[i].Trace != "" {
		text += "\n" + s.Units[i].Trace
	}
	return text
}

func (m *model) findingText() string {
	f := m.selectedFinding()
	if f == nil {
		return ""
	}
	lines := []string{f.ID + ": " + f.Title}
	if f.Why != "" {
		lines = append(lines, f.Why)
	}
	for _, e := range f.Evidence {
		lines = append(lines, strings.TrimSpace(when(e.At)+" "+string(e.Source)+": "+e.Text))
	}
	return strings.Join(append(lines, f.Next...), "\n")
}
