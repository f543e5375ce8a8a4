package tui

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
	if m.view == viewFleet && len(m.fleetOrder()) == 0 {
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

// Whether a hint is worth a place.

func standing(m *model) bool     { return m.past != nil }
func canAct(m *model) bool       { return m.opt.Acts != nil }
func canEnd(m *model) bool       { return nothingToEnd(m) == "" }
func cannotEnd(m *model) bool    { return !canEnd(m) }
func onFleet(m *model) bool      { return m.view == viewFleet }
func onLive(m *model) bool       { return m.view == viewLive }
func hasTrail(m *model) bool     { return len(m.ui.trail) > 0 }
func opensRound(m *model) bool   { return m.view == viewLive && m.ui.focus == paneRounds }
func opensNoRound(m *model) bool { return !opensRound(m) }
func hasPanes(m *model) bool     { return len(m.ui.panes) > 1 }
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
