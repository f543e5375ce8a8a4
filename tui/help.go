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
	{theme.Text, "56-71", "known within a range"},
	{theme.Text, "56-71+", "still growing"},
	{theme.Text, "~60", "estimated"},
	{theme.Text, "WORD?", "likely, not certain"},
	{theme.Text, "c 0 1", "the connector, its tasks"},
	{theme.Text, "unit-s", "units × seconds down"},
}

// helpBlock is a heading with its lines. One that stands apart begins a column where there are several.
type helpBlock struct {
	lines []helpLine
	apart bool
}

// helpLine is a heading, or what is pressed or drawn and what it does or means.
type helpLine struct {
	title       string
	style       theme.Style
	left, right string
	width       int // of left
	muted       bool
}

// helpColumn is how wide a column of the help is.
const helpColumn = 34

// drawHelp is made from the key table, so it cannot say what is not so. Blocks flow into as many columns as there is room for,
// and over as many pages as they need.
func drawHelp(s *scene, version, broker string, page int) (at, all int) {
	screen := s.lay.screen
	width := min(3*helpColumn+8, screen.W-2)
	height := min(maxHelpHeight, screen.H)
	columns := max((width-7)/helpColumn, 1)
	pages := flow(helpBlocks(s), columns, height-4)
	height = min(height, longest(pages)+5)
	page = min(page, len(pages)-1)
	wide := helpColumn // a page of fewer columns has room for all that is said
	if used := len(pages[0]); used < columns {
		wide = (width - 7) / used
	}
	where := string(s.view) + " view"
	if s.form != "" {
		where = "form"
	}
	note := where + " · any key closes"
	if len(pages) > 1 {
		note = "page " + count(page+1) + " of " + count(len(pages)) + " · any key turns it · esc closes"
	}
	box := cell.Rect{X: (screen.W - width) / 2, Y: min(3, (screen.H-height)/2), W: width, H: height}
	title := "Help"
	if version != "" && screen.W >= 100 {
		title += " · regroup " + version
	}
	if broker != "" {
		title += " · " + broker
	}
	inner := s.box(box, title, note)
	for i, column := range pages[page] {
		r := inner.Columns(i*wide, wide-1)
		for row, line := range column {
			drawHelpLine(s, r, row, line)
		}
	}
	return page, len(pages)
}

// maxHelpHeight is what the longest column needs on a screen that has room.
const maxHelpHeight = 31

func longest(pages [][][]helpLine) int {
	n := 0
	for _, p := range pages {
		for _, c := range p {
			n = max(n, len(c))
		}
	}
	return n
}

// flow lays blocks out in columns of so many rows, and in pages of so many columns. A block that fits is never broken.
func flow(blocks []helpBlock, columns, rows int) [][][]helpLine {
	rows = max(rows, 3)
	var all [][]helpLine
	column := []helpLine{}
	for _, b := range blocks {
		if len(column) > 0 && len(column)+1+len(b.lines) > rows || b.apart && len(column) > 0 && columns > 2 {
			all, column = append(all, column), nil
		}
		if len(column) > 0 {
			column = append(column, helpLine{})
		}
		for _, line := range b.lines {
			if len(column) == rows {
				all, column = append(all, column), nil
			}
			column = append(column, line)
		}
	}
	all = append(all, column)
	var pages [][][]helpLine
	for i := 0; i < len(all); i += columns {
		pages = append(pages, all[i:min(i+columns, len(all))])
	}
	return pages
}

// helpBlocks are the keys of this view by their groups, then what is drawn and what it means.
func helpBlocks(s *scene) []helpBlock {
	var out []helpBlock
	keys := s.keys(false)
	for _, g := range []keyGroup{keysDraft, keysViews, keysMove, keysLook} {
		b := helpBlock{lines: []helpLine{{title: string(g)}}, apart: g == keysLook}
		for _, k := range keys {
			if k.group != g {
				continue
			}
			left := s.keyWords(k.shownLong())
			line := helpLine{style: theme.Strong.Bold(), left: left, right: k.help, width: max(11, cell.Width(left)+1)}
			if k.off == "" {
				b.lines = append(b.lines, line)
				continue
			}
			line.style, line.muted = muted, true
			b.lines = append(b.lines, line, helpLine{right: "off: " + k.off, width: 2, muted: true})
		}
		if len(b.lines) > 1 {
			out = append(out, b)
		}
	}
	legend := func(title string, signs []sign, apart bool) {
		b := helpBlock{lines: []helpLine{{title: title}}, apart: apart}
		for _, m := range signs {
			b.lines = append(b.lines, helpLine{style: m.token.Bold(), left: m.drawn, right: m.means, width: 7})
		}
		out = append(out, b)
	}
	legend("Marks", marks, true)
	legend("Signs", signs, false)
	return out
}

func drawHelpLine(s *scene, r cell.Rect, row int, line helpLine) {
	l := s.Line(r, row)
	if line.title != "" {
		l.Sentence(theme.Strong.On(theme.Dialog).Bold(), line.title)
		return
	}
	style := theme.Text.On(theme.Dialog)
	if line.muted {
		style = theme.Muted.On(theme.Dialog)
	}
	l.Words(line.style.On(theme.Dialog), line.left, line.width).Sentence(style, line.right)
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
