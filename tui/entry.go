package tui

import (
	"strings"
	"unicode"

	"regroup/tui/cell"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// entry is a text that is being typed, with a cursor in it. It keeps every rune as it came, line breaks too: what somebody
// pastes or edits is a value that goes to a worker byte for byte.
type entry struct {
	runes  []rune
	at     int  // the cursor stands before this rune
	edited bool // anything was typed or taken away
}

func newEntry(text string) *entry {
	e := &entry{runes: []rune(text)}
	e.at = len(e.runes)
	return e
}

func (e *entry) String() string { return string(e.runes) }

// maxEntry bounds one value, in runes: a pasted certificate chain is a few thousand.
const maxEntry = 1 << 16

// insert takes a text at the cursor, or, where it is too long, nothing of it, and says so: half a value would go to a worker.
func (e *entry) insert(text string) bool {
	in := []rune(strings.ReplaceAll(text, "\r\n", "\n"))
	if len(in) > max(maxEntry-len(e.runes), 0) {
		return false
	}
	if len(in) > 0 {
		e.runes = append(e.runes[:e.at:e.at], append(in, e.runes[e.at:]...)...)
		e.at += len(in)
		e.edited = true
	}
	return true
}

// press takes a key that moves or deletes, and says whether it was one.
func (e *entry) press(key string) bool {
	switch key {
	case "left":
		e.at = max(e.at-1, 0)
	case "right":
		e.at = min(e.at+1, len(e.runes))
	case "home":
		e.at = 0
	case "end":
		e.at = len(e.runes)
	case "ctrl+left", "alt+left", "alt+b":
		e.at = e.wordBefore()
	case "ctrl+right", "alt+right", "alt+f":
		e.at = e.wordAfter()
	case "backspace":
		e.cut(e.at-1, e.at)
	case "delete":
		e.cut(e.at, e.at+1)
	case "ctrl+w", "alt+backspace":
		e.cut(e.wordBefore(), e.at)
	case "ctrl+u":
		e.cut(0, e.at)
	case "ctrl+k":
		e.cut(e.at, len(e.runes))
	default:
		return false
	}
	return true
}

func (e *entry) cut(from, to int) {
	from, to = max(from, 0), min(to, len(e.runes))
	if from < to {
		e.runes = append(e.runes[:from:from], e.runes[to:]...)
		e.at, e.edited = from, true
	}
}

// set puts another text in its place.
func (e *entry) set(text string) { e.runes, e.at, e.edited = []rune(text), len([]rune(text)), true }

func (e *entry) wordBefore() int {
	i := e.at
	for i > 0 && !inWord(e.runes[i-1]) {
		i--
	}
	for i > 0 && inWord(e.runes[i-1]) {
		i--
	}
	return i
}

func (e *entry) wordAfter() int {
	i := e.at
	for i < len(e.runes) && !inWord(e.runes[i]) {
		i++
	}
	for i < len(e.runes) && inWord(e.runes[i]) {
		i++
	}
	return i
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// draw writes the text into width columns, on a ground of its own, with the cursor in sight. A secret is as many stars.
func (e *entry) draw(l *cell.Line, width int, secret bool, style theme.Style) {
	style = style.On(theme.Field)
	room := width - 3 // a margin on each side, and the cursor
	shown := func(from, to int) string {
		if secret {
			return strings.Repeat("*", to-from)
		}
		return ui.Printable(string(e.runes[from:to]))
	}
	// Runes are taken in on both sides of the cursor while they fit: first those before it, for they were typed last.
	from, to, used := e.at, e.at, 0
	fits := func(i int) bool {
		w := cell.Width(shown(i, i+1))
		if used+w > room {
			return false
		}
		used += w
		return true
	}
	for from > 0 && fits(from-1) {
		from--
	}
	for to < len(e.runes) && fits(to) {
		to++
	}
	cursor := '▎'
	if e.at == len(e.runes) {
		cursor = '█'
	}
	start := l.Used()
	l.Text(style, " "+shown(from, e.at)).Rune(style, cursor, 1).Text(style, shown(e.at, to))
	l.Rune(style, ' ', max(width-(l.Used()-start), 0))
}
