package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"regroup/tui/ui/theme"
)

// A terminal may draw the glyphs of this program two columns wide: East Asian ambiguous ones, under CJK settings. Then
// nothing would stand where it should. So it is asked: a few glyphs are printed and the cursor's position requested. They are
// printed into the alternate screen once it is up, and all of it is drawn again at once, whether an answer comes or not.
const (
	probeGlyphs = "■░━"
	probeAfter  = 150 * time.Millisecond // the first frames are out, so the alternate screen is up
	probeWait   = 2 * time.Second        // then the locale decides
)

// probeMsg asks the terminal; probeOverMsg gives up waiting.
type (
	probeMsg     struct{}
	probeOverMsg struct{}
)

type probing uint8

const (
	notProbed probing = iota
	probeSent
	probeDone
)

// probe begins to find out, unless glyphs are not wanted anyway or there is no terminal of our own to ask.
func (m *model) probe() tea.Cmd {
	if m.opt.ASCII || m.opt.NoProbe {
		m.probing = probeDone
		return nil
	}
	return tea.Tick(probeAfter, func(time.Time) tea.Msg { return probeMsg{} })
}

func (m *model) sendProbe() tea.Cmd {
	if m.probing != notProbed {
		return nil
	}
	m.probing = probeSent
	probe := ansi.SaveCursor + ansi.CursorHomePosition + probeGlyphs + ansi.RequestCursorPositionReport + ansi.RestoreCursor
	return tea.Batch(
		tea.Sequence(tea.Raw(probe), tea.ClearScreen),
		tea.Tick(probeWait, func(time.Time) tea.Msg { return probeOverMsg{} }),
	)
}

// onProbe takes the answer: the column after the glyphs.
func (m *model) onProbe(column int) {
	if m.probing != probeSent {
		return
	}
	m.probing = probeDone
	if column > len([]rune(probeGlyphs)) {
		m.useASCII("this terminal draws the glyphs two columns wide: ASCII is used")
	}
}

// probeOver lets the locale decide.
func (m *model) probeOver() {
	if m.probing != probeSent {
		return
	}
	m.probing = probeDone
	if theme.WantsASCII(m.getenv) {
		m.useASCII("the locale draws the glyphs two columns wide: ASCII is used")
	}
}

func (m *model) useASCII(why string) {
	m.opt.ASCII, m.stale = true, true
	m.ui.message = why
}

func (m *model) getenv(name string) string {
	for _, e := range m.environ {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}
