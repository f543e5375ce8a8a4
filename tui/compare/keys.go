package compare

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/lab/compare"
	"regroup/tui/keys"
)

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
func (m *Model) press(key string) tea.Cmd {
	m.message, m.stale = "", true
	b := keys.Lookup(m.keys, keys.Compare, key, func(*keys.Binding) bool { return true })
	if m.help && (b == nil || b.Do != keys.DoQuit) {
		m.help = false
		return nil
	}
	if b == nil {
		return nil
	}
	switch b.Do {
	case keys.DoPlay:
		if !m.playing {
			return m.play()
		}
		m.pause()
	case keys.DoAfter:
		m.step(1)
	case keys.DoBefore:
		m.step(-1)
	case keys.DoFaster:
		m.speed = min(m.speed*2, mostSpeed)
	case keys.DoSlower:
		m.speed = max(m.speed/2, 1)
	case keys.DoBottom:
		m.pause()
		m.at = m.c.Span
	case keys.DoTop:
		m.pause()
		m.at = 0
	case keys.DoDelay:
		return m.again(func(o *compare.Options) { o.Delay = after(compareDelays, o.Delay) })
	case keys.DoWorkers:
		return m.again(func(o *compare.Options) { o.Workers = after(compareWorkers, o.Workers) })
	case keys.DoModes:
		return m.again(func(o *compare.Options) { o.Modes = otherModes(o.Modes) })
	case keys.DoSeed:
		return m.again(func(o *compare.Options) { o.Seed++ })
	case keys.DoHelp:
		m.help = true
	case keys.DoQuit:
		return tea.Quit
	case keys.DoSuspend:
		return tea.Suspend
	}
	return nil
}
