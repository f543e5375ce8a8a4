// Package compare is the screen on which groups of several modes go through one exercise side by side, played in their own time.
//
// It knows a comparison that the lab has played out. It must never know a real group, or the screen that watches one.
package compare

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/internal/lab/compare"
	"regroup/tui/keys"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Options say what is played, and how.
type Options struct {
	Comparison *compare.Comparison
	Theme      theme.Kind
	Themes     theme.Themes // the person's own
	ASCII      bool
	Keys       map[string][]string // the person's own
}

// Model is the tea.Model of a comparison that is played. Update alone changes it.
type Model struct {
	opt     Options
	keys    []keys.Binding
	c       *compare.Comparison
	turns   []time.Duration // when rounds come
	reasons []compare.Reason

	at      time.Duration // the moment shown
	playing bool
	speed   int // how many times faster than the group's own time
	beat    int // counts ticks that were asked for: an older one means nothing
	last    time.Time
	busy    bool // another comparison is being played out
	help    bool
	message string

	w, h    int
	dark    bool
	profile colorprofile.Profile
	theme   *theme.Theme
	grid    *cell.Grid
	stale   bool
	drawn   tea.View
}

// New begins to play a comparison.
func New(opt Options) *Model {
	m := &Model{opt: opt, keys: keys.Merge(opt.Keys), dark: true, profile: colorprofile.TrueColor, grid: cell.New(0, 0, opt.ASCII), stale: true}
	m.take(opt.Comparison)
	m.retheme()
	return m
}

// playFor is about how long a whole comparison plays at the speed that it begins with.
const playFor = 20 * time.Second

// take shows a comparison from its beginning.
func (m *Model) take(c *compare.Comparison) {
	m.c, m.turns, m.reasons, m.at, m.stale = c, c.Turns(), c.Explain(), 0, true
	m.speed = 1
	for time.Duration(m.speed)*playFor < c.Span && m.speed < mostSpeed {
		m.speed *= 2
	}
}

const mostSpeed = 4096

func (m *Model) retheme() {
	m.theme, m.stale = m.opt.Themes.New(m.opt.Theme, m.dark, m.profile), true
}

// Init begins to play.
func (m *Model) Init() tea.Cmd {
	play := m.play()
	if m.opt.Themes.FollowsBackground(m.opt.Theme) {
		return tea.Batch(play, tea.RequestBackgroundColor)
	}
	return play
}

// beatMsg is a tick of the clock while a comparison plays.
type beatMsg struct {
	n  int
	at time.Time
}

// playedMsg is another comparison, or why there is none.
type playedMsg struct {
	c   *compare.Comparison
	err error
}

// Update takes a message in.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h, m.stale = msg.Width, msg.Height, true
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.retheme()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.retheme()
	case beatMsg:
		cmd := m.tick(msg)
		return m, cmd
	case playedMsg:
		cmd := m.played(msg)
		return m, cmd
	case tea.KeyPressMsg:
		cmd := m.press(msg.String())
		return m, cmd
	}
	return m, nil
}

// played shows the comparison that was asked for.
func (m *Model) played(msg playedMsg) tea.Cmd {
	m.busy, m.stale = false, true
	if msg.err != nil {
		m.message = msg.err.Error()
		return nil
	}
	m.take(msg.c)
	return m.play()
}

// tick goes on by as much time as has passed, at the speed set.
func (m *Model) tick(msg beatMsg) tea.Cmd {
	if msg.n != m.beat || !m.playing {
		return nil
	}
	if !m.last.IsZero() {
		m.at += msg.at.Sub(m.last) * time.Duration(m.speed)
	}
	m.last, m.stale = msg.at, true
	if m.at >= m.c.Span {
		m.at, m.playing = m.c.Span, false
		return nil
	}
	return m.nextBeat()
}

func (m *Model) nextBeat() tea.Cmd {
	m.beat++
	n := m.beat
	return tea.Tick(time.Second/ui.FramesPerSecond, func(at time.Time) tea.Msg { return beatMsg{n, at} })
}

// play begins at the beginning when all was shown.
func (m *Model) play() tea.Cmd {
	if m.at >= m.c.Span {
		m.at = 0
	}
	m.playing, m.last, m.stale = true, time.Time{}, true
	return m.nextBeat()
}

func (m *Model) pause() { m.playing, m.stale = false, true }

// step goes to the next moment at which a round comes, or the one before.
func (m *Model) step(by int) {
	m.pause()
	i, there := slices.BinarySearch(m.turns, m.at)
	switch {
	case by > 0 && there:
		i++
	case by < 0:
		i--
	}
	switch {
	case i < 0:
		m.at = 0
	case i >= len(m.turns):
		m.at = m.c.Span
	default:
		m.at = m.turns[i]
	}
}

// again plays the exercise out with other settings, beside the screen.
func (m *Model) again(change func(*compare.Options)) tea.Cmd {
	if m.busy {
		return nil
	}
	o := m.c.Options
	change(&o)
	m.busy, m.playing = true, false
	return func() tea.Msg {
		c, err := compare.Play(o)
		return playedMsg{c, err}
	}
}

// View gives what was drawn last, unless something changed.
func (m *Model) View() tea.View {
	if m.stale {
		m.draw()
		m.stale = false
		m.drawn = tea.NewView(m.grid.String(m.theme))
		m.drawn.AltScreen = true
		m.drawn.WindowTitle = "regroup: " + ui.Printable(m.c.Name)
	}
	return m.drawn
}
