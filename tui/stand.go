package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
)

// shown is the State on the screen: the newest, or the past one that is stood on.
func (m *model) shown() *group.State {
	if m.past != nil {
		return m.past
	}
	return m.live
}

// follow shows the newest round, and those to come.
func (m *model) follow() { m.past, m.standSeq = nil, 0 }

// stand shows the moment of round i. Standing on the newest is following.
func (m *model) stand(i int) {
	last := len(m.live.Rounds) - 1
	i = min(max(i, 0), last)
	if i == last {
		m.follow()
		return
	}
	if m.past == nil {
		m.lastSeen = m.live.Rounds[last].Seq
	}
	m.past, m.standSeq, m.standRound = m.live.Stand(i), m.live.Rounds[i].Seq, m.live.Rounds[i]
}

// at is the index of the round shown in the newest list of rounds.
func (m *model) at() int {
	if m.past == nil {
		return len(m.live.Rounds) - 1
	}
	i, _ := slices.BinarySearchFunc(m.live.Rounds, m.standSeq, func(r *group.Round, seq int) int { return r.Seq - seq })
	return i
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
	if m.past == nil {
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
