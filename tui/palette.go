package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// maxSuggestions bounds what is offered for one argument beside what begins as the text does, and what is told of each.
const maxSuggestions = 500

// palette is the command line over the screen, while it is open.
type palette struct {
	open   bool
	typed  ui.Input
	chosen int
	offers []offer // what fits the text, as drawn last
}

// offer is a line of the palette: a command, with its argument where that is known.
type offer struct {
	*command
	line string // complete: as it would be typed
	note string
	off  string
	rank int
}

func openPalette(m *model) tea.Cmd {
	m.ui.palette = palette{open: true}
	m.offer()
	return nil
}

// offer finds what fits the text: first what begins as it does, then what has its words anywhere, then the rest of the list.
func (m *model) offer() {
	p := &m.ui.palette
	want := strings.ToLower(strings.TrimSpace(p.typed.String()))
	p.offers = p.offers[:0]
	for i := range commands {
		c := &commands[i]
		off := ""
		if c.off != nil {
			off = c.off(m)
		}
		whole := c.words
		if c.arg != "" {
			whole += " " + c.arg
		}
		rank := rankOf(want, whole)
		given, typed := c.given(p.typed.String())
		if typed && c.args != nil && (off == "" || off == shellOnly) {
			found := 0
			for _, s := range c.args(m) {
				if r := rankOf(strings.ToLower(given), s.value); r == 0 || r < noMatch && found < maxSuggestions {
					found++
					p.offers = append(p.offers, offer{c, c.words + " " + s.value, s.note, cmp.Or(s.off, off), r})
				}
			}
			continue
		}
		line := c.words
		if typed {
			rank, line = 0, strings.TrimRight(c.words+" "+given, " ")
		}
		p.offers = append(p.offers, offer{c, line, c.help, off, rank})
	}
	slices.SortStableFunc(p.offers, func(a, b offer) int { return cmp.Compare(a.rank, b.rank) })
	p.chosen = min(max(p.chosen, 0), max(p.fitting()-1, 0))
}

// given is the beginning of an argument that a text gives to the command. Its last word stands for all: "configure sink-a".
func (c *command) given(text string) (arg string, typed bool) {
	if c.arg == "" {
		return "", false
	}
	last := c.words[strings.LastIndexByte(c.words, ' ')+1:]
	text = strings.TrimLeft(text, " ") + " "
	for _, words := range []string{c.words, last} {
		if n := len(words) + 1; len(text) >= n && strings.EqualFold(text[:n], words+" ") {
			return strings.TrimSpace(text[n:]), true
		}
	}
	return "", false
}

// noMatch is the rank of what does not fit.
const noMatch = 3

func rankOf(want, text string) int {
	text = strings.ToLower(text)
	switch {
	case strings.HasPrefix(text, want):
		return 0
	case strings.Contains(text, want):
		return 1
	}
	for _, word := range strings.Fields(want) {
		if !strings.Contains(text, word) {
			return noMatch
		}
	}
	return 2
}

// fitting counts the offers that fit the text: they stand first.
func (p *palette) fitting() int {
	n := 0
	for n < len(p.offers) && p.offers[n].rank < noMatch {
		n++
	}
	return n
}

// pressedInPalette takes a key while the palette is open.
func (m *model) pressedInPalette(what keys.ID, text string) tea.Cmd {
	p := &m.ui.palette
	switch what {
	case keys.DoBack:
		p.open = false
		return nil
	case keys.DoOpen:
		return m.runPalette()
	case keys.DoComplete:
		if p.chosen < p.fitting() {
			o := &p.offers[p.chosen]
			line := o.line
			if o.arg != "" && o.line == o.words {
				line += " "
			}
			p.typed.Set(line)
		}
	case keys.DoUp:
		p.chosen--
	case keys.DoDown:
		p.chosen++
	default:
		if p.typed.Press(ui.Edit(what)) {
			p.chosen = 0
		} else {
			p.add(text)
		}
	}
	m.offer()
	return nil
}

// maxLine bounds what is typed or pasted, in columns.
const maxLine = 60

func (p *palette) add(text string) {
	before := p.typed.String()
	if p.typed.Type(text, maxLine); p.typed.String() != before {
		p.chosen = 0
	}
}

// runPalette runs what is chosen. What still lacks its argument is completed instead, and what cannot run says why.
func (m *model) runPalette() tea.Cmd {
	p := &m.ui.palette
	if p.chosen >= p.fitting() {
		p.open = false
		m.ui.message = "there is no command " + ui.Printable(strings.TrimSpace(p.typed.String())) + "."
		return nil
	}
	o := p.offers[p.chosen]
	arg := strings.TrimSpace(strings.TrimPrefix(o.line, o.words))
	switch {
	case o.off == shellOnly:
		p.open = false
		m.ui.message = "from the shell: regroup " + ui.Printable(o.line) + argName(o.command, arg) + " " + ui.Printable(m.group) + "."
		return nil
	case o.off != "":
		p.open = false
		m.ui.message = o.words + " is off: " + o.off + "."
		return nil
	case o.arg != "" && arg == "" && o.words != "save" && o.words != "report":
		p.typed.Set(o.words + " ")
		p.chosen = 0
		m.offer()
		return nil
	}
	p.open = false
	return o.run(m, arg)
}

func argName(c *command, arg string) string {
	if arg == "" && c.arg != "" {
		return " " + c.arg
	}
	return ""
}

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
