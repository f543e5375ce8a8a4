package tui

import (
	"cmp"
	"slices"

	"regroup/actions"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// chooser is a list of plugins to choose from, and what is typed to find one.
type chooser struct {
	plugins []actions.Plugin
	find    entry
	list    list
}

func newChooser(plugins []actions.Plugin) *chooser {
	sorted := slices.Clone(plugins)
	slices.SortFunc(sorted, func(a, b actions.Plugin) int {
		return cmp.Or(cmp.Compare(shortClass(a.Class), shortClass(b.Class)), cmp.Compare(a.Class, b.Class))
	})
	return &chooser{plugins: sorted}
}

// found are the plugins that what is typed fits.
func (c *chooser) found() []actions.Plugin {
	f := filter{text: c.find.String()}
	return slices.DeleteFunc(slices.Clone(c.plugins), func(p actions.Plugin) bool { return f.text != "" && !f.matches(p.Class, p.Kind) })
}

// press takes a key, and gives the plugin that was chosen.
func (c *chooser) press(key, text string) (actions.Plugin, bool) {
	found := c.found()
	switch key {
	case "up", "shift+tab":
		c.list.cursor--
	case "down", "tab":
		c.list.cursor++
	case "pgup":
		c.list.cursor -= c.list.height
	case "pgdown":
		c.list.cursor += c.list.height
	case "enter":
		if len(found) > 0 {
			return found[min(c.list.cursor, len(found)-1)], true
		}
	default:
		if !c.find.press(key) {
			c.find.insert(text)
		}
		c.list.cursor = 0
	}
	c.list.cursor = min(max(c.list.cursor, 0), max(len(c.found())-1, 0))
	return actions.Plugin{}, false
}

func (c *chooser) draw(s *scene, r cell.Rect) {
	found := c.found()
	note := plural(len(c.plugins), "plugin")
	if len(c.find.runes) > 0 {
		note = count(len(found)) + " of " + note
	}
	s.title(r, "What is it to be made of?", "", note, true)
	l := s.Line(r, 1)
	l.Gap(2).Text(muted, "find").Gap(2)
	c.find.draw(&l, min(l.Left(), 40), false, text)
	list := r.Rows(3, r.H-3)
	c.list.fit(len(found), list.H)
	if len(found) == 0 {
		l := s.Line(list, 0)
		l.Gap(2).Sentence(muted, "the worker has none of that name; backspace shows the others")
	}
	name := 10
	for _, p := range found {
		name = max(name, cell.Width(printable(shortClass(p.Class))))
	}
	name = min(name, max(r.W/3, 10))
	for row := range min(c.list.height, len(found)-c.list.top) {
		p := found[c.list.top+row]
		l := s.Line(list, row)
		style := text
		if c.list.top+row == c.list.cursor {
			l.Ground(theme.Select).Rune(strong, '▸', 1)
			style = strong
		}
		l.At(2).Name(style, printable(shortClass(p.Class)), name).Gap(2)
		l.Words(text, printable(p.Kind), 8).Gap(1).Words(text, printable(p.Version), 14).Gap(1)
		l.Text(muted, cell.Middle(printable(p.Class), l.Left()))
	}
}
