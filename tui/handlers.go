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
		doNextPane:      func(m *model) tea.Cmd { return m.nextPane(+1) },
		doPaneBefore:    func(m *model) tea.Cmd { return m.nextPane(-1) },
		doOpen:          open,
		doEager:         func(m *model) tea.Cmd { m.ui.eager = !m.ui.eager; return nil },
		doFilter:        beginFilter,
		doLook:          toggleLook,
		doConfigure:     onConnector("configure"),
		doRestart:       onConnector("restart what failed"),
		doTheme:         nextTheme,
		doBack:          goBack,
		doColumnBefore:  func(m *model) tea.Cmd { return m.moveAcross(-1) },
		doColumnAfter:   func(m *model) tea.Cmd { return m.moveAcross(+1) },
		doSort:          func(m *model) tea.Cmd { m.ui.sorts[m.view]++; m.order = nil; return nil },
		doLess:          func(m *model) tea.Cmd { m.ui.less[m.view] = !m.ui.less[m.view]; return nil },
		doWorker:        func(m *model) tea.Cmd { m.ui.worker++; return nil },
		doBytes:         nextBytes,
		doPredict:       func(m *model) tea.Cmd { m.ui.predict = !m.ui.predict; return nil },
		doZoomIn:        zoom(+1),
		doZoomOut:       zoom(-1),
		doEarlier:       pan(-1),
		doLater:         pan(+1),
		doFleet:         showFleet,
		doPalette:       openPalette,
		doSave:          func(m *model) tea.Cmd { return m.save("") },
		doCopy:          copyFocused,
		doMouse:         toggleMouse,
		doAct:           beginAct,
		doHelp:          func(m *model) tea.Cmd { m.ui.help, m.ui.page = true, 0; return nil },
		doQuit:          func(*model) tea.Cmd { return tea.Quit },
		doSuspend:       func(*model) tea.Cmd { return tea.Suspend },
		doPause:         pauseTour,
		doNext:          nextInTour,
	}
	for _, t := range tabs {
		handlers[showing(t.id)] = func(m *model) tea.Cmd { return showTab(m, t.id) }
	}
}

// farAway is further than any list is long.
const farAway = 1 << 30

// move goes by lines in the pane that has the focus. In the list of rounds, newest first, that is stepping.
func (m *model) move(by int) tea.Cmd {
	l := m.ui.list(m.ui.focus)
	switch {
	case m.ui.focus == paneRounds:
		return m.step(-by)
	case slices.Contains(pointed, m.ui.focus):
		l.cursor, l.moved, l.placed = min(max(l.cursor+by, 0), max(l.rows-1, 0)), true, true
	default:
		l.scroll(by)
	}
	return nil
}

func (m *model) page(by int) tea.Cmd {
	return m.move(by * max(m.ui.list(m.ui.focus).height-1, 1))
}

// moveAcross goes to the next column of the matrix.
func (m *model) moveAcross(by int) tea.Cmd {
	l := &m.ui.across
	l.cursor, l.moved = min(max(l.cursor+by, 0), max(l.rows-1, 0)), true
	return nil
}

// nextPane gives the focus to another pane; where there is but one, to another view.
func (m *model) nextPane(by int) tea.Cmd {
	if hasPanes(m) {
		m.ui.next(by)
		return nil
	}
	i := slices.IndexFunc(tabs, func(t tab) bool { return t.id == tabOf(m.view) })
	if i >= 0 {
		m.show(tabs[(i+by+len(tabs))%len(tabs)].id)
	}
	return nil
}

// showTab goes to a view of the group; from the fleet, of the one under the cursor.
func showTab(m *model, v viewID) tea.Cmd {
	if m.view == viewFleet { // of the group that is selected there
		openGroup(m)
	}
	if m.group != "" {
		m.show(v)
	}
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
	if noUnitsPane(m) != "" { // the units have a view of their own
		m.enter(viewUnits)
		m.ui.filter = filter{text: onlyLook}
		return nil
	}
	if m.ui.filter.text == onlyLook {
		m.ui.filter = filter{}
		return nil
	}
	m.ui.filter = filter{text: onlyLook}
	if m.view == viewLive {
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

// goBack undoes one thing: a filter, then what enter opened, then standing in the past, then the group.
func goBack(m *model) tea.Cmd {
	switch {
	case m.ui.filter.on():
		m.ui.filter = filter{}
	case len(m.ui.trail) > 0:
		v := m.ui.trail[len(m.ui.trail)-1]
		m.ui.trail = m.ui.trail[:len(m.ui.trail)-1]
		m.turnTo(v)
	case m.past != nil && m.view != viewFleet:
		m.follow()
	case m.view != viewFleet && m.hasFleet():
		m.show(viewFleet)
	}
	return nil
}
