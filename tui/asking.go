package tui

import (
	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/tui/cell"
	"regroup/tui/ui"
)

// asking is an action that waits for somebody's agreement. The button that leaves everything as it is has the focus first.
type asking struct {
	prepared *actions.PreparedAction
	yes      bool   // the button that does it has the focus
	typed    string // where something has to be typed
	eager    bool   // what is listed is what eager would do
	top      int    // first line in sight
	lines    int    // of all, as drawn last
	rows     int    // in sight, as drawn last
}

// off says why the button that does it cannot be pressed; "": it can.
func (a *asking) off() string {
	if q := a.prepared.Question; q.Type != "" && a.typed != q.Type {
		return "off until it is typed"
	}
	return ""
}

// pressedInAsking chooses a button, or types a name where that has to be typed.
func (m *model) pressedInAsking(key, text string) {
	a := m.ui.dialog.ask
	typing := a.prepared.Question.Type != ""
	switch key {
	case "tab", "shift+tab", "left", "right":
		a.yes = !a.yes && a.off() == ""
	case "up":
		a.top--
	case "down":
		a.top++
	case "pgup":
		a.top -= a.rows
	case "pgdown":
		a.top += a.rows
	case "enter":
		m.decide()
		return
	case "backspace":
		if r := []rune(a.typed); len(r) > 0 {
			a.typed = string(r[:len(r)-1])
		}
		a.yes = a.yes && a.off() == ""
	case "ctrl+u":
		a.typed, a.yes = "", false
	case "e":
		if !typing {
			a.eager, a.top = !a.eager, 0
			return
		}
		a.add(text)
	default:
		a.add(text)
	}
	a.top = min(max(a.top, 0), max(a.lines-a.rows, 0))
}

func (a *asking) add(text string) {
	if a.prepared.Question.Type == "" {
		return
	}
	for _, r := range text {
		if r >= ' ' && r != 0x7F && len(a.typed) < maxValue {
			a.typed += string(r)
		}
	}
	a.yes = a.yes && a.off() == ""
}

// decide does what the focused button says.
func (m *model) decide() {
	a := m.ui.dialog.ask
	if !a.yes || a.off() != "" {
		m.closeDialog()
		m.ui.message = a.prepared.Action.String() + ": left as it is."
		return
	}
	m.ui.dialog = nil
	if m.ui.draft != nil {
		m.ui.draft.sent = m.asked + 1
	}
	m.carryOut(a.prepared, a.typed)
}

// outcomes are what is listed: what will happen, or what eager would do.
func (a *asking) outcomes() []foresight.Outcome {
	if a.prepared.Preview == nil {
		return nil
	}
	return a.prepared.Preview.Outcomes
}

// buttonWords are the two buttons'.
func (a *asking) buttonWords() (safe, do string) {
	return "[ Leave it ]", "[ " + cell.Middle(ui.Printable(capitalised(a.prepared.Action.String())), maxButton) + " ]"
}

// maxButton is how much of a name a button shows.
const maxButton = 40

func capitalised(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
