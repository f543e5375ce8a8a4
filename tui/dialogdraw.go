package tui

import (
	"regroup/internal/words"
	"regroup/tui/cell"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// drawDialog draws what lies over the screen from a on.
func drawDialog(s *scene.Scene, d *dialog, last *reading) {
	s.Restyle(theme.Behind.Plain())
	switch d.stage {
	case choosing:
		drawMenu(s, d)
	case agreeing:
		drawAsking(s, d.ask)
	case readingReport:
		drawReport(s, last)
	default:
		drawTelling(s, d)
	}
}

// dialogRows is how many of so many rows a dialog has room for inside.
func dialogRows(s *scene.Scene, rows int) int { return max(min(rows+4, s.Lay.Screen.H)-3, 0) }

// dialogBox is a box in the middle of the screen, with room for so many rows inside.
func dialogBox(s *scene.Scene, title, note string, width, rows int) cell.Rect {
	screen := s.Lay.Screen
	w := min(width, screen.W-2)
	h := min(rows+4, screen.H)
	box := cell.Rect{X: (screen.W - w) / 2, Y: max(min(4, (screen.H-h)/2), 0), W: w, H: h}
	return ui.DrawBox(s.Grid, box, cell.Middle(ui.Printable(title), max(w-6, 0)), ui.Printable(note))
}

func drawMenu(s *scene.Scene, d *dialog) {
	n := d.menus[len(d.menus)-1]
	word := 10
	for i := range n.lines {
		word = max(word, cell.Width(ui.Printable(n.lines[i].Label)))
	}
	word = min(word, 36)
	wide := 88
	for i := range n.lines {
		wide = max(wide, word+cell.Width(ui.Printable(n.lines[i].About))+15)
	}
	rows := max(len(n.lines), 1) + 2
	inner := dialogBox(s, n.title, s.Group, min(wide, 112), rows+1)
	n.list.Fit(len(n.lines), inner.H-3)
	for row := range min(n.list.Height, len(n.lines)-n.list.Top) {
		i := n.list.Top + row
		o := &n.lines[i]
		l := s.Line(inner, row)
		l.Ground(theme.Dialog)
		name, about := ui.Text, o.About
		if i == n.list.Cursor {
			l.Ground(theme.Select).Rune(ui.Strong, '▸', 1)
			name = ui.Strong
		}
		if o.DisabledReason != "" {
			name, about = ui.Muted, "off: "+o.DisabledReason
		}
		l.At(2).Name(name, ui.Printable(o.Label), word).Gap(2)
		arrow := o.list != nil || o.into != nil
		if arrow {
			about = cell.End(ui.Printable(about), max(l.Left()-3, 0))
		}
		l.Sentence(ui.Muted, ui.Printable(about))
		if arrow {
			l.FromRight(2).Text(ui.Muted, "▸")
		}
	}
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	if d.failed != "" {
		l.Sentence(theme.Wrong.Plain(), "! "+ui.Printable(d.failed))
		return
	}
	if off := n.offHere(); off != "" && cell.Width(off) > inner.W-word-10 { // its line has no room for it
		l.Sentence(ui.Muted, "off: "+ui.Printable(off))
		return
	}
	back := "leave"
	if len(d.menus) > 1 {
		back = "back"
	}
	hint(&l, "↑ ↓", "choose", "enter", "go on", "esc", back)
}

func (n *menu) offHere() string {
	if n.list.Cursor < len(n.lines) {
		return n.lines[n.list.Cursor].DisabledReason
	}
	return ""
}

// hint draws keys and what they do.
func hint(l *cell.Line, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if l.Left() < cell.Width(pairs[i])+cell.Width(pairs[i+1])+2 {
			return
		}
		l.Text(ui.Strong, pairs[i]).Gap(1).Text(ui.Muted, pairs[i+1]).Gap(2)
	}
}

