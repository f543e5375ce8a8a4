package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/units"
)

// shown is the State on the screen: the newest, or the past one that is stood on.
func (m *model) shown() *group.State {
	if m.past != nil {
		return m.past
	}
	return m.live
}

// follow shows the newest round, and those to come.
func (m *model) follow() { m.past, m.standSeq, m.way = nil, 0, nil }

// manyToStand is from how many units on a past moment is worked out beside the screen: it takes longer than a key may.
const manyToStand = 20_000

// goingTo is the round that one is on the way to while its moment is worked out.
type goingTo struct{ seq int }

// stoodMsg is a past moment that was worked out, and what the doctor says of it.
type stoodMsg struct {
	group  string
	round  *group.Round
	state  *group.State
	report doctor.Report
}

// stand shows the moment of round i. Standing on the newest is following.
func (m *model) stand(i int) {
	last := len(m.live.Rounds) - 1
	i = min(max(i, 0), last)
	if i == last {
		m.follow()
		return
	}
	if m.past == nil && m.way == nil {
		m.lastSeen = m.live.Rounds[last].Seq
	}
	if len(m.live.Units) >= manyToStand {
		m.setOut(i)
		return
	}
	m.past, m.standSeq, m.standRound = m.live.Stand(i), m.live.Rounds[i].Seq, m.live.Rounds[i]
}

// setOut works the moment of round i out beside the screen; one at a time, however often a key repeats.
func (m *model) setOut(i int) {
	m.way = &goingTo{m.live.Rounds[i].Seq}
	if m.walking {
		return
	}
	m.walking = true
	live, o := m.live, doctor.Options{Passed: m.recorded()}
	m.begin(func() tea.Msg {
		s := live.Stand(i)
		return stoodMsg{live.Group, live.Rounds[i], s, doctor.Examine(s, o)}
	})
}

// onStood takes a moment that was worked out, and goes on where another is wanted by now.
func (m *model) onStood(msg stoodMsg) {
	m.walking = false
	if m.way == nil || m.live == nil || msg.group != m.live.Group {
		return // somebody follows again, or has opened another group
	}
	m.past, m.standSeq, m.standRound, m.stale = msg.state, msg.round.Seq, msg.round, true
	m.found.past, m.found.then = msg.state, &msg.report
	if m.way.seq == msg.round.Seq {
		m.way = nil
		m.restand()
		m.wantBytes()
		return
	}
	m.setOut(m.index(m.way.seq))
}

// begin has something done beside the screen, whose message comes when it is.
func (m *model) begin(work tea.Cmd) { m.pending = append(m.pending, work) }

// at is the index of the round shown in the newest list of rounds, or of the one that one is on the way to.
func (m *model) at() int {
	switch {
	case m.way != nil:
		return m.index(m.way.seq)
	case m.past == nil:
		return len(m.live.Rounds) - 1
	}
	return m.index(m.standSeq)
}

func (m *model) index(seq int) int {
	i, _ := group.FindRound(m.live.Rounds, seq)
	return min(i, len(m.live.Rounds)-1)
}

// newer counts the rounds that came while one stood on a past round.
func (m *model) newer() int {
	if m.past == nil || m.live == nil {
		return 0
	}
	return m.live.Rounds[len(m.live.Rounds)-1].Seq - m.lastSeen
}

// restand keeps the feet on the same round when a newer State has come: the past only changes if that round was issued again,
// but it must know of the rounds that followed.
func (m *model) restand() {
	if m.past == nil || m.way != nil {
		return
	}
	i := m.at()
	if i >= len(m.live.Rounds) || i == len(m.live.Rounds)-1 {
		m.follow()
		return
	}
	if len(m.live.Rounds) != len(m.past.Rounds) || m.live.Rounds[i] != m.standRound {
		m.stand(i) // where the ring has dropped that round, the oldest one left
	}
}

func (m *model) step(by int) tea.Cmd {
	if m.live != nil && len(m.live.Rounds) > 0 {
		m.stand(min(max(m.at()+by, 0), len(m.live.Rounds)-1))
	}
	return nil
}

// stepEpisode goes to the first round of the episode before or after.
func (m *model) stepEpisode(by int) tea.Cmd {
	if m.live == nil || len(m.live.Rounds) == 0 {
		return nil
	}
	rounds, i := m.live.Rounds, m.at()
	first := func(i int) bool { return i == 0 || rounds[i].EpisodeSeq != rounds[i-1].EpisodeSeq }
	for i += by; i > 0 && i < len(rounds)-1 && !first(i); {
		i += by
	}
	return m.step(min(max(i, 0), len(rounds)-1) - m.at())
}

// place opens the group where the first list that holds any has one alone, and nobody has pressed a key.
func (m *model) place() {
	if m.placed || m.fleet == nil || m.fleet.Trouble() != "" || len(m.fleet.Groups)+len(m.fleet.NotShown) == 0 {
		return
	}
	m.placed = true
	if m.view == keys.Fleet && m.group == "" && len(m.fleet.Groups) == 1 && len(m.fleet.NotShown) == 0 {
		m.open(m.fleet.Groups[0].Group)
		m.show(keys.Live)
	}
}

// showFleet goes to the list of groups, with the one that is open selected.
func showFleet(m *model) tea.Cmd {
	if m.view == keys.Fleet {
		return nil
	}
	m.show(keys.Fleet)
	if i := slices.IndexFunc(m.groups(), func(g *observe.FleetGroup) bool { return g.Group == m.group }); i >= 0 {
		m.views[keys.Fleet].State().List(scene.PaneGroups).Cursor = i
	}
	return nil
}

// openUnit shows the whole story of one unit.
func (m *model) openUnit(u group.Unit) {
	unit := m.views[keys.Unit].(*units.Unit)
	if m.ui.unit == nil || *m.ui.unit != u {
		unit.Begin()
	}
	unit.Focus = scene.PaneTrace
	m.ui.unit = &u
	m.enter(keys.Unit)
}

// listFrom goes to the list of units, onto one of them.
func (m *model) listFrom(u group.Unit) {
	m.views[keys.Units].(*units.List).GoTo(u)
	m.enter(keys.Units)
}

// standOn stands on the round of a number, if it is still in the ring.
func (m *model) standOn(seq int) {
	if i, found := group.FindRound(m.live.Rounds, seq); found {
		m.stand(i)
	}
}
