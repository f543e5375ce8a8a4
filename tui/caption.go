package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Tour is a story that plays by itself on what is watched, and says in captions what is to be seen.
type Tour struct {
	// Play tells the story, in the manner of Options.Source.
	Play func(ctx context.Context, publish func(*Caption)) error
	// Pause holds the story up, or lets it go on; Next goes to the next step at once. Neither blocks.
	Pause, Next func()
}

// Caption is what stands below the view until the next one.
type Caption struct {
	Text     string
	Step, Of int // from 1
	Paused   bool
	Done     bool // the story is over
}

type captionMsg struct{ caption *Caption }

func (sh *shell) playTour(ctx context.Context) error {
	box := newMailbox[Caption]()
	sh.spawn("screen", func(ctx context.Context) error {
		box.pump(ctx, sh.drew, func(c *Caption) { sh.program.Send(captionMsg{c}) })
		return nil
	})
	return sh.opt.Tour.Play(ctx, box.put)
}

func (m *model) onCaption(msg captionMsg) {
	m.caption = msg.caption
	m.lay = m.layout(m.lay.Screen.W, m.lay.Screen.H)
	m.stale = true
}

// layout is that of the size, with room for a caption where there is one.
func (m *model) layout(w, h int) scene.Layout {
	l := scene.NewLayout(w, h)
	if m.caption == nil || l.Class == scene.Small {
		return l
	}
	rows := 2
	switch l.Class {
	case scene.Narrow:
		rows = 4
	case scene.Slim:
		rows = 3
	}
	bottom := l.Body.Y + l.Body.H
	l.Caption = cell.Rect{Y: bottom - rows, W: w, H: rows}
	l.Body.H -= rows
	return l
}

// touring says whether a story plays.
func (m *model) touring() bool { return m.opt.Tour != nil && m.caption != nil && !m.caption.Done }

// tourSteps says whether → goes on in the story. Whoever stands in the past, or in a view with columns, moves with it as ever.
func tourSteps(m *model) bool { return tourPlays(m) && m.past == nil && m.view != keys.Matrix }

// tourPlays says whether space and n are the story's: not while something is typed.
func tourPlays(m *model) bool { return m.touring() && !m.panes().Filter.Typing }

func pauseTour(m *model) tea.Cmd { m.opt.Tour.Pause(); return nil }
func nextInTour(m *model) tea.Cmd {
	m.opt.Tour.Next()
	return nil
}

// drawCaption is the rows below the view: which step, and what is to be seen.
func drawCaption(s *scene.Scene, c *Caption) {
	r := s.Lay.Caption
	if c == nil || r.Empty() {
		return
	}
	chip := " " + strconv.Itoa(c.Step) + "/" + strconv.Itoa(c.Of) + " "
	if c.Paused {
		chip = " paused "
	}
	const left = 11 // as wide as the chips
	lines := cell.Wrap(ui.Printable(c.Text), r.W-left-1)
	if len(lines) > r.H {
		lines[r.H-1] = cell.End(lines[r.H-1]+" "+lines[r.H], r.W-left-1)
	}
	for i := range r.H {
		l := s.Line(r, i)
		l.Ground(theme.BandPast)
		if i == 0 {
			l.Gap(1).Text(theme.OnChip.On(theme.ChipPast).Bold(), chip)
		}
		if i < len(lines) {
			l.At(left).Sentence(ui.Strong, lines[i])
		}
	}
}
