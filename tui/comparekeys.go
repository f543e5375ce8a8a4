package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/lab/compare"
)

// compareKey is a key of the comparison: what it does, and what footer and help say of it.
type compareKey struct {
	keys       []string
	shown      string
	hint, help string
	keep       int // the smallest leave the footer first
	do         func(m *compareModel) tea.Cmd
}

var compareKeys = []compareKey{
	{[]string{"space", "p"}, "space", "play", "play, or stand still", 9, func(m *compareModel) tea.Cmd {
		if m.playing {
			m.pause()
			return nil
		}
		return m.play()
	}},
	{[]string{"right", "l", "n"}, "← →", "round", "to the next round of any group, or to the one before", 8, func(m *compareModel) tea.Cmd { m.step(1); return nil }},
	{[]string{"left", "h"}, "", "", "", 0, func(m *compareModel) tea.Cmd { m.step(-1); return nil }},
	{[]string{"+", "="}, "+ -", "speed", "faster, slower", 7, func(m *compareModel) tea.Cmd { m.speed = min(m.speed*2, mostSpeed); return nil }},
	{[]string{"-"}, "", "", "", 0, func(m *compareModel) tea.Cmd { m.speed = max(m.speed/2, 1); return nil }},
	{[]string{"end", "G"}, "end", "all", "to the end; home: to the beginning", 5, func(m *compareModel) tea.Cmd { m.pause(); m.at = m.c.Span; return nil }},
	{[]string{"home", "g"}, "", "", "", 0, func(m *compareModel) tea.Cmd { m.pause(); m.at = 0; return nil }},
	{[]string{"d"}, "d", "delay", "another delay: 0, 8 s, 20 s, 1 min, 5 min", 4, func(m *compareModel) tea.Cmd {
		return m.again(func(o *compare.Options) { o.Delay = after(compareDelays, o.Delay) })
	}},
	{[]string{"w"}, "w", "workers", "another number of workers: 1 to 20", 3, func(m *compareModel) tea.Cmd {
		return m.again(func(o *compare.Options) { o.Workers = after(compareWorkers, o.Workers) })
	}},
	{[]string{"o"}, "o", "modes", "other modes: eager, cooperative, proposed, 2.3", 6, func(m *compareModel) tea.Cmd {
		return m.again(func(o *compare.Options) { o.Modes = otherModes(o.Modes) })
	}},
	{[]string{"s"}, "s", "seed", "another seed: other member ids, so other ties, and heartbeats", 2, func(m *compareModel) tea.Cmd {
		return m.again(func(o *compare.Options) { o.Seed++ })
	}},
	{[]string{"?"}, "?", "help", "this help", 10, func(m *compareModel) tea.Cmd { m.help = !m.help; return nil }},
	{[]string{"q", "ctrl+c"}, "q", "quit", "quit", 11, func(*compareModel) tea.Cmd { return tea.Quit }},
}

var (
	compareDelays  = []time.Duration{0, 8 * time.Second, 20 * time.Second, time.Minute, 5 * time.Minute}
	compareWorkers = []int{1, 2, 3, 4, 6, 10, 20}
)

// after is the next larger of a list, or its first.
func after[T int | time.Duration](of []T, now T) T {
	for _, n := range of {
		if n > now {
			return n
		}
	}
	return of[0]
}

// modeSets are the modes that a key steps through.
var modeSets = [][]string{{"eager", "cooperative"}, {"eager", "cooperative", "proposed"}, {"cooperative", "proposed"}, {"cooperative", "2.3"}, {"eager", "cooperative", "proposed", "2.3"}}

func otherModes(now []compare.Mode) []compare.Mode {
	var names []string
	for _, m := range now {
		names = append(names, m.Name)
	}
	at := slices.IndexFunc(modeSets, func(set []string) bool { return slices.Equal(set, names) })
	next, err := compare.FindModes(modeSets[(at+1)%len(modeSets)])
	if err != nil {
		return now
	}
	return next
}

// press does what a key means.
func (m *compareModel) press(key string) tea.Cmd {
	m.message, m.stale = "", true
	if m.help && key != "q" && key != "ctrl+c" {
		m.help = false
		return nil
	}
	for _, k := range compareKeys {
		if slices.Contains(k.keys, key) {
			return k.do(m)
		}
	}
	return nil
}
