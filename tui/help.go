package tui

import (
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

var marks = []ui.Sign{
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

var signs = []ui.Sign{
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
func drawHelp(s *scene.Scene, lines []keys.Line, version, broker string, page int) (at, all int) {
	screen := s.Lay.Screen
	width := min(3*helpColumn+8, screen.W-2)
	height := min(maxHelpHeight, screen.H)
	columns := max((width-7)/helpColumn, 1)
	pages := flow(helpBlocks(s, lines), columns, height-4)
	height = min(height, longest(pages)+5)
	page = min(page, len(pages)-1)
	wide := helpColumn // a page of fewer columns has room for all that is said
	if used := len(pages[0]); used < columns {
		wide = (width - 7) / used
	}
	where := string(s.View) + " view"
	if s.Form != "" {
		where = "form"
	}
	note := where + " · any key closes"
	if len(pages) > 1 {
		note = "page " + words.Thousands(page+1) + " of " + words.Thousands(len(pages)) + " · any key turns it · esc closes"
	}
	box := cell.Rect{X: (screen.W - width) / 2, Y: min(3, (screen.H-height)/2), W: width, H: height}
	title := "Help"
	if version != "" && screen.W >= 100 {
		title += " · regroup " + version
	}
	if broker != "" {
		title += " · " + broker
	}
	inner := ui.DrawBox(s.Grid, box, title, note)
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
func helpBlocks(s *scene.Scene, lines []keys.Line) []helpBlock {
	var out []helpBlock
	for _, g := range []keys.Group{keys.GroupForm, keys.GroupViews, keys.GroupMove, keys.GroupLook} {
		b := helpBlock{lines: []helpLine{{title: string(g)}}, apart: g == keys.GroupLook}
		for _, k := range lines {
			if k.Group != g {
				continue
			}
			left := keys.Words(k.ShownLong(), s.IsASCII())
			line := helpLine{style: theme.Strong.Bold(), left: left, right: k.Help, width: max(11, cell.Width(left)+1)}
			if k.Off == "" {
				b.lines = append(b.lines, line)
				continue
			}
			line.style, line.muted = ui.Muted, true
			b.lines = append(b.lines, line, helpLine{right: "off: " + k.Off, width: 2, muted: true})
		}
		if len(b.lines) > 1 {
			out = append(out, b)
		}
	}
	legend := func(title string, signs []ui.Sign, apart bool) {
		b := helpBlock{lines: []helpLine{{title: title}}, apart: apart}
		for _, m := range signs {
			b.lines = append(b.lines, helpLine{style: m.Token.Bold(), left: m.Drawn, right: m.Means, width: 7})
		}
		out = append(out, b)
	}
	legend("Marks", marks, true)
	legend("Signs", signs, false)
	return out
}

func drawHelpLine(s *scene.Scene, r cell.Rect, row int, line helpLine) {
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
