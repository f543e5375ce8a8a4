package tui

import (
	"slices"

	"regroup/group"
)

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
	if m.view == viewFleet && len(m.groups()) == 0 {
		return "there is no group to open"
	}
	if m.view != viewFleet && m.group == "" {
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
	if m.view == viewLive {
		return noUnitsPane(m)
	}
	return ""
}

func noUnitsPane(m *model) string {
	if m.view == viewLive && m.lay.class < classMedium {
		return "units need 100 columns"
	}
	return ""
}

// noEager is why rounds cannot be shown as eager: the live view alone has the strips that it changes.
func noEager(m *model) string {
	if m.view != viewLive {
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

// Whether a hint is worth a place.

func standing(m *model) bool     { return m.past != nil }
func canAct(m *model) bool       { return m.opt.Acts != nil }
func canEnd(m *model) bool       { return nothingToEnd(m) == "" }
func cannotEnd(m *model) bool    { return !canEnd(m) }
func onFleet(m *model) bool      { return m.view == viewFleet }
func asEager(m *model) bool      { return m.ui.eager }
func asItWas(m *model) bool      { return !m.ui.eager }
func onLive(m *model) bool       { return m.view == viewLive }
func hasTrail(m *model) bool     { return len(m.ui.trail) > 0 }
func opensRound(m *model) bool   { return m.view == viewLive && m.panes().focus == paneRounds }
func opensNoRound(m *model) bool { return !opensRound(m) }
func hasPanes(m *model) bool     { return len(m.panes().drawn) > 1 }
func onUnit(m *model) bool       { return m.view == viewUnit && canAct(m) }

func nothingToOpen(m *model) string {
	if m.view == viewFleet {
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
