package keys

import (
	"slices"
	"strings"

	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// DrawHints draws keys in a row, most used first. What does not fit goes by weight.
func DrawHints(s *cell.Grid, r cell.Rect, gap int, keys []Line) {
	width := func() int {
		w := -gap
		for _, k := range keys {
			w += gap + cell.Width(Words(k.Shown(), s.IsASCII())) + 1 + cell.Width(k.Hint)
		}
		return w
	}
	for len(keys) > 1 && width() > r.W {
		least := 0
		for i := range keys {
			if keys[i].Keep < keys[least].Keep {
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
		if k.Off != "" {
			style = ui.Muted
		}
		l.Text(style, Words(k.Shown(), s.IsASCII()))
		if k.Hint != "" {
			l.Gap(1).Text(ui.Muted, k.Hint)
		}
	}
}

// Words says in words which keys the arrows are, where an arrow would be drawn as < or >: those are keys of their own.
func Words(shown string, ascii bool) string {
	if !ascii {
		return shown
	}
	return arrowWords.Replace(shown)
}

var arrowWords = strings.NewReplacer("shift ← →", "shift-arrow", "← →", "arrows", "↑ ↓", "up down", "←", "left", "→", "right")

// Line is a key as help and footer show it.
type Line struct {
	*Binding
	Off string // why it cannot work now
}
