package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/ui"
)

// draftKey is a key that means something while a draft is open; every other one is typed into the setting under the cursor.
type draftKey struct {
	keys.Binding
	off func(m *model) string // why it cannot work now; nil or "": it can
	run func(m *model, dr *draft) tea.Cmd
}

const keysDraft keys.Group = "Form"

// draftKeys are in the order of the footer.
var draftKeys []draftKey

func init() { // not a literal: what the keys do refers to the table
	key := func(name, long, hint, help string, keep int, off func(*model) string, run func(m *model, dr *draft) tea.Cmd) {
		draftKeys = append(draftKeys, draftKey{keys.Binding{Keys: []string{name}, Show: long, Hint: hint, Help: help, Group: keysDraft, Keep: keep}, off, run})
	}
	moving := func(by func(dr *draft) int) func(*model, *draft) tea.Cmd {
		return func(_ *model, dr *draft) tea.Cmd {
			if dr.whole {
				dr.top = max(dr.top+by(dr), 0)
			} else {
				dr.move(by(dr))
			}
			return nil
		}
	}
	one := func(n int) func(*draft) int { return func(*draft) int { return n } }
	key("tab", "tab", "", "next setting", 0, nil, moving(one(+1)))
	key("shift+tab", "", "", "", 0, nil, moving(one(-1)))
	key("up", "↑ ↓", "setting", "setting before, after", 7, nil, moving(one(-1)))
	key("down", "", "", "", 0, nil, moving(one(+1)))
	key("pgup", "pgup pgdn", "", "page", 0, nil, moving(func(dr *draft) int { return -max(dr.list.Height-1, 1) }))
	key("pgdown", "", "", "", 0, nil, moving(func(dr *draft) int { return max(dr.list.Height-1, 1) }))
	key("left", "← →", "", "next choice, or in the text", 0, nil, turning(-1))
	key("right", "", "", "", 0, nil, turning(+1))
	key("ctrl+f", "ctrl-f", "find", "find a setting, or add one", 6, nil, func(_ *model, dr *draft) tea.Cmd {
		dr.find, dr.whole = &entry{}, false
		return nil
	})
	key("ctrl+a", "ctrl-a", "all", "every setting, or those that matter", 5, nil, func(_ *model, dr *draft) tea.Cmd {
		dr.all, dr.find = !dr.all, nil
		return nil
	})
	key("ctrl+d", "ctrl-d", "what is sent", "what will be sent", 6, nil, func(_ *model, dr *draft) tea.Cmd {
		dr.whole, dr.top = !dr.whole, 0
		return nil
	})
	key("ctrl+r", "ctrl-r", "", "a setting as it was", 0, nil, func(m *model, dr *draft) tea.Cmd {
		if delete(dr.typed, dr.at); !sameText(dr.base[dr.at], dr.Values[dr.at]) {
			if v, ok := dr.Values[dr.at]; ok {
				dr.base[dr.at] = v
			} else if dr.at != keyClass {
				delete(dr.base, dr.at)
			}
		}
		m.askLook()
		return nil
	})
	key("ctrl+e", "ctrl-e", "editor", "in $EDITOR", 4, noEditor, func(m *model, _ *draft) tea.Cmd { return m.edit() })
	key("ctrl+o", "ctrl-o", "file", "from a file", 3, noLoading, func(_ *model, dr *draft) tea.Cmd {
		dr.load = &entry{}
		return nil
	})
	key("enter", "enter", "go on", "what will happen, then agree", 8, nil, func(m *model, dr *draft) tea.Cmd {
		dr.whole = false
		m.makeDraftReady()
		return nil
	})
	key("esc", "esc", "leave", "back, or leave", 9, nil, leaveDraft)
	key("f1", "f1", "help", "this help", 10, nil, func(m *model, _ *draft) tea.Cmd {
		m.ui.help, m.ui.page = true, 0
		return nil
	})
	key("ctrl+z", "ctrl-z", "", "to the shell, fg back", 0, nil, func(*model, *draft) tea.Cmd { return tea.Suspend })
	key("ctrl+c", "ctrl-c", "", "quit", 0, nil, func(*model, *draft) tea.Cmd { return tea.Quit })
}

func noEditor(m *model) string {
	switch {
	case m.ui.draft == nil || m.ui.draft.Edit == nil:
		return "there is no editor here"
	case m.acting.busy && !m.acting.did:
		return m.acting.what + " is under way" // while an editor has the terminal, nobody listens to it
	}
	return ""
}

func noLoading(m *model) string {
	if m.ui.draft == nil || m.ui.draft.Load == nil {
		return "it is not read from files"
	}
	return ""
}

// draftKeyLines are the keys of a draft, for the footer (hinted) or for the help.
func (m *model) draftKeyLines(hinted bool) []keys.Line {
	var out []keys.Line
	for i := range draftKeys {
		k := &draftKeys[i]
		if hinted && k.Hint == "" || !hinted && k.Help == "" {
			continue
		}
		line := keys.Line{&k.Binding, ""}
		if k.off != nil {
			line.Off = k.off(m)
		}
		out = append(out, line)
	}
	return out
}

