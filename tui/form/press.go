package form

import (
	"slices"
	"strings"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
)

// Place is where keys are pressed.
func (f *Form) Place() keys.View {
	switch {
	case f.sent || f.making:
	case f.load != nil:
		return keys.FilePath
	case f.choose != nil:
		return keys.Plugins
	case f.find != nil:
		return keys.Find
	}
	return keys.Form
}

// Press takes a key, or what is typed.
func (f *Form) Press(what keys.ID, text string) scene.Action {
	if what == keys.DoBack {
		return f.leave()
	}
	f.leaving = false
	switch {
	case f.sent:
		return scene.SayMessage{Text: "it is under way; esc leaves the form."}
	case f.making:
		return scene.SayMessage{Text: "what will happen is being looked at; esc leaves that."}
	case f.load != nil:
		f.typePath(what, text)
		return nil
	case what == keys.DoFile:
		f.failed, f.load = "", &ui.Input{}
		return nil
	case f.choose != nil:
		if p, ok := f.choose.press(what, text); ok {
			f.choose, f.base[keyClass] = nil, &p.Class
			f.askLook()
		}
		return nil
	case f.find != nil && f.typeToFind(what, text):
		return nil
	}
	f.failed = ""
	return f.pressedInSettings(what, text)
}

func (f *Form) pressedInSettings(what keys.ID, text string) scene.Action {
	switch what {
	case keys.DoUp:
		f.step(-1)
	case keys.DoDown:
		f.step(+1)
	case keys.DoPageUp:
		f.step(-max(f.list.Height-1, 1))
	case keys.DoPageDown:
		f.step(max(f.list.Height-1, 1))
	case keys.DoChoiceBefore:
		return f.turn(-1, ui.EditLeft)
	case keys.DoChoiceAfter:
		return f.turn(+1, ui.EditRight)
	case keys.DoFind:
		f.find, f.whole = &ui.Input{}, false
	case keys.DoAll:
		f.all, f.find = !f.all, nil
	case keys.DoSent:
		f.whole, f.top = !f.whole, 0
	case keys.DoUndo:
		f.undo()
	case keys.DoEditor:
		return f.edit()
	case keys.DoOpen:
		f.whole = false
		return f.makeReady()
	default:
		return f.typeIn(ui.Edit(what), text)
	}
	return nil
}

// step goes by settings, or by lines of what will be sent.
func (f *Form) step(by int) {
	if f.whole {
		f.top = max(f.top+by, 0)
		return
	}
	f.move(by)
}

// undo makes the setting under the cursor what is there.
func (f *Form) undo() {
	if delete(f.typed, f.at); !sameText(f.base[f.at], f.Values[f.at]) {
		if v, ok := f.Values[f.at]; ok {
			f.base[f.at] = v
		} else if f.at != keyClass {
			delete(f.base, f.at)
		}
	}
	f.askLook()
}

// CanEdit reports whether there is an editor for it.
func (f *Form) CanEdit() bool { return f.Edit != nil }

// CanLoad reports whether it can be filled from a file.
func (f *Form) CanLoad() bool { return f.Load != nil }

// typePath takes a key into the name of the file that is to be read.
func (f *Form) typePath(what keys.ID, text string) {
	switch {
	case what == keys.DoOpen:
		path := f.load.String()
		if f.load = nil; path != "" {
			f.loadFile(path)
		}
	case !f.load.Press(ui.Edit(what)):
		f.load.Insert(text)
	}
}

// typeToFind takes a key into what is typed to find a setting, and says whether it was one for that.
func (f *Form) typeToFind(what keys.ID, text string) bool {
	switch what {
	case keys.DoOpen:
		want := f.find.String()
		if len(f.keys()) == 0 && want != "" {
			f.met[want] = true
			f.at = want
		}
		if f.at != "" {
			f.met[f.at] = true
		}
		f.find = nil
	case keys.DoUp, keys.DoDown, keys.DoPageUp, keys.DoPageDown, keys.DoAll:
		return false
	default:
		if !f.find.Press(ui.Edit(what)) {
			f.find.Insert(text)
		}
		f.toFound()
	}
	return true
}

// typeIn takes a key into the setting under the cursor.
func (f *Form) typeIn(edit ui.Edit, text string) scene.Action {
	if f.whole || f.at == "" {
		return nil
	}
	if f.fixed(f.at) {
		return scene.SayMessage{Text: ui.Printable(f.at) + " cannot be changed."}
	}
	was, had := f.stands(f.at)
	in, fits := f.input(f.at), true
	masked := had && was != nil && !in.Edited() && in.String() == "" && *was != ""
	if masked && (edit == ui.EditBackspace || edit == ui.EditClear) {
		in.Set("") // a secret goes as a whole
	} else if !in.Press(edit) {
		fits = in.Insert(text)
	}
	if now, has := f.stands(f.at); had != has || had && !sameText(was, now) {
		f.askLook()
	}
	return fitted(fits)
}

// fitted says so where nothing was taken of a text.
func fitted(ok bool) scene.Action {
	if ok {
		return nil
	}
	return scene.SayMessage{Text: "not taken: it is longer than a setting may be here, " + words.Thousands(ui.MaxInput) + " letters; ctrl-e or ctrl-o takes more."}
}

// turn goes to the next of a setting's choices where it stands on one of them, else through its text.
func (f *Form) turn(by int, in ui.Edit) scene.Action {
	choices := f.choices(f.at)
	v, given := f.given(f.at)
	i := slices.Index(choices, v)
	if f.whole || f.at == "" || len(choices) == 0 || given && i < 0 || f.fixed(f.at) {
		return f.typeIn(in, "")
	}
	switch {
	case !given && by > 0:
		i = 0
	case !given:
		i = len(choices) - 1
	default:
		i = ((i+by)%len(choices) + len(choices)) % len(choices)
	}
	f.input(f.at).Set(choices[i])
	f.askLook()
	return nil
}

// leave undoes one thing: what is being looked at, or found, or shown; then it leaves, and asks where something was written.
func (f *Form) leave() scene.Action {
	switch {
	case f.sent:
		return scene.CloseForm{}
	case f.making:
		f.making = false
		f.askLook()
	case f.load != nil:
		f.load = nil
	case f.find != nil:
		f.find = nil
	case f.whole:
		f.whole = false
	case !f.leaving && f.touched() && f.choose == nil:
		f.leaving = true
		return scene.SayMessage{Text: "esc again leaves; what is written here is lost."}
	default:
		return scene.CloseForm{}
	}
	return nil
}

// Paste takes a pasted text where one is typed, as it is but for line breaks around it.
func (f *Form) Paste(text string) scene.Action {
	text = strings.Trim(text, "\r\n")
	f.leaving = false
	switch {
	case f.making || f.sent:
	case f.choose != nil:
		return fitted(f.choose.find.Insert(text))
	case f.load != nil:
		return fitted(f.load.Insert(text))
	case f.find != nil:
		ok := f.find.Insert(text)
		f.toFound()
		return fitted(ok)
	default:
		return f.typeIn("", text)
	}
	return nil
}
