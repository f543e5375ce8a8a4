package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Input is a text that is being typed, with a cursor in it. It keeps every rune as it came, line breaks too: what somebody
// pastes or edits is a value that goes to a worker byte for byte.
type Input struct {
	text   string
	at     int  // the cursor stands before this byte
	edited bool // anything was typed or taken away
}

// NewInput begins with a text, and the cursor behind it.
func NewInput(text string) Input { return Input{text: text, at: len(text)} }

func (in *Input) String() string { return in.text }

// Edited reports whether anything was typed or taken away.
func (in *Input) Edited() bool { return in.edited }

// MaxInput bounds one value, in runes: a pasted certificate chain is a few thousand.
const MaxInput = 1 << 16

// Insert takes a text at the cursor, or, where it is too long, nothing of it, and says so: half a value would go to a worker.
func (in *Input) Insert(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if utf8.RuneCountInString(text) > max(MaxInput-utf8.RuneCountInString(in.text), 0) {
		return false
	}
	if text != "" {
		in.text = in.text[:in.at] + text + in.text[in.at:]
		in.at += len(text)
		in.edited = true
	}
	return true
}

// Type takes what of a text is seen, on one line of at most so many columns.
func (in *Input) Type(text string, columns int) {
	for _, r := range text {
		if r >= ' ' && r != 0x7F && cell.Width(in.text) < columns {
			in.Insert(string(r))
		}
	}
}

// Edit names what a key does in a text.
type Edit string

// What keys do in a text.
const (
	EditLeft       Edit = "text left"
	EditRight      Edit = "text right"
	EditStart      Edit = "text start"
	EditEnd        Edit = "text end"
	EditWordLeft   Edit = "word left"
	EditWordRight  Edit = "word right"
	EditBackspace  Edit = "delete before"
	EditDelete     Edit = "delete after"
	EditDeleteWord Edit = "delete word"
	EditClear      Edit = "delete to start"
	EditRest       Edit = "delete to end"
)

// Press moves or deletes, and says whether the name was that of one of these.
func (in *Input) Press(e Edit) bool {
	before, after := 0, 0
	if in.at > 0 {
		_, before = utf8.DecodeLastRuneInString(in.text[:in.at])
	}
	if in.at < len(in.text) {
		_, after = utf8.DecodeRuneInString(in.text[in.at:])
	}
	switch e {
	case EditLeft:
		in.at -= before
	case EditRight:
		in.at += after
	case EditStart:
		in.at = 0
	case EditEnd:
		in.at = len(in.text)
	case EditWordLeft:
		in.at = in.wordBefore()
	case EditWordRight:
		in.at = in.wordAfter()
	case EditBackspace:
		in.cut(in.at-before, in.at)
	case EditDelete:
		in.cut(in.at, in.at+after)
	case EditDeleteWord:
		in.cut(in.wordBefore(), in.at)
	case EditClear:
		in.cut(0, in.at)
	case EditRest:
		in.cut(in.at, len(in.text))
	default:
		return false
	}
	return true
}

func (in *Input) cut(from, to int) {
	if from < to {
		in.text = in.text[:from] + in.text[to:]
		in.at, in.edited = from, true
	}
}

// Set puts another text in its place.
func (in *Input) Set(text string) { in.text, in.at, in.edited = text, len(text), true }

// ToEnd puts the cursor behind the text.
func (in *Input) ToEnd() { in.at = len(in.text) }

func (in *Input) wordBefore() int {
	before := strings.TrimRightFunc(in.text[:in.at], notInWord)
	return len(strings.TrimRightFunc(before, inWord))
}

func (in *Input) wordAfter() int {
	after := strings.TrimLeftFunc(in.text[in.at:], notInWord)
	return len(in.text) - len(strings.TrimLeftFunc(after, inWord))
}

func inWord(r rune) bool    { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
func notInWord(r rune) bool { return !inWord(r) }

// Draw writes the text into width columns, on a ground of its own; while it is typed in, with the cursor in sight. A secret is as
// many stars.
func (in *Input) Draw(l *cell.Line, width int, typing, secret bool, style theme.Style) {
	style = style.On(theme.Field)
	room := width - 3 // a margin on each side, and the cursor
	shown := func(r rune) string {
		if secret {
			return "*"
		}
		return Printable(string(r))
	}
	// Runes are taken in on both sides of the cursor while they fit: first those before it, for they were typed last.
	at := in.at
	if !typing {
		at = len(in.text)
	}
	var left string
	var right strings.Builder
	take := func(r rune) (string, bool) {
		s := shown(r)
		w := cell.Width(s)
		if w > room {
			return "", false
		}
		room -= w
		return s, true
	}
	for from := at; from > 0; {
		r, n := utf8.DecodeLastRuneInString(in.text[:from])
		s, fits := take(r)
		if !fits {
			break
		}
		left, from = s+left, from-n
	}
	for _, r := range in.text[at:] {
		s, fits := take(r)
		if !fits {
			break
		}
		right.WriteString(s)
	}
	start := l.Used()
	l.Text(style, " "+left)
	switch {
	case !typing:
	case at == len(in.text):
		l.Rune(style, '█', 1)
	default:
		l.Rune(style, '▎', 1)
	}
	l.Text(style, right.String()).Rune(style, ' ', max(width-(l.Used()-start), 0))
}
