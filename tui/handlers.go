package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
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

// conditions are those that keys depend on.
var conditions = map[keys.Condition]func(*model) bool{
	keys.TourPlays:    tourPlays,
	keys.TourSteps:    tourSteps,
	keys.TourStays:    func(m *model) bool { return !tourSteps(m) },
	keys.Standing:     func(m *model) bool { return m.past != nil },
	keys.HasPanes:     hasPanes,
	keys.OnFleet:      func(m *model) bool { return m.view == keys.Fleet },
	keys.OpensRound:   opensRound,
	keys.OpensNoRound: func(m *model) bool { return !opensRound(m) },
	keys.AsEager:      func(m *model) bool { return m.ui.eager },
	keys.AsItWas:      func(m *model) bool { return !m.ui.eager },
	keys.OnLive:       func(m *model) bool { return m.view == keys.Live },
	keys.CanEnd:       func(m *model) bool { return nothingToEnd(m) == "" },
	keys.CannotEnd:    func(m *model) bool { return nothingToEnd(m) != "" },
	keys.CanAct:       func(m *model) bool { return m.opt.Acts != nil },
	keys.OnUnit:       func(m *model) bool { return m.view == keys.Unit && m.opt.Acts != nil },
	keys.CanLoad:      func(m *model) bool { return noFile(m) == "" },
	keys.HasTrail:     func(m *model) bool { return len(m.ui.trail) > 0 },
}

func hasPanes(m *model) bool   { return len(m.panes().Drawn) > 1 }
func opensRound(m *model) bool { return m.view == keys.Live && m.panes().Focus == scene.PaneRounds }

// reasons say why a key does not work; "": it does.
var reasons map[keys.Reason]func(*model) string

func init() { // not a literal: why nothing can be done is asked of the menu, which has the keys
	reasons = map[keys.Reason]func(*model) string{
		keys.NoRounds:      noRounds,
		keys.IsFollowing:   isFollowing,
		keys.NothingToOpen: nothingToOpen,
		keys.NoGroup:       noGroup,
		keys.NoBytes:       noBytes,
		keys.NothingComes:  nothingComes,
		keys.NoEager:       noEager,
		keys.NoFilter:      noFilter,
		keys.NothingToCopy: nothingToCopy,
		keys.NothingToSave: nothingToSave,
		keys.CannotAct:     cannotAct,
		keys.NoConnector:   noConnector,
		keys.NothingFailed: nothingFailed,
		keys.NoFleet:       noFleet,
		keys.NoEditor:      noEditor,
		keys.NoFile:        noFile,
	}
}

// there reports whether a key is in force now, where it is at all, whether or not it can do what it is for.
func (m *model) there(b *keys.Binding) bool { return b.Only == "" || conditions[b.Only](m) }

// off is why a key does not work now; "": it does.
func (m *model) off(b *keys.Binding) string {
	if b.Off == "" {
		return ""
	}
	return reasons[b.Off](m)
}

// Why a key cannot work now.

func noRounds(m *model) string {
	if m.live == nil || len(m.live.Rounds) == 0 {
		return "no round is known yet"
	}
	return ""
}

func isFollowing(m *model) string {
	if m.past == nil {
		return "this is the newest round"
	}
	return ""
}

func noGroup(m *model) string {
	if m.view == keys.Fleet && len(m.groups()) == 0 {
		return "there is no group to open"
	}
	if m.view != keys.Fleet && m.group == "" {
		return "no group is open"
	}
	return ""
}

func noFleet(m *model) string {
	if !m.hasFleet() {
		return "only this group is watched"
	}
	return ""
}

func noFilter(m *model) string {
	if m.view == keys.Live {
		return noUnitsPane(m)
	}
	return ""
}

func noUnitsPane(m *model) string {
	if m.view == keys.Live && m.lay.Class < scene.Medium {
		return "units need 100 columns"
	}
	return ""
}

// noEager is why rounds cannot be shown as eager: the live view alone has the strips that it changes.
func noEager(m *model) string {
	if m.view != keys.Live {
		return "the live view alone shows it"
	}
	return noRounds(m)
}

func noBytes(m *model) string {
	if s := m.shown(); s != nil && s.Round() != nil && s.Round().Empty() {
		return "nobody was in this round"
	}
	return noRounds(m)
}

// nothingFailed is why there is nothing to restart of the connector that is selected.
func nothingFailed(m *model) string {
	if off := noConnector(m); off != "" {
		return off
	}
	name := connectorOf(m.selected())
	if slices.ContainsFunc(m.live.Units, func(u group.UnitState) bool {
		return u.Unit.Connector == name && u.State == group.UnitFailed
	}) {
		return ""
	}
	return "nothing of it has failed"
}

func nothingToOpen(m *model) string {
	if m.view == keys.Fleet {
		return noGroup(m)
	}
	return ""
}

func nothingComes(m *model) string {
	if s := m.shown(); s != nil {
		if coming, _ := s.Coming(); len(coming) > 0 {
			return ""
		}
	}
	return "no round comes by itself"
}