// pressedInDraft takes a key into the draft.
func (m *model) pressedInDraft(key, text string) tea.Cmd {
	dr := m.ui.draft
	if key != "esc" {
		dr.leaving = false
	}
	if key == "ctrl+c" {
		return tea.Quit
	}
	switch {
	case dr.sent != 0 && key != "esc":
		m.ui.message = "it is under way; esc leaves the form."
		return nil
	case dr.making && key != "esc":
		m.ui.message = "what will happen is being looked at; esc leaves that."
		return nil
	case dr.choose != nil && key != "esc" && key != "f1" && key != "ctrl+z" && key != "ctrl+o":
		if p, ok := dr.choose.press(key, text); ok {
			dr.choose, dr.base[keyClass] = nil, &p.Class
			m.askLook()
		}
		return nil
	case dr.load != nil && key != "esc":
		if key == "enter" {
			path := dr.load.String()
			if dr.load = nil; path != "" {
				m.loadDraft(path)
			}
		} else if !dr.load.press(key) {
			dr.load.insert(text)
		}
		return nil
	case dr.find != nil && m.pressedInFind(key, text):
		return nil
	}
	dr.failed = ""
	for i := range draftKeys {
		b := &draftKeys[i]
		if !slices.Contains(b.Keys, key) {
			continue
		}
		if b.off != nil {
			if off := b.off(m); off != "" {
				m.ui.message = b.Shown() + " is off: " + off + "."
				return nil
			}
		}
		return b.run(m, dr)
	}
	m.typeIn(key, text)
	return nil
}

// pressedInFind takes a key into what is typed to find a setting, and says whether it was one for that.
func (m *model) pressedInFind(key, text string) bool {
	dr := m.ui.draft
	switch key {
	case "enter":
		want := dr.find.String()
		if len(dr.keys()) == 0 && want != "" {
			dr.met[want] = true
			dr.at = want
		}
		if dr.at != "" {
			dr.met[dr.at] = true
		}
		dr.find = nil
	case "up", "down", "tab", "shift+tab", "pgup", "pgdown", "esc", "f1", "ctrl+a", "ctrl+z", "ctrl+c":
		return false
	default:
		if !dr.find.press(key) {
			dr.find.insert(text)
		}
		dr.toFound()
	}
	return true
}

// typeIn takes a key into the setting under the cursor.
func (m *model) typeIn(key, text string) {
	dr := m.ui.draft
	if dr.whole || dr.at == "" {
		return
	}
	if dr.fixed(dr.at) {
		m.ui.message = ui.Printable(dr.at) + " cannot be changed."
		return
	}
	was, had := dr.stands(dr.at)
	e := dr.entryOf(dr.at)
	if masked := had && was != nil && !e.edited && len(e.runes) == 0 && *was != ""; masked && (key == "backspace" || key == "ctrl+u") {
		e.set("") // a secret goes as a whole
	} else if !e.press(key) {
		m.fitted(e.insert(text))
	}
	if now, has := dr.stands(dr.at); had != has || had && !sameText(was, now) {
		m.askLook()
	}
}

// fitted says so where nothing was taken of a text.
func (m *model) fitted(ok bool) {
	if !ok {
		m.ui.message = "not taken: it is longer than a setting may be here, " + words.Thousands(maxEntry) + " letters; ctrl-e or ctrl-o takes more."
	}
}

// turning goes to the next of a setting's choices where it stands on one of them, else through its text.
func turning(by int) func(*model, *draft) tea.Cmd {
	return func(m *model, dr *draft) tea.Cmd {
		key := "right"
		if by < 0 {
			key = "left"
		}
		choices := dr.choices(dr.at)
		v, given := dr.given(dr.at)
		i := slices.Index(choices, v)
		if dr.whole || dr.at == "" || len(choices) == 0 || given && i < 0 || dr.fixed(dr.at) {
			m.typeIn(key, "")
			return nil
		}
		switch {
		case !given && by > 0:
			i = 0
		case !given:
			i = len(choices) - 1
		default:
			i = ((i+by)%len(choices) + len(choices)) % len(choices)
		}
		dr.entryOf(dr.at).set(choices[i])
		m.askLook()
		return nil
	}
}

// leaveDraft undoes one thing: what is being looked at, or found, or shown; then it leaves, and asks where something was
// written.
func leaveDraft(m *model, dr *draft) tea.Cmd {
	switch {
	case dr.sent != 0:
		m.closeDraft()
	case dr.making:
		dr.end()
		dr.making, dr.end = false, nil
		m.askLook()
	case dr.load != nil:
		dr.load = nil
	case dr.find != nil:
		dr.find = nil
	case dr.whole:
		dr.whole = false
	case !dr.leaving && dr.touched() && dr.choose == nil:
		dr.leaving = true
		m.ui.message = "esc again leaves; what is written here is lost."
	default:
		m.closeDraft()
	}
	return nil
}

// pastedInDraft takes a pasted text where one is typed, as it is but for line breaks around it.
func (m *model) pastedInDraft(text string) {
	dr := m.ui.draft
	m.stale, dr.leaving = true, false
	switch {
	case dr.making || dr.sent != 0:
	case dr.choose != nil:
		m.fitted(dr.choose.find.insert(text))
	case dr.load != nil:
		m.fitted(dr.load.insert(text))
	case dr.find != nil:
		m.fitted(dr.find.insert(text))
		dr.toFound()
	default:
		m.typeIn("", text)
	}
}