// drawTelling is a form, or the wait for what was told to be made ready.
func drawTelling(s *scene.Scene, d *dialog) {
	rows := 4
	if d.form != nil {
		rows = len(d.form.fields) + 5
	}
	inner := dialogBox(s, capitalised(d.offer.Label), s.Group, 88, rows)
	if d.form != nil {
		drawForm(s, inner.Rows(0, inner.H-2), d.form)
	}
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	switch {
	case d.stage == waitingReady:
		l.Text(ui.Muted, "looking at what will happen").Gap(2)
		hint(&l, "esc", "leave")
	case d.failed != "":
		lines := cell.Wrap("! "+ui.Printable(d.failed), inner.W)
		for i, text := range lines[:min(len(lines), 2)] {
			l = s.Line(inner, inner.H-2+i)
			l.Ground(theme.Dialog).Sentence(theme.Wrong.Plain(), text)
		}
	default:
		if len(d.form.fields) > 1 {
			hint(&l, "tab", "next field")
		}
		back := "back"
		if d.direct {
			back = "leave"
		}
		hint(&l, "enter", "go on", "esc", back)
	}
}

// drawAsking is what will happen, what has to be typed, and the two buttons.
func drawAsking(s *scene.Scene, a *asking) {
	width := min(98, s.Lay.Screen.W-2)
	lines := foreseenLines(a, width-7)
	below := 3
	if a.prepared.Question.Type != "" {
		below = 6
	}
	title := capitalised(a.prepared.Action.String())
	a.rows, a.lines = max(dialogRows(s, len(lines)+below)-below, 0), len(lines) // the corner tells of them
	a.top = min(max(a.top, 0), max(a.lines-a.rows, 0))
	inner := dialogBox(s, title, a.note(s), width, len(lines)+below)
	drawLines(s, inner, lines, a.top, a.rows)
	if a.prepared.Question.Type != "" {
		l := s.Line(inner, inner.H-below+1)
		l.Ground(theme.Dialog).Sentence(ui.Text, "Type "+ui.Printable(a.prepared.Question.Type)+" to go on:")
		l = s.Line(inner, inner.H-below+2)
		l.Ground(theme.Dialog)
		drawTyped(&l, a.typed, true, min(inner.W, 50))
	}
	drawButtons(s, inner, a)
}

// note is the dialog's corner: where it is done, and in production that it is.
func (a *asking) note(s *scene.Scene) string {
	note := ui.Printable(s.Group)
	if a.prepared.Note != "" {
		note += " · " + ui.Printable(a.prepared.Note)
	}
	if a.lines > a.rows && a.rows > 0 {
		note += " · " + words.Thousands(a.top+1) + "-" + words.Thousands(min(a.top+a.rows, a.lines)) + " of " + words.Thousands(a.lines) + " ↑ ↓"
	}
	return note
}

func drawButtons(s *scene.Scene, inner cell.Rect, a *asking) {
	l := s.Line(inner, inner.H-2)
	l.Ground(theme.Dialog)
	safe, do := a.buttonWords()
	button := func(word string, focused, off bool) {
		style := ui.Text
		switch {
		case off:
			style = ui.Muted
		case focused:
			style = theme.Strong.On(theme.Select).Bold()
		}
		l.Text(style, word)
	}
	button(safe, !a.yes, false)
	l.Gap(2)
	button(do, a.yes, a.off() != "")
	l.Gap(2)
	if off := a.off(); off != "" {
		l.Text(ui.Muted, off).Gap(2)
		hint(&l, "esc", "leave")
	} else {
		does := "leave it"
		if a.yes {
			does = "do it"
		}
		hint(&l, "tab", "choose", "enter", does)
		if a.prepared.Preview != nil && a.prepared.Question.Type == "" {
			word := "what eager would do"
			if a.eager {
				word = "what will happen"
			}
			hint(&l, "e", word)
		}
		hint(&l, "esc", "leave")
	}
	l = s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog).Sentence(ui.Muted, "Nothing changes before that. The action goes into the events.")
}
