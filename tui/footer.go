package tui

import (
	"slices"
	"strings"

	"regroup/tui/cell"
	"regroup/tui/theme"
)

// drawFooter is the last row: the keys that work here, most used first. What does not fit goes by weight.
func drawFooter(s *scene) {
	r := s.lay.footer.Columns(1, s.lay.footer.W-2)
	if s.panes.filter.typing {
		s.hints(r, typingHints)
		return
	}
	s.hints(r, s.keys(true))
}

// typingHints are the keys while a filter is typed: they are not in the table, for then every letter is a letter.
var typingHints = []keyLine{
	{binding: &binding{keys: []string{"type to filter"}, keep: 9}},
	{binding: &binding{keys: []string{"enter"}, hint: "keep it", keep: 8}},
	{binding: &binding{keys: []string{"esc"}, hint: "clear", keep: 10}},
}

func (s *scene) hints(r cell.Rect, keys []keyLine) {
	gap := 3
	if s.lay.class <= classSlim {
		gap = 2
	}
	width := func() int {
		w := -gap
		for _, k := range keys {
			w += gap + cell.Width(s.keyWords(k.shown())) + 1 + cell.Width(k.hint)
		}
		return w
	}
	for len(keys) > 1 && width() > r.W {
		least := 0
		for i := range keys {
			if keys[i].keep < keys[least].keep {
				least = i
			}
		}
		keys = slices.Delete(slices.Clone(keys), least, least+1)
	}
	l := s.Line(r, 0)
	for i, k := range keys {
		if i > 0 {
			l.Gap(gap)
		}
		style := theme.Strong.Bold()
		if k.off != "" {
			style = muted
		}
		l.Text(style, s.keyWords(k.shown()))
		if k.hint != "" {
			l.Gap(1).Text(muted, k.hint)
		}
	}
}

// keyWords says in words which keys the arrows are, where an arrow would be drawn as < or >: those are keys of their own.
func (s *scene) keyWords(shown string) string {
	if !s.ascii {
		return shown
	}
	return arrowWords.Replace(shown)
}

var arrowWords = strings.NewReplacer("shift ← →", "shift-arrow", "← →", "arrows", "↑ ↓", "up down", "←", "left", "→", "right")
