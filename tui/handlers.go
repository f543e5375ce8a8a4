package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/tui/theme"
)

// handlers do what the key table names.
var handlers map[handlerID]func(*model) tea.Cmd

func init() { // not a literal: help's handler and the table refer to each other
	handlers = map[handlerID]func(*model) tea.Cmd{
		doBefore:        func(m *model) tea.Cmd { return m.step(-1) },
		doAfter:         func(m *model) tea.Cmd { return m.step(+1) },
		doEpisodeBefore: func(m *model) tea.Cmd { return m.stepEpisode(-1) },
		doEpisodeAfter:  func(m *model) tea.Cmd { return m.stepEpisode(+1) },
		doFollow:        func(m *model) tea.Cmd { m.follow(); return nil },
		doUp:            func(m *model) tea.Cmd { return m.move(-1) },
		doDown:          func(m *model) tea.Cmd { return m.move(+1) },
		doPageUp:        func(m *model) tea.Cmd { return m.page(-1) },
		doPageDown:      func(m *model) tea.Cmd { return m.page(+1) },
		doTop:           func(m *model) tea.Cmd { return m.move(-farAway) },
		doBottom:        func(m *model) tea.Cmd { return m.move(+farAway) },
		doNextPane:      func(m *model) tea.Cmd { m.ui.next(+1); return nil },
		doPaneBefore:    func(m *model) tea.Cmd { m.ui.next(-1); return nil },
		doOpen:          openGroup,
		doEager:         func(m *model) tea.Cmd { m.ui.eager = !m.ui.eager; return nil },
		doFilter:        beginFilter,
		doLook:          toggleLook,
		doTheme:         nextTheme,
		doBack:          goBack,
		doLive:          showLive,
		doFleet:         func(m *model) tea.Cmd { m.show(viewFleet); return nil },
		doHelp:          func(m *model) tea.Cmd { m.ui.help, m.ui.page = true, 0; return nil },
		doQuit:          func(*model) tea.Cmd { return tea.Quit },
		doSuspend:       func(*model) tea.Cmd { return tea.Suspend },
	}
}

// farAway is further than any list is long.
const farAway = 1 << 30

// move goes by lines in the pane that has the focus. In the list of rounds, newest first, that is stepping.
func (m *model) move(by int) tea.Cmd {
	switch m.ui.focus {
	case paneRounds:
		return m.step(-by)
	case paneGroups:
		l := m.ui.list(paneGroups)
		l.cursor = min(max(l.cursor+by, 0), max(l.rows-1, 0))
	default:
		m.ui.list(m.ui.focus).scroll(by)
	}
	return nil
}

func (m *model) page(by int) tea.Cmd {
	return m.move(by * max(m.ui.list(m.ui.focus).height-1, 1))
}

func openGroup(m *model) tea.Cmd {
	groups := m.fleetOrder()
	if i := m.ui.list(paneGroups).cursor; i < len(groups) {
		m.open(groups[i].Group)
		m.show(viewLive)
	}
	return nil
}

func showLive(m *model) tea.Cmd {
	if m.view == viewFleet && m.group == "" {
		return openGroup(m)
	}
	m.show(viewLive)
	return nil
}

func beginFilter(m *model) tea.Cmd {
	if m.view == viewLive && m.ui.focus != paneWorkers {
		m.ui.focus = paneUnits
	}
	m.ui.filter.typing = true
	return nil
}

func toggleLook(m *model) tea.Cmd {
	if m.ui.filter.text == onlyLook {
		m.ui.filter = filter{}
	} else {
		m.ui.filter = filter{text: onlyLook}
		m.ui.focus = paneUnits
	}
	return nil
}

func nextTheme(m *model) tea.Cmd {
	i := slices.Index(theme.Kinds, m.kind)
	m.kind = theme.Kinds[(i+1)%len(theme.Kinds)]
	m.retheme()
	m.ui.message = "theme: " + string(m.kind)
	if m.kind == theme.Auto {
		return tea.RequestBackgroundColor
	}
	return nil
}

// goBack undoes one thing: a filter, then standing in the past, then the group.
func goBack(m *model) tea.Cmd {
	switch {
	case m.ui.filter.on():
		m.ui.filter = filter{}
	case m.past != nil && m.view != viewFleet:
		m.follow()
	case m.view != viewFleet && m.hasFleet():
		m.show(viewFleet)
	}
	return nil
}
