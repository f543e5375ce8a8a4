package tui

import (
	"strings"

	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

const (
	paletteWidth = 84
	paletteLines = 17
)

// drawPalette draws the command line over the screen: what is typed, what fits it, and what else there is.
func drawPalette(s *scene.Scene, p *palette) {
	screen := s.Lay.Screen
	width, height := min(paletteWidth, screen.W-2), min(paletteLines+1, screen.H-2)
	box := cell.Rect{X: (screen.W - width) / 2, Y: min(3, (screen.H-height)/2), W: width, H: height}
	key := func(do keys.ID) string { return s.Key(keys.Palette, do) }
	note := key(keys.DoOpen) + " run · " + key(keys.DoComplete) + " complete · " + key(keys.DoUp) + " choose · " + key(keys.DoBack) + " close"
	if width < 70 {
		note = key(keys.DoComplete) + " complete · " + key(keys.DoBack) + " close"
	}
	inner := ui.DrawBox(s.Grid, box, "Command", note)
	inner = cell.Rect{X: inner.X - 1, Y: inner.Y - 1, W: inner.W, H: inner.H + 1}
	promptLine(s, inner, p)
	room, row := inner.H-4, 2
	fit := p.fitting()
	shown := min(fit, max(room-3, room/2))
	if fit == len(p.offers) {
		shown = min(fit, room)
	}
	top := min(max(p.chosen-shown+1, 0), max(fit-shown, 0))
	for i := top; i < top+shown; i++ {
		paletteLine(s, inner, row, &p.offers[i], i == p.chosen)
		row++
	}
	if fit == 0 {
		l := s.Line(inner, row)
		l.Gap(2).Text(theme.Muted.On(theme.Dialog), "nothing of that name")
		row++
	}
	if rest := p.offers[fit:]; len(rest) > 0 && row+3 <= inner.H-2 {
		row++
		l := s.Line(inner, row)
		l.Text(theme.Text.On(theme.Dialog).Bold(), "Also").Gap(1).Rune(theme.Faint.On(theme.Dialog), '─', l.Left())
		for i := 0; i < len(rest) && row+1 < inner.H-2; i++ {
			row++
			paletteLine(s, inner, row, &rest[i], false)
		}
	}
	if p.chosen < fit {
		l := s.Line(inner, inner.H-1)
		l.Sentence(theme.Muted.On(theme.Dialog), p.offers[p.chosen].hint())
	}
}

// promptLine is what is typed, with the rest of what is chosen behind the cursor.
func promptLine(s *scene.Scene, r cell.Rect, p *palette) {
	l := s.Line(r, 0)
	field := cell.Rect{X: r.X, Y: r.Y, W: r.W, H: 1}
	s.Fill(field, theme.Text.On(theme.Field))
	l.Text(theme.Muted.On(theme.Field), " :").Sentence(theme.Strong.On(theme.Field), p.typed.String())
	rest := ""
	if p.chosen < p.fitting() {
		rest, _ = strings.CutPrefix(strings.ToLower(p.offers[p.chosen].line), strings.ToLower(p.typed.String()))
		if len(rest) == len(p.offers[p.chosen].line) && p.typed.String() != "" {
			rest = ""
		}
	}
	l.Rune(theme.Strong.On(theme.Field), '█', 1).Sentence(theme.Muted.On(theme.Field), rest)
}

// hint says what an offer is about; of one that is for the shell, how it is written there.
func (o *offer) hint() string {
	if o.off == shellOnly {
		return "the same words on the command line: regroup " + o.line
	}
	return o.help
}

func paletteLine(s *scene.Scene, r cell.Rect, row int, o *offer, chosen bool) {
	l := s.Line(r, row)
	ground, name := theme.Dialog, theme.Text
	if chosen {
		ground, name = theme.Select, theme.Strong
	}
	l.Ground(ground)
	if o.off != "" {
		name = theme.Muted
	}
	if chosen {
		l.Rune(theme.Strong.On(ground), '▸', 1)
	}
	line := o.line
	if o.arg != "" && line == o.words {
		line += " " + o.arg
	}
	style := name.On(ground)
	if chosen {
		style = style.Bold()
	}
	l.At(2).Name(style, line, min(max(cell.Width(line), 30), r.W*3/5)).Gap(2)
	right := o.key
	if o.off != "" {
		right = "off: " + o.off
	}
	note, room := o.note, max(l.Left()-cell.Width(right)-2, 0)
	if o.off != "" && cell.Width(note) > room {
		note = "" // half of it says less than the reason alone
	}
	l.Words(theme.Muted.On(ground), note, room)
	l.FromRight(cell.Width(right)).Text(theme.Muted.On(ground), right)
}
