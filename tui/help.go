package tui

import (
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// sign is one line of the help's right column: what is drawn, and what it means.
type sign struct {
	token theme.Token
	drawn string
	means string
}

var marks = []sign{
	{theme.Running, "■", "running, kept"},
	{theme.Started, "▲", "starting, started"},
	{theme.Stopped, "▼", "stopping, stopped"},
	{theme.Stopped, "◆", "stopped and started again"},
	{theme.Stopped, "○", "released"},
	{theme.Delayed, "░", "delayed"},
	{theme.Wrong, "x", "unassigned"},
	{theme.Wrong, "!", "failed, or a finding"},
	{theme.Wrong, "&", "duplicated"},
	{theme.Delayed, "@", "orphaned claim"},
	{theme.Muted, "p s", "paused, stopped"},
	{theme.Muted, "?", "unknown"},
}

var signs = []sign{
	{theme.Delayed, "▌", "changed in the last round"},
	{theme.Muted, "▎", "changed a while ago"},
	{theme.Muted, "┌└", "rounds of one episode"},
	{theme.Text, "c 0 1", "the connector, its tasks"},
}

// helpBlock is a heading with its lines.
type helpBlock struct {
	title    string
	keyWidth int
	lines    []helpLine
}

type helpLine struct {
	style  theme.Style
	left   string
	right  string
	reason string
}

// drawHelp is made from the key table, so it cannot say what is not so.
func drawHelp(s *scene, version string) {
	columns := helpColumns(s)
	rows := 0
	for _, c := range columns {
		n := -1
		for _, b := range c {
			n += 2 + len(b.lines)
			for _, l := range b.lines {
				if l.reason != "" {
					n++
				}
			}
		}
		rows = max(rows, n)
	}
	screen := s.lay.screen
	width, height := min(110, screen.W-2), min(rows+6, screen.H)
	top := min(3, (screen.H-height)/2)
	box := cell.Rect{X: (screen.W - width) / 2, Y: top, W: width, H: height}
	inner := s.box(box, "Help", string(s.view)+" view · any key closes")
	if foot := inner.Rows(inner.H-1, 1); version != "" && inner.H > rows+2 {
		l := s.Line(foot, 0)
		l.Ground(theme.Dialog).Sentence(muted, "regroup "+version)
	}
	each := inner.W / len(columns)
	for i, c := range columns {
		drawHelpColumn(s, inner.Columns(i*each, each-1), c)
	}
}

// helpColumns lays the blocks out in as many columns as fit: the keys, then the marks. Where there is room for two the marks
// come last and are cut last.
func helpColumns(s *scene) [][]helpBlock {
	blocks := map[keyGroup]*helpBlock{}
	for _, g := range []keyGroup{keysViews, keysMove, keysLook} {
		blocks[g] = &helpBlock{title: string(g), keyWidth: 11}
	}
	for _, k := range s.keys(false) {
		line := helpLine{style: theme.Strong.Bold(), left: k.shownLong(), right: k.help}
		if k.off != "" {
			line.style, line.reason = muted, "off: "+k.off
		}
		b := blocks[k.group]
		b.lines = append(b.lines, line)
	}
	lines := func(title string, signs []sign) helpBlock {
		b := helpBlock{title: title, keyWidth: 7}
		for _, m := range signs {
			b.lines = append(b.lines, helpLine{style: m.token.Bold(), left: m.drawn, right: m.means})
		}
		return b
	}
	views, move, look := *blocks[keysViews], *blocks[keysMove], *blocks[keysLook]
	marks, signs := lines("Marks", marks), lines("Signs", signs)
	switch {
	case s.lay.class < classMedium && s.lay.screen.H < 34:
		return [][]helpBlock{{move, views}, {look}, {marks}}
	case s.lay.class < classMedium:
		return [][]helpBlock{{views, move, look}, {marks, signs}}
	}
	return [][]helpBlock{{views, move}, {look}, {marks, signs}}
}

func drawHelpColumn(s *scene, r cell.Rect, blocks []helpBlock) {
	row := 0
	for _, b := range blocks {
		keyWidth := b.keyWidth
		l := s.Line(r, row)
		l.Text(theme.Strong.On(theme.Dialog).Bold(), b.title)
		row++
		for _, line := range b.lines {
			l = s.Line(r, row)
			style := theme.Text.On(theme.Dialog)
			if line.reason != "" {
				style = theme.Muted.On(theme.Dialog)
			}
			l.Words(line.style.On(theme.Dialog), line.left, keyWidth).Sentence(style, line.right)
			row++
			if line.reason != "" {
				l = s.Line(r, row)
				l.Gap(keyWidth).Sentence(style, line.reason)
				row++
			}
		}
		row++
	}
}

// box draws a dialog's frame with one column of air around it, and gives what is inside.
func (s *scene) box(r cell.Rect, title, note string) cell.Rect {
	s.Fill(cell.Rect{X: max(r.X-1, 0), Y: r.Y, W: r.W + 2, H: r.H}, text)
	s.Fill(r, theme.Text.On(theme.Dialog))
	line := theme.Muted.On(theme.Dialog)
	l := s.Line(r, 0)
	l.Rune(line, '┌', 1).Rune(line, '─', 1).Text(theme.Strong.On(theme.Dialog).Bold(), " "+title+" ")
	rest := l.Left() - 1
	if w := cell.Width(note); note != "" && rest > w+4 {
		l.Rune(line, '─', rest-w-3).Text(line, " "+note+" ").Rune(line, '─', 1)
	} else {
		l.Rune(line, '─', rest)
	}
	l.Rune(line, '┐', 1)
	for y := 1; y < r.H-1; y++ {
		l = s.Line(r, y)
		l.Rune(line, '│', 1).FromRight(1).Rune(line, '│', 1)
	}
	l = s.Line(r, r.H-1)
	l.Rune(line, '└', 1).Rune(line, '─', r.W-2).Rune(line, '┘', 1)
	return cell.Rect{X: r.X + 4, Y: r.Y + 2, W: r.W - 7, H: r.H - 3}
}
