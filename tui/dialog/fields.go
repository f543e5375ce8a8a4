package dialog

import (
	"slices"
	"strings"

	"regroup/actions/act"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// fields are what has to be told before something can be made ready.
type fields struct {
	all    []act.Field
	inputs []ui.Input
	at     int
	wrong  string // with the field that the cursor is on, found by enter
}

func newFields(all []act.Field) *fields {
	f := &fields{all: all, inputs: make([]ui.Input, len(all))}
	for i := range all {
		f.inputs[i] = ui.NewInput(all[i].Value)
	}
	return f
}

// fault says what is wrong with a field.
func (f *fields) fault(i int) string {
	v := strings.TrimSpace(f.inputs[i].String())
	switch check := f.all[i].Check; {
	case v == "" && f.all[i].Need:
		return "it is required"
	case v != "" && check != nil:
		return check(v)
	}
	return ""
}

func (f *fields) given() map[string]string {
	out := map[string]string{}
	for i := range f.all {
		out[f.all[i].Key] = strings.TrimSpace(f.inputs[i].String())
	}
	return out
}

// firstFault is the first field that something is wrong with; -1 for none.
func (f *fields) firstFault() int {
	for i := range f.all {
		if f.fault(i) != "" {
			return i
		}
	}
	return -1
}

// maxValue bounds what is typed or pasted into a field, in columns.
const maxValue = 2000

func (f *fields) add(text string) {
	f.wrong = ""
	f.inputs[f.at].Type(text, maxValue)
}

// turn goes to the next of a field's choices; where there are none, through its text.
func (f *fields) turn(by int, in ui.Edit) {
	choices, now := f.all[f.at].Choices, &f.inputs[f.at]
	if len(choices) == 0 {
		now.Press(in)
		return
	}
	i := slices.Index(choices, now.String())
	now.Set(choices[((i+by)%len(choices)+len(choices))%len(choices)])
}

func (f *fields) move(by int) {
	f.wrong = ""
	f.at = min(max(f.at+by, 0), len(f.all)-1)
}

// pressedInFields takes a key into the field that the cursor is on. What goes on does so once nothing is wrong.
func (d *Dialog) pressedInFields(what keys.ID, text string) {
	f := d.fields
	d.failed = ""
	switch what {
	case keys.DoDown:
		f.move(+1)
	case keys.DoUp:
		f.move(-1)
	case keys.DoChoiceAfter:
		f.turn(+1, ui.EditRight)
	case keys.DoChoiceBefore:
		f.turn(-1, ui.EditLeft)
	case keys.DoOpen:
		if i := f.firstFault(); i >= 0 {
			f.at = i
			f.wrong = f.fault(i)
			return
		}
		d.makeReady(f.given())
	default:
		if f.inputs[f.at].Press(ui.Edit(what)) {
			f.wrong = ""
			return
		}
		f.add(text)
	}
}

// draw draws one row a field, and what is wrong or helpful below the one with the cursor.
func (f *fields) draw(s *scene.Scene, r cell.Rect) {
	width := 0
	for i := range f.all {
		width = max(width, cell.Width(f.all[i].Label))
	}
	width = min(width, r.W/3)
	row := 0
	for i := range f.all {
		l := s.Line(r, row)
		l.Ground(theme.Dialog)
		row++
		mark := ' '
		if i == f.at {
			mark = '▸'
		}
		l.Rune(ui.Strong, mark, 1).Gap(1).Name(ui.Muted, f.all[i].Label, width)
		star := " "
		if f.all[i].Need {
			star = "*"
		}
		l.Gap(1).Text(ui.Muted, star).Gap(1)
		f.inputs[i].Draw(&l, max(l.Left()-2, 4), i == f.at, false, ui.Text)
		if i != f.at {
			continue
		}
		style, help := ui.Muted, f.all[i].Help
		if len(f.all[i].Choices) > 1 {
			help = strings.TrimPrefix(help+"; "+s.Key(keys.Fields, keys.DoChoiceBefore)+" for "+words.Plural(len(f.all[i].Choices), "choice"), "; ")
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

// drawEditing is a form, or the wait for what was told to be made ready.
func (d *Dialog) drawEditing(s *scene.Scene) {
	rows := 4
	if d.fields != nil {
		rows = len(d.fields.all) + 5
	}
	inner := drawBox(s, ui.Capitalised(d.offer.Label), s.Group, 88, rows)
	if d.fields != nil {
		d.fields.draw(s, inner.Rows(0, inner.H-2))
	}
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	switch {
	case d.stage == waiting:
		l.Text(ui.Muted, "looking at what will happen").Gap(2)
		scene.Hint(&l, s.Key(keys.Waiting, keys.DoBack), "leave")
	case d.failed != "":
		lines := cell.Wrap("! "+ui.Printable(d.failed), inner.W)
		for i, text := range lines[:min(len(lines), 2)] {
			l = s.Line(inner, inner.H-2+i)
			l.Ground(theme.Dialog).Sentence(theme.Wrong.Plain(), text)
		}
	default:
		if len(d.fields.all) > 1 {
			scene.Hint(&l, s.Key(keys.Fields, keys.DoDown), "next field")
		}
		back := "back"
		if d.direct {
			back = "leave"
		}
		scene.Hint(&l, s.Key(keys.Fields, keys.DoOpen), "go on", s.Key(keys.Fields, keys.DoBack), back)
	}
}
