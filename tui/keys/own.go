package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

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
		given, ok := own[string(b.Do)]
		if !ok {
			continue
		}
		if slices.ContainsFunc(b.in, View.Types) {
			given = slices.DeleteFunc(slices.Clone(given), letter)
			if len(given) == 0 {
				continue // where a letter is text, the key stays what it was
			}
		}
		b.Keys = slices.Clone(given)
		b.Show, b.long = strings.Join(given, " "), ""
		if len(given) == 0 {
			b.Help, b.Hint = "", ""
		}
	}
	// A key that somebody gave to one thing no longer does another in the same place.
	for name, given := range own {
		for i := range table {
			b := &table[i]
			if own[string(b.Do)] == nil && slices.ContainsFunc(table, func(o Binding) bool { return string(o.Do) == name && together(&o, b) }) {
				b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool {
					return slices.Contains(given, k) && !(letter(k) && slices.ContainsFunc(b.in, View.Types))
				})
			}
		}
	}
	return table
}

// letter reports whether a key is text where text is typed.
func letter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// Lookup is the binding that a key has in a place; nil: it has none there. Where text is typed, what is text has none.
func Lookup(table []Binding, in View, key string, there func(*Binding) bool) *Binding {
	if in.Types() && letter(key) {
		return nil
	}
	for i := range table {
		if b := &table[i]; b.WorksIn(in) && slices.Contains(b.Keys, key) && there(b) {
			return b
		}
	}
	return nil
}

// Shown is how the keys that do something in a place are printed; "": there are none.
func Shown(table []Binding, in View, do ID) string {
	for i := range table {
		if b := &table[i]; b.Do == do && b.WorksIn(in) && len(b.Keys) > 0 {
			return b.Shown()
		}
	}
	return ""
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

// overlap says whether two things that keys do are both there in some place.
func overlap(a, b string) bool {
	for i := range Table {
		for k := range Table {
			if x, y := &Table[i], &Table[k]; string(x.Do) == a && string(y.Do) == b && together(x, y) {
				return true
			}
		}
	}
	return false
}

// together says whether two keys are in force in one place.
func together(a, b *Binding) bool {
	switch {
	case a.in == nil && b.in == nil:
		return true
	case a.in == nil:
		return slices.ContainsFunc(b.in, a.WorksIn)
	}
	return slices.ContainsFunc(a.in, b.WorksIn)
}

// Names are the names of all that keys do.
func Names() []string {
	var out []string
	for i := range Table {
		if name := string(Table[i].Do); name != "" && !slices.Contains(out, name) {
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
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt} {
		if r, ok := strings.CutPrefix(name, prefix); ok && len(r) == 1 && r[0] >= 'a' && r[0] <= 'z' {
			return tea.KeyPressMsg{Code: rune(r[0]), Mod: mod}, nil
		}
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
	"f1": {Code: tea.KeyF1}, "delete": {Code: tea.KeyDelete},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
	"alt+left": {Code: tea.KeyLeft, Mod: tea.ModAlt}, "alt+right": {Code: tea.KeyRight, Mod: tea.ModAlt},
	"alt+backspace": {Code: tea.KeyBackspace, Mod: tea.ModAlt},
}
