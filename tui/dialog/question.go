package dialog

import (
	"regroup/actions"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// question is an action that waits for somebody's agreement. The button that leaves everything as it is has the focus first.
type question struct {
	prepared *actions.PreparedAction
	yes      bool     // the button that does it has the focus
	typed    ui.Input // where something has to be typed
	eager    bool     // what is listed is what eager would do
	top      int      // first line in sight
	lines    int      // of all, as drawn last
	rows     int      // in sight, as drawn last
}

// off says why the button that does it cannot be pressed; "": it can.
func (q *question) off() string {
	if name := q.prepared.Question.Type; name != "" && q.typed.String() != name {
		return "off until it is typed"
	}
	return ""
}

// press chooses a button, or types a name where that has to be typed.
func (q *question) press(what keys.ID, text string) scene.Action {
	switch what {
	case keys.DoButton:
		q.yes = !q.yes && q.off() == ""
	case keys.DoUp:
		q.top--
	case keys.DoDown:
		q.top++
	case keys.DoPageUp:
		q.top -= q.rows
	case keys.DoPageDown:
		q.top += q.rows
	case keys.DoEager:
		q.eager, q.top = !q.eager, 0
	case keys.DoOpen:
		return q.decide()
	default:
		if q.typed.Press(ui.Edit(what)) {
			q.yes = q.yes && q.off() == ""
		} else {
			q.add(text)
		}
	}
	q.top = min(max(q.top, 0), max(q.lines-q.rows, 0))
	return nil
}

func (q *question) add(text string) {
	if q.prepared.Question.Type == "" {
		return
	}
	q.typed.Type(text, maxValue)
	q.yes = q.yes && q.off() == ""
}

// decide does what the focused button says.
func (q *question) decide() scene.Action {
	if !q.yes || q.off() != "" {
		return scene.CloseDialog{Text: q.prepared.Action.String() + ": left as it is."}
	}
	return scene.CarryOut{Prepared: q.prepared, Typed: q.typed.String()}
}

// buttonWords are the two buttons'.
func (q *question) buttonWords() (safe, do string) {
	return "[ Leave it ]", "[ " + cell.Middle(ui.Printable(ui.Capitalised(q.prepared.Action.String())), maxButton) + " ]"
}

// maxButton is how much of a name a button shows.
const maxButton = 40

// draw draws what will happen, what has to be typed, and the two buttons.
func (q *question) draw(s *scene.Scene) {
	width := min(98, s.Lay.Screen.W-2)
	lines := parts.ForeseenLines(q.prepared, q.eager, width-7)
	below := 3
	if q.prepared.Question.Type != "" {
		below = 6
	}
	title := ui.Capitalised(q.prepared.Action.String())
	q.rows, q.lines = max(boxRows(s, len(lines)+below)-below, 0), len(lines) // the corner tells of them
	q.top = min(max(q.top, 0), max(q.lines-q.rows, 0))
	inner := drawBox(s, title, q.note(s), width, len(lines)+below)
	drawLines(s, inner, lines, q.top, q.rows)
	if q.prepared.Question.Type != "" {
		l := s.Line(inner, inner.H-below+1)
		l.Ground(theme.Dialog).Sentence(ui.Text, "Type "+ui.Printable(q.prepared.Question.Type)+" to go on:")
		l = s.Line(inner, inner.H-below+2)
		l.Ground(theme.Dialog)
		q.typed.Draw(&l, min(inner.W, 50), true, false, ui.Text)
	}
	q.drawButtons(s, inner)
}

// note is the dialog's corner: where it is done, and in production that it is.
func (q *question) note(s *scene.Scene) string {
	note := ui.Printable(s.Group)
	if q.prepared.Note != "" {
		note += " · " + ui.Printable(q.prepared.Note)
	}
	if q.lines > q.rows && q.rows > 0 {
		note += " · " + words.Thousands(q.top+1) + "-" + words.Thousands(min(q.top+q.rows, q.lines)) + " of " + words.Thousands(q.lines) + " " + s.Key(keys.Question, keys.DoUp)
	}
	return note
}

func (q *question) drawButtons(s *scene.Scene, inner cell.Rect) {
	l := s.Line(inner, inner.H-2)
	l.Ground(theme.Dialog)
	safe, do := q.buttonWords()
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
	button(safe, !q.yes, false)
	l.Gap(2)
	button(do, q.yes, q.off() != "")
	l.Gap(2)
	if off := q.off(); off != "" {
		l.Text(ui.Muted, off).Gap(2)
		scene.Hint(&l, s.Key(keys.Question, keys.DoBack), "leave")
	} else {
		does := "leave it"
		if q.yes {
			does = "do it"
		}
		scene.Hint(&l, s.Key(keys.Question, keys.DoButton), "choose", s.Key(keys.Question, keys.DoOpen), does)
		if q.prepared.Preview != nil && q.prepared.Question.Type == "" {
			word := "what eager would do"
			if q.eager {
				word = "what will happen"
			}
			scene.Hint(&l, s.Key(keys.Question, keys.DoEager), word)
		}
		scene.Hint(&l, s.Key(keys.Question, keys.DoBack), "leave")
	}
	l = s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog).Sentence(ui.Muted, "Nothing changes before that. The action goes into the events.")
}
