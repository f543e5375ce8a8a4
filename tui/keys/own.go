package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Merge is the key table with a person's own keys in it.
func Merge(own map[string][]string) []Binding {
	if len(own) == 0 {
		return Table
	}
	table := slices.Clone(Table)
	for i := range table {
		b := &table[i]
		keys, ok := own[string(b.Do)]
		if !ok {
			continue
		}
		b.Keys = slices.Clone(keys)
		b.Show, b.long = strings.Join(keys, " "), ""
		if len(keys) == 0 {
			b.Help, b.Hint = "", ""
		}
	}
	// A key that somebody gave to one thing no longer does another.
	for name, keys := range own {
		for i := range table {
			if string(table[i].Do) != name && own[string(table[i].Do)] == nil {
				table[i].Keys = slices.DeleteFunc(slices.Clone(table[i].Keys), func(k string) bool { return slices.Contains(keys, k) })
			}
		}
	}
	return table
}

// Error says what is wrong with one entry of a map of keys.
type Error struct {
	Name string // of the entry
	Why  string
}

func (e *Error) Error() string { return "keys: " + e.Why }

// Check says what is wrong with a map of keys: names of what keys do, as KeyNames lists them, each with its keys. What is
// wrong is a *KeyError.
func Check(own map[string][]string) error {
	known, given := Names(), map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(known, name) {
			return &Error{name, fmt.Sprintf("%q is nothing a key can do: use one of %s", name, strings.Join(known, ", "))}
		}
		for _, k := range own[name] {
			if _, err := Parse(k); err != nil {
				return &Error{name, fmt.Sprintf("%s: %v", name, err)}
			}
			if other, taken := given[k]; taken && overlap(name, other) {
				return &Error{name, fmt.Sprintf("%q is given to %q and to %q", k, other, name)}
			}
			given[k] = name
		}
	}
	for _, must := range []ID{DoQuit} {
		if keys, ok := own[string(must)]; ok && len(keys) == 0 {
			return &Error{string(must), fmt.Sprintf("%q needs a key", must)}
		}
	}
	return nil
}

// overlap says whether two things that keys do are both there in some view.
func overlap(a, b string) bool {
	for i := range Table {
		for k := range Table {
			x, y := &Table[i], &Table[k]
			if string(x.Do) == a && string(y.Do) == b && (x.in == nil || y.in == nil || slices.ContainsFunc(x.in, y.WorksIn)) {
				return true
			}
		}
	}
	return false
}

// Names are the names of all that keys do.
func Names() []string {
	var out []string
	for i := range Table {
		if name := string(Table[i].Do); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Parse reads the name of a key as Bubble Tea prints it.
func Parse(name string) (tea.KeyPressMsg, error) {
	if k, ok := namedKeys[name]; ok {
		return k, nil
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyPressMsg{Code: r[0], Text: name}, nil
	}
	return tea.KeyPressMsg{}, fmt.Errorf("key %q is not known", name)
}

// namedKeys are keys that print no text.
var namedKeys = map[string]tea.KeyPressMsg{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
	"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
	"esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "f1": {Code: tea.KeyF1},
	"ctrl+b": {Code: 'b', Mod: tea.ModCtrl}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "delete": {Code: tea.KeyDelete},
	"ctrl+a": {Code: 'a', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+e": {Code: 'e', Mod: tea.ModCtrl},
	"ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl},
	"ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
}
