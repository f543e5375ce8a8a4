package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
)

// handlers do what the key table names, but for what a view does itself.
var handlers map[keys.ID]func(*model) tea.Cmd

func init() { // not a literal: help's handler and the table refer to each other
	handlers = map[keys.ID]func(*model) tea.Cmd{
		keys.DoBefore:        func(m *model) tea.Cmd { return m.step(-1) },
		keys.DoAfter:         func(m *model) tea.Cmd { return m.step(+1) },
		keys.DoEpisodeBefore: func(m *model) tea.Cmd { return m.stepEpisode(-1) },
		keys.DoEpisodeAfter:  func(m *model) tea.Cmd { return m.stepEpisode(+1) },
		keys.DoFollow:        func(m *model) tea.Cmd { m.follow(); return nil },
		keys.DoUp:            func(m *model) tea.Cmd { return m.move(-1) },
		keys.DoDown:          func(m *model) tea.Cmd { return m.move(+1) },
		keys.DoPageUp:        func(m *model) tea.Cmd { return m.page(-1) },
		keys.DoPageDown:      func(m *model) tea.Cmd { return m.page(+1) },
		keys.DoTop:           func(m *model) tea.Cmd { return m.move(-ui.FarAway) },
		keys.DoBottom:        func(m *model) tea.Cmd { return m.move(+ui.FarAway) },
		keys.DoNextPane:      func(m *model) tea.Cmd { return m.nextPane(+1) },
		keys.DoPaneBefore:    func(m *model) tea.Cmd { return m.nextPane(-1) },
		keys.DoOpen:          func(m *model) tea.Cmd { return m.carry(m.views[m.view].Open(m.scene())) },
		keys.DoEager:         func(m *model) tea.Cmd { m.ui.eager = !m.ui.eager; return nil },
		keys.DoFilter:        beginFilter,
		keys.DoLook:          toggleLook,
		keys.DoConfigure:     onConnector("configure"),
		keys.DoRestart:       onConnector("restart what failed"),
		keys.DoTheme:         nextTheme,
		keys.DoBack:          goBack,
		keys.DoSort:          func(m *model) tea.Cmd { m.panes().Sort++; return nil },
		keys.DoLess:          func(m *model) tea.Cmd { m.panes().Less = !m.panes().Less; return nil },
		keys.DoFleet:         showFleet,
		keys.DoPalette:       openPalette,
		keys.DoSave:          func(m *model) tea.Cmd { return m.save("") },
		keys.DoCopy:          copyFocused,
		keys.DoMouse:         toggleMouse,
		keys.DoAct:           beginAct,
		keys.DoPause:         pauseTour,
		keys.DoNext:          nextInTour,
	}
	for _, t := range tabs {
		handlers[keys.Show(t.id)] = func(m *model) tea.Cmd { return showTab(m, t.id) }
	}
}

// handle does what a key is for: the root, or else the view that is open.
func (m *model) handle(what keys.ID) tea.Cmd {
	if own, ok := handlers[what]; ok {
		return own(m)
	}
	return m.carry(m.views[m.view].Press(m.scene(), what))
}

// move goes by lines in the pane that has the focus. In the list of rounds, newest first, that is stepping.
func (m *model) move(by int) tea.Cmd {
	if m.panes().Focus == scene.PaneRounds {
		return m.step(-by)
	}
	m.panes().List(m.panes().Focus).Move(by)
	return nil
}

func (m *model) page(by int) tea.Cmd {
	return m.move(by * max(m.panes().List(m.panes().Focus).Height-1, 1))
}

// nextPane gives the focus to another pane; where there is but one, to another view.
func (m *model) nextPane(by int) tea.Cmd {
	if hasPanes(m) {
		m.panes().Next(by)
		return nil
	}
	i := slices.IndexFunc(tabs, func(t tab) bool { return t.id == tabOf(m.view) })
	if i >= 0 {
		m.show(tabs[(i+by+len(tabs))%len(tabs)].id)
	}
	return nil
}

// showTab goes to a view of the group; from the fleet, of the one under the cursor.
func showTab(m *model, v keys.View) tea.Cmd {
	if m.view == keys.Fleet { // of the group that is selected there
		m.carry(m.views[keys.Fleet].Open(m.scene()))
	}
	if m.group != "" {
		m.show(v)
	}
	return nil
}

func beginFilter(m *model) tea.Cmd {
	if m.view == keys.Live && m.panes().Focus != scene.PaneWorkers {
		m.panes().Focus = scene.PaneUnits
	}
	m.panes().Filter.Typing = true
	return nil
}

func toggleLook(m *model) tea.Cmd {
	if noUnitsPane(m) != "" { // the units have a view of their own
		m.enter(keys.Units)
		m.panes().Filter = ui.FilterBy(ui.OnlyLook)
		return nil
	}
	if m.panes().Filter.String() == ui.OnlyLook {
		m.panes().Filter = ui.Filter{}
		return nil
	}
	m.panes().Filter = ui.FilterBy(ui.OnlyLook)
	if m.view == keys.Live {
		m.panes().Focus = scene.PaneUnits
	}
	return nil
}

func nextTheme(m *model) tea.Cmd {
	kinds := m.opt.Themes.Kinds()
	cmd := m.useTheme(kinds[(slices.Index(kinds, m.kind)+1)%len(kinds)])
	m.ui.message = "theme: " + string(m.kind)
	return cmd
}

// useTheme shows another theme; one that goes by the background asks for that.
func (m *model) useTheme(kind theme.Kind) tea.Cmd {
	m.kind = kind
	m.retheme()
	if m.opt.Themes.FollowsBackground(kind) {
		return tea.RequestBackgroundColor
	}
	return nil
}

// goBack undoes one thing: a filter, then what enter opened, then standing in the past, then the group.
func goBack(m *model) tea.Cmd {
	switch {
	case m.panes().Filter.On():
		m.panes().Filter = ui.Filter{}
	case len(m.ui.trail) > 0:
		v := m.ui.trail[len(m.ui.trail)-1]
		m.ui.trail = m.ui.trail[:len(m.ui.trail)-1]
		m.turnTo(v)
	case m.past != nil && m.view != keys.Fleet:
		m.follow()
	case m.view != keys.Fleet && m.hasFleet():
		m.show(keys.Fleet)
	}
	return nil
}
