package tui

import (
	"slices"

	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

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
