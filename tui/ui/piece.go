package ui

import (
	"strings"

	"regroup/decode"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// FramesPerSecond bounds how often a screen is drawn.
const FramesPerSecond = 30

// Piece is a stretch of text in one style.
type Piece struct {
	Style theme.Style
	Text  string
}

// WidthOf is how many columns pieces take.
func WidthOf(ps []Piece) int {
	w := 0
	for _, p := range ps {
		w += cell.Width(p.Text)
	}
	return w
}

// Pad makes text w bytes wide, blanks last.
func Pad(t string, w int) string {
	for len(t) < w {
		t += " "
	}
	return t
}

// PadLeft makes text w bytes wide, blanks first.
func PadLeft(t string, w int) string {
	for len(t) < w {
		t = " " + t
	}
	return t
}

// Repeat is so many of a rune; none for less than one.
func Repeat(r rune, n int) string { return strings.Repeat(string(r), max(n, 0)) }

// Capitalised is a sentence's beginning.
func Capitalised(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// SideGap is the air before a column at the side; 0 where there is none.
func SideGap(side int) int {
	if side == 0 {
		return 0
	}
	return 3
}

// SelectGround is the ground of the line under a cursor.
func SelectGround(focused bool) theme.Ground {
	if focused {
		return theme.Select
	}
	return theme.Select2
}

// Printable is text from outside as it may be shown.
func Printable(s string) string { return decode.Printable(s) }

// Sign is one line of the help's right column: what is drawn, and what it means.
type Sign struct {
	Token theme.Token
	Drawn string
	Means string
}

// Flat is a text on one line.
func Flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// Styles that every view needs.
var (
	Text   = theme.Text.Plain()
	Bold   = theme.Text.Bold()
	Strong = theme.Strong.Bold()
	Muted  = theme.Muted.Plain()
	Faint  = theme.Faint.Plain()
)

// DrawBox draws a dialog's frame with one column of air around it, and gives what is inside.
func DrawBox(s *cell.Grid, r cell.Rect, title, note string) cell.Rect {
	s.Fill(cell.Rect{X: max(r.X-1, 0), Y: r.Y, W: r.W + 2, H: r.H}, Text)
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
