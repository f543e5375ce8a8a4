package form

import (
	"cmp"
	"slices"

	"regroup/actions"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// pluginPicker is a list of them to choose from, and what is typed to find one.
type pluginPicker struct {
	all  []actions.Plugin
	find ui.Input
	list ui.List
}

func newPluginPicker(all []actions.Plugin) *pluginPicker {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b actions.Plugin) int {
		return cmp.Or(cmp.Compare(label.ShortClass(a.Class), label.ShortClass(b.Class)), cmp.Compare(a.Class, b.Class))
	})
	return &pluginPicker{all: sorted}
}

// found are the plugins that what is typed fits.
func (c *pluginPicker) found() []actions.Plugin {
	return slices.DeleteFunc(slices.Clone(c.all), func(p actions.Plugin) bool { return !ui.Matches(c.find.String(), p.Class, p.Kind) })
}

// press takes a key, and gives the plugin that was chosen.
func (c *pluginPicker) press(what keys.ID, text string) (actions.Plugin, bool) {
	found := c.found()
	switch what {
	case keys.DoUp:
		c.list.Cursor--
	case keys.DoDown:
		c.list.Cursor++
	case keys.DoPageUp:
		c.list.Cursor -= c.list.Height
	case keys.DoPageDown:
		c.list.Cursor += c.list.Height
	case keys.DoOpen:
		if len(found) > 0 {
			return found[min(c.list.Cursor, len(found)-1)], true
		}
	default:
		if !c.find.Press(ui.Edit(what)) {
			c.find.Insert(text)
		}
		c.list.Cursor = 0
	}
	c.list.Cursor = min(max(c.list.Cursor, 0), max(len(c.found())-1, 0))
	return actions.Plugin{}, false
}

func (c *pluginPicker) draw(s *scene.Scene, r cell.Rect) {
	found := c.found()
	note := words.Plural(len(c.all), "plugin")
	if c.find.String() != "" {
		note = words.Thousands(len(found)) + " of " + note
	}
	s.Title(r, "What is it to be made of?", "", note, true)
	l := s.Line(r, 1)
	l.Gap(2).Text(ui.Muted, "find").Gap(2)
	c.find.Draw(&l, min(l.Left(), 40), true, false, ui.Text)
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
