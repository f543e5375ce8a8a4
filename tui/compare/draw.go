package compare

import (
	"fmt"
	"strings"
	"time"

	"regroup/internal/lab/compare"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// draw makes the grid anew.
func (m *Model) draw() {
	m.grid.Reset(m.w, m.h, m.opt.ASCII)
	screen := m.grid.Bounds()
	if screen.Empty() {
		return
	}
	s := &scene.Scene{Grid: m.grid, Panes: &scene.Panes{}}
	if m.w < 60 || m.h < 15 {
		l := s.Line(screen, 0)
		l.Gap(1).Sentence(ui.Text, m.c.Headline())
		l = s.Line(screen, 1)
		l.Gap(1).Sentence(ui.Muted, scene.Needs(m.w, m.h))
		return
	}
	m.drawHead(s, screen)
	body := cell.Rect{X: 1, Y: 4, W: m.w - 2, H: m.h - 6}
	switch {
	case m.h < 24:
		body.Y, body.H = 3, m.h-4
	case m.h == 24: // all sums just fit
		body.Y, body.H = 3, m.h-5
	}
	m.drawBody(s, body)
	m.drawFoot(s, cell.Rect{X: 1, Y: m.h - 1, W: m.w - 2, H: 1})
	if m.help {
		s.Restyle(theme.Behind.Plain())
		m.drawHelp(s)
	}
}

func (m *Model) drawHead(s *scene.Scene, screen cell.Rect) {
	l := s.Line(screen.Columns(1, screen.W-2), 0)
	note := "simulated  "
	if m.busy {
		note = "working …  "
	}
	now := words.Countdown(m.at.Round(time.Second)) + " of " + words.Countdown(m.c.Span.Round(time.Second))
	if left := screen.W - 2 - cell.Width(note) - cell.Width(now); left > 30 {
		l.Text(ui.Muted, "regroup ▸ compare ▸ ").Text(ui.Strong, cell.Middle(m.c.Name, left-22))
	}
	l.FromRight(cell.Width(note)+cell.Width(now)).Text(theme.Past.Plain(), note).Text(ui.Strong, now)

	l = s.Line(screen, 1)
	l.Ground(theme.BandPast).Gap(1).Text(theme.OnChip.On(theme.ChipPast).Bold(), " COMPARE ").Gap(2)
	headline, rest := headlineIn(m.c.Headline(), l.Left())
	l.Sentence(ui.Strong, headline)
	l = s.Line(screen.Columns(1, screen.W-2), 2)
	switch {
	case m.message != "":
		l.Sentence(theme.Delayed.Plain(), m.message)
		return
	case rest != "":
		l.Sentence(ui.Strong, rest)
		return
	}
	about := m.c.Options.Line()
	if m.c.About != "" && cell.Width(m.c.About)+cell.Width(about)+3 <= l.Left() {
		l.Text(ui.Muted, m.c.About+" · ")
	}
	l.Sentence(ui.Muted, about)
}

// headlineIn is what of a headline a row has room for: all of it, its first sentence, or as many words of that as fit and the rest,
// which is worth more than what the groups are like.
func headlineIn(headline string, width int) (row, rest string) {
	if cell.Width(headline) <= width {
		return headline, ""
	}
	first, _, more := strings.Cut(headline, ". ")
	if more {
		first += "."
	}
	lines := cell.Wrap(first, width)
	if len(lines) == 0 {
		return "", ""
	}
	return lines[0], strings.Join(lines[1:], " ")
}

// sumRows is what the sums need: a title, the modes, six lines, and a blank one before.
const sumRows = 9

// drawBody draws the strips, the sums with the reasons, and the moment. Strips are as high as leaves room for the sums, if that
// can be; else the sums show what fits.
func (m *Model) drawBody(s *scene.Scene, r cell.Rect) {
	moment := len(m.c.Runs) + 2
	rows, gap := 1, 0
	for _, want := range [][2]int{{3, 1}, {2, 1}, {2, 0}, {1, 0}} {
		if rows, gap = want[0], want[1]; 2+len(m.c.Runs)*(1+rows+gap)+sumRows+moment <= r.H {
			break
		}
	}
	y := m.drawStrips(s, r, rows, gap) + 1
	legend := r.H-y-moment > sumRows+2
	if legend {
		moment++
		drawCompareLegend(s, r.Rows(r.H-1, 1).Columns(stripLeft, r.W-stripLeft))
	}
	if sums := r.Rows(y, r.H-y-moment); sums.H >= 3 {
		m.drawSums(s, sums)
		y += sums.H
	} else {
		y--
	}
	m.drawMoment(s, r.Rows(y+1, r.H-y-1))
}

// stripLeft is where the strips begin.
const stripLeft = 13

// drawCompareLegend says what the marks over the strips mean.
func drawCompareLegend(s *scene.Scene, r cell.Rect) {
	l := s.Line(r, 0)
	for _, mark := range compare.Legend {
		if cell.Width(mark.Means)+5 > l.Left() {
			return
		}
		l.Rune(markToken(mark.Glyph).Plain(), mark.Glyph, 1).Gap(1).Text(ui.Muted, mark.Means).Gap(3)
	}
}

// drawStrips draws the running units of all modes on one time axis and says how many rows that took.
func (m *Model) drawStrips(s *scene.Scene, r cell.Rect, rows, gap int) int {
	const left = stripLeft
	columns := r.W - left
	most := m.c.Most()
	s.Title(r.Rows(0, 1), "Running units of "+words.Thousands(most), "", "worst moment of each "+words.Short(m.c.Span/time.Duration(columns)), false)
	axis := r.Rows(1, 1).Columns(left, columns)
	for _, t := range compare.Ticks(m.c.Span, columns/11) {
		x := m.column(t.At, columns)
		if x+1+cell.Width(t.Label) > columns {
			continue
		}
		l := s.Line(axis, 0)
		l.At(x).Text(ui.Faint, "│").Text(ui.Muted, t.Label)
	}
	y := 2
	for _, run := range m.c.Runs {
		l := s.Line(r, y)
		l.Words(ui.Bold, run.Mode.Name, left)
		for _, g := range run.Marks(m.c.Span, columns, m.at) {
			l.Rune(markToken(g).Plain(), g, 1)
		}
		running, of := run.Running(m.c.Span, columns, m.at)
		for row, cells := range compare.Area(running, of, most, rows) {
			y++
			l := s.Line(r, y)
			switch row {
			case 0:
				l.Number(ui.Muted, words.Thousands(most), left-1)
			case rows - 1:
				l.Number(ui.Muted, "0", left-1)
			}
			l.At(left)
			for x, g := range cells {
				l.Rune(areaToken(running[x], of[x]).Plain(), g, 1)
			}
			if m.at < m.c.Span && l.Left() > 0 {
				l.Rune(ui.Faint, '│', 1)
			}
		}
		y += 1 + gap
	}
	return y - gap
}

func (m *Model) column(at time.Duration, columns int) int {
	if m.c.Span <= 0 {
		return 0
	}
	return min(int(at*time.Duration(columns)/m.c.Span), columns-1)
}

// areaToken: what is less than all is told by its height, and by colour where nothing runs.
func areaToken(running, of int) theme.Token {
	if running < of && running*2 < of {
		return theme.Stopped
	}
	return theme.Running
}

func markToken(g rune) theme.Token {
	switch g {
	case '◆', '▼':
		return theme.Stopped
	case '▲':
		return theme.Started
	case '░':
		return theme.Delayed
	}
	return theme.Muted
}

// drawMoment tells the newest round of each mode at the moment shown.
func (m *Model) drawMoment(s *scene.Scene, r cell.Rect) {
	if r.Empty() {
		return
	}
	name := fmt.Sprintf("At %s", words.Countdown(m.at.Round(time.Second)))
	if do := m.c.Runs[0].Done(m.at); do != "" {
		name += ", " + m.c.Runs[0].Mode.Name + ": " + do
	}
	s.Title(r.Rows(0, 1), name, "", "", false)
	strip := min(24, r.W/4)
	for y, run := range m.c.Runs {
		l := s.Line(r, y+1)
		l.Words(ui.Text, run.Mode.Name, 13)
		i := run.Latest(m.at)
		if i < 0 {
			none := "nothing yet"
			if m.at >= m.c.Span {
				none = "no round"
			}
			l.Text(ui.Muted, none)
			continue
		}
		round, prev := run.Rounds()[i], run.Before(i)
		l.Text(ui.Muted, words.Countdown(run.At(i).Round(time.Second))+" ").Rune(markToken(compare.Glyph(round, prev)).Plain(), compare.Glyph(round, prev), 1).Gap(1)
		from := l.Used()
		ui.DrawStrip(&l, label.RoundParts(round, prev), max(m.c.Most(), 1), strip)
		l.At(from+strip+2).Sentence(ui.Text, label.Causes(round, prev)+": "+run.Did(i))
	}
}

func (m *Model) drawFoot(s *scene.Scene, r cell.Rect) {
	var lines []keys.Line
	for i := range m.keys {
		b := m.keys[i]
		if !b.WorksIn(keys.Compare) || b.Hint == "" {
			continue
		}
		switch {
		case b.Do == keys.DoPlay && m.playing:
			b.Hint = "pause"
		case b.Do == keys.DoFaster:
			b.Hint = fmt.Sprintf("speed %d×", m.speed)
		}
		lines = append(lines, keys.Line{Binding: &b})
	}
	s.Lay.Class = scene.Medium
	if m.w < 100 {
		s.Lay.Class = scene.Narrow
	}
	keys.DrawHints(s.Grid, r, s.HintGap(), lines)
}

func (m *Model) drawHelp(s *scene.Scene) {
	var lines []keys.Binding
	for _, b := range m.keys {
		if b.WorksIn(keys.Compare) && b.Help != "" {
			lines = append(lines, b)
		}
	}
	w, h := min(m.w-4, 80), min(m.h-2, len(lines)+4)
	r := ui.DrawBox(s.Grid, cell.Rect{X: (m.w - w) / 2, Y: (m.h - h) / 2, W: w, H: h}, "Keys", "any key closes")
	for y, b := range lines {
		l := s.Line(r, y)
		l.Words(ui.Strong, keys.Words(b.Shown(), s.IsASCII()), 8).Sentence(ui.Text, b.Help)
	}
}
