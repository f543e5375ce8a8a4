package tui

import (
	"cmp"
	"slices"

	"regroup/actions"
	"regroup/internal/words"
	"regroup/tui/cell"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// chooser is a list of plugins to choose from, and what is typed to find one.
type chooser struct {
	plugins []actions.Plugin
	find    entry
	list    ui.List
}

func newChooser(plugins []actions.Plugin) *chooser {
	sorted := slices.Clone(plugins)
	slices.SortFunc(sorted, func(a, b actions.Plugin) int {
		return cmp.Or(cmp.Compare(label.ShortClass(a.Class), label.ShortClass(b.Class)), cmp.Compare(a.Class, b.Class))
	})
	return &chooser{plugins: sorted}
}

// found are the plugins that what is typed fits.
func (c *chooser) found() []actions.Plugin {
	f := ui.Filter{Text: c.find.String()}
	return slices.DeleteFunc(slices.Clone(c.plugins), func(p actions.Plugin) bool { return f.Text != "" && !f.Matches(p.Class, p.Kind) })
}

// press takes a key, and gives the plugin that was chosen.
func (c *chooser) press(key, text string) (actions.Plugin, bool) {
	found := c.found()
	switch key {
	case "up", "shift+tab":
		c.list.Cursor--
	case "down", "tab":
		c.list.Cursor++
	case "pgup":
		c.list.Cursor -= c.list.Height
	case "pgdown":
		c.list.Cursor += c.list.Height
	case "enter":
		if len(found) > 0 {
			return found[min(c.list.Cursor, len(found)-1)], true
		}
	default:
		if !c.find.press(key) {
			c.find.insert(text)
		}
		c.list.Cursor = 0
	}
	c.list.Cursor = min(max(c.list.Cursor, 0), max(len(c.found())-1, 0))
	return actions.Plugin{}, false
}

func (c *chooser) draw(s *scene.Scene, r cell.Rect) {
	found := c.found()
	note := words.Plural(len(c.plugins), "plugin")
	if len(c.find.runes) > 0 {
		note = words.Thousands(len(found)) + " of " + note
	}
	s.Title(r, "What is it to be made of?", "", note, true)
	l := s.Line(r, 1)
	l.Gap(2).Text(ui.Muted, "find").Gap(2)
	c.find.draw(&l, min(l.Left(), 40), false, ui.Text)
	list := r.Rows(3, r.H-3)
	c.list.Fit(len(found), list.H)
	if len(found) == 0 {
		l := s.Line(list, 0)
		l.Gap(2).Sentence(ui.Muted, "the worker has none of that name; backspace shows the others")
	}
	name := 10
	for _, p := range found {
		name = max(name, cell.Width(ui.Printable(label.ShortClass(p.Class))))
	}
	name = min(name, max(r.W/3, 10))
	for row := range min(c.list.Height, len(found)-c.list.Top) {
		p := found[c.list.Top+row]
		l := s.Line(list, row)
		style := ui.Text
		if c.list.Top+row == c.list.Cursor {
			l.Ground(theme.Select).Rune(ui.Strong, '▸', 1)
			style = ui.Strong
		}
		l.At(2).Name(style, ui.Printable(label.ShortClass(p.Class)), name).Gap(2)
		l.Words(ui.Text, ui.Printable(p.Kind), 8).Gap(1).Words(ui.Text, ui.Printable(p.Version), 14).Gap(1)
		l.Text(ui.Muted, cell.Middle(ui.Printable(p.Class), l.Left()))
	}
}
