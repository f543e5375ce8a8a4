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
		doOpen:          func(m *model) tea.Cmd { return m.carry(m.views[m.view].open(m.scene())) },
		doEager:         func(m *model) tea.Cmd { m.ui.eager = !m.ui.eager; return nil },
		doFilter:        beginFilter,
		doLook:          toggleLook,
		doConfigure:     onConnector("configure"),
		doRestart:       onConnector("restart what failed"),
		doTheme:         nextTheme,
		doBack:          goBack,
		doSort:          func(m *model) tea.Cmd { m.panes().sort++; return nil },
		doLess:          func(m *model) tea.Cmd { m.panes().less = !m.panes().less; return nil },
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
	for _, own := range []handlerID{doColumnBefore, doColumnAfter, doWorker, doBytes, doPredict, doZoomIn, doZoomOut, doEarlier, doLater} {
		handlers[own] = func(m *model) tea.Cmd { return m.carry(m.views[m.view].press(m.scene(), own)) }
	}
	for _, t := range tabs {
		handlers[showing(t.id)] = func(m *model) tea.Cmd { return showTab(m, t.id) }
	}
}

// farAway is further than any list is long.
const farAway = 1 << 30

// move goes by lines in the pane that has the focus. In the list of rounds, newest first, that is stepping.
func (m *model) move(by int) tea.Cmd {
	if m.panes().focus == paneRounds {
		return m.step(-by)
	}
	m.panes().list(m.panes().focus).move(by)
	return nil
}

func (m *model) page(by int) tea.Cmd {
	return m.move(by * max(m.panes().list(m.panes().focus).height-1, 1))
}

// nextPane gives the focus to another pane; where there is but one, to another view.
func (m *model) nextPane(by int) tea.Cmd {
	if hasPanes(m) {
		m.panes().next(by)
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
		m.carry(m.views[viewFleet].open(m.scene()))
	}
	if m.group != "" {
		m.show(v)
	}
	return nil
}

func beginFilter(m *model) tea.Cmd {
	if m.view == viewLive && m.panes().focus != paneWorkers {
		m.panes().focus = paneUnits
	}
	m.panes().filter.typing = true
	return nil
}

func toggleLook(m *model) tea.Cmd {
	if noUnitsPane(m) != "" { // the units have a view of their own
		m.enter(viewUnits)
		m.panes().filter = filter{text: onlyLook}
		return nil
	}
	if m.panes().filter.text == onlyLook {
		m.panes().filter = filter{}
		return nil
	}
	m.panes().filter = filter{text: onlyLook}
	if m.view == viewLive {
		m.panes().focus = paneUnits
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
	case m.panes().filter.on():
		m.panes().filter = filter{}
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
