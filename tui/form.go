package tui

import (
	"slices"
	"strings"

	"regroup/actions"
	"regroup/internal/words"
	"regroup/tui/cell"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// form is what has to be told before something can be made ready.
type form struct {
	fields []actions.Field
	values []string
	at     int
	wrong  string // with the field that the cursor is on, found by enter
}

func newForm(fields []actions.Field) *form {
	f := &form{fields: fields, values: make([]string, len(fields))}
	for i := range fields {
		f.values[i] = fields[i].Value
	}
	return f
}

// fault says what is wrong with a field.
func (f *form) fault(i int) string {
	v := strings.TrimSpace(f.values[i])
	switch check := f.fields[i].Check; {
	case v == "" && f.fields[i].Need:
		return "it is required"
	case v != "" && check != nil:
		return check(v)
	}
	return ""
}

func (f *form) given() map[string]string {
	out := map[string]string{}
	for i := range f.fields {
		out[f.fields[i].Key] = strings.TrimSpace(f.values[i])
	}
	return out
}

// firstFault is the first field that something is wrong with; -1 for none.
func (f *form) firstFault() int {
	for i := range f.fields {
		if f.fault(i) != "" {
			return i
		}
	}
	return -1
}

// maxValue bounds what is typed or pasted into a field.
const maxValue = 2000

func (f *form) add(text string) {
	f.wrong = ""
	for _, r := range text {
		if r >= ' ' && r != 0x7F && len(f.values[f.at]) < maxValue {
			f.values[f.at] += string(r)
		}
	}
}

// turn goes to the next of a field's choices.
func (f *form) turn(by int) {
	choices := f.fields[f.at].Choices
	if len(choices) == 0 {
		return
	}
	i := slices.Index(choices, f.values[f.at])
	f.values[f.at] = choices[((i+by)%len(choices)+len(choices))%len(choices)]
}

func (f *form) move(by int) {
	f.wrong = ""
	f.at = min(max(f.at+by, 0), len(f.fields)-1)
}

// pressedInForm takes a key into the field that the cursor is on. enter goes on once nothing is wrong.
func (m *model) pressedInForm(key, text string) {
	d := m.ui.dialog
	f := d.form
	d.failed = ""
	switch key {
	case "tab", "down":
		f.move(+1)
	case "shift+tab", "up":
		f.move(-1)
	case "right":
		f.turn(+1)
	case "left":
		f.turn(-1)
	case "backspace":
		if r := []rune(f.values[f.at]); len(r) > 0 {
			f.values[f.at] = string(r[:len(r)-1])
		}
		f.wrong = ""
	case "ctrl+u":
		f.values[f.at], f.wrong = "", ""
	case "enter":
		if i := f.firstFault(); i >= 0 {
			f.at = i
			f.wrong = f.fault(i)
			return
		}
		m.makeReady(f.given())
	default:
		f.add(text)
	}
}

// drawForm is one row a field, and what is wrong or helpful below the one with the cursor.
func drawForm(s *scene.Scene, r cell.Rect, f *form) {
	width := 0
	for i := range f.fields {
		width = max(width, cell.Width(f.fields[i].Label))
	}
	width = min(width, r.W/3)
	row := 0
	for i := range f.fields {
		l := s.Line(r, row)
		l.Ground(theme.Dialog)
		row++
		mark := ' '
		if i == f.at {
			mark = '▸'
		}
		l.Rune(ui.Strong, mark, 1).Gap(1).Name(ui.Muted, f.fields[i].Label, width)
		star := " "
		if f.fields[i].Need {
			star = "*"
		}
		l.Gap(1).Text(ui.Muted, star).Gap(1)
		drawTyped(&l, f.values[i], i == f.at, max(l.Left()-2, 4))
		if i != f.at {
			continue
		}
		style, help := ui.Muted, f.fields[i].Help
		if len(f.fields[i].Choices) > 1 {
			help = strings.TrimPrefix(help+"; ← → for "+words.Plural(len(f.fields[i].Choices), "choice"), "; ")
		}
		if f.wrong != "" {
			style, help = theme.Wrong.Plain(), "! "+f.wrong
		}
		l = s.Line(r, row)
		l.Ground(theme.Dialog)
		l.Gap(width+5).Sentence(style, help)
		row++
	}
}

// drawTyped is what is typed, on a ground of its own, its end in sight.
func drawTyped(l *cell.Line, value string, typing bool, width int) {
	style := theme.Text.On(theme.Field)
	room := width - 2
	shown := []rune(ui.Printable(value))
	for len(shown) > 0 && cell.Width(string(shown)) > room-1 {
		shown = shown[1:]
	}
	l.Text(style, " "+string(shown))
	used := cell.Width(string(shown))
	if typing {
		l.Text(style, "█")
		used++
	}
	l.Rune(style, ' ', max(width-1-used, 0))
}
