package tui

import (
	"regroup/tui/keys"
)

// asks are the keys of what a draft asks for first, for the footer: a plugin, a file, or the name of a setting. While one of these
// is typed the draft's own keys are letters, or mean something else.
func (dr *draft) asks() []keys.Line {
	line := func(key, hint string, keep int) keys.Line {
		return keys.Line{Binding: &keys.Binding{Keys: []string{key}, Hint: hint, Keep: keep}}
	}
	switch {
	case dr.sent != 0 || dr.making:
		return nil
	case dr.load != nil:
		return []keys.Line{line("type the file's path", "", 7), line("enter", "read it", 9), line("esc", "back", 10)}
	case dr.choose != nil:
		out := []keys.Line{line("type to find", "", 7), line("↑ ↓", "plugin", 8)}
		if dr.Load != nil {
			out = append(out, line("ctrl-o", "file", 3))
		}
		return append(out, line("enter", "choose it", 9), line("esc", "leave", 10), line("f1", "help", 6))
	case dr.find != nil:
		return []keys.Line{line("type to find", "", 7), line("↑ ↓", "setting", 8), line("enter", "go to it", 9), line("esc", "back", 10), line("f1", "help", 6)}
	}
	return nil
}
