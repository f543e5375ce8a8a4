package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// keymap is the key table with a person's own keys in it.
func keymap(own map[string][]string) []binding {
	if len(own) == 0 {
		return keyTable
	}
	table := slices.Clone(keyTable)
	for i := range table {
		b := &table[i]
		keys, ok := own[string(b.do)]
		if !ok {
			continue
		}
		b.keys = slices.Clone(keys)
		b.show, b.long = strings.Join(keys, " "), ""
		if len(keys) == 0 {
			b.help, b.hint = "", ""
		}
	}
	// A key that somebody gave to one thing no longer does another.
	for name, keys := range own {
		for i := range table {
			if string(table[i].do) != name && own[string(table[i].do)] == nil {
				table[i].keys = slices.DeleteFunc(slices.Clone(table[i].keys), func(k string) bool { return slices.Contains(keys, k) })
			}
		}
	}
	return table
}

// KeyError says what is wrong with one entry of a map of keys.
type KeyError struct {
	Name string // of the entry
	Why  string
}

func (e *KeyError) Error() string { return "keys: " + e.Why }

// CheckKeys says what is wrong with a map of keys: names of what keys do, as KeyNames lists them, each with its keys. What is
// wrong is a *KeyError.
func CheckKeys(own map[string][]string) error {
	known, given := KeyNames(), map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(known, name) {
			return &KeyError{name, fmt.Sprintf("%q is nothing a key can do: use one of %s", name, strings.Join(known, ", "))}
		}
		for _, k := range own[name] {
			if _, err := parseKey(k); err != nil {
				return &KeyError{name, fmt.Sprintf("%s: %v", name, err)}
			}
			if other, taken := given[k]; taken && overlap(name, other) {
				return &KeyError{name, fmt.Sprintf("%q is given to %q and to %q", k, other, name)}
			}
			given[k] = name
		}
	}
	for _, must := range []handlerID{doQuit} {
		if keys, ok := own[string(must)]; ok && len(keys) == 0 {
			return &KeyError{string(must), fmt.Sprintf("%q needs a key", must)}
		}
	}
	return nil
}

// overlap says whether two things that keys do are both there in some view.
func overlap(a, b string) bool {
	for i := range keyTable {
		for k := range keyTable {
			x, y := &keyTable[i], &keyTable[k]
			if string(x.do) == a && string(y.do) == b && (x.in == nil || y.in == nil || slices.ContainsFunc(x.in, y.worksIn)) {
				return true
			}
		}
	}
	return false
}

// KeyNames are the names of all that keys do.
func KeyNames() []string {
	var out []string
	for i := range keyTable {
		if name := string(keyTable[i].do); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// binding finds what a key does in the view that is open.
func (m *model) binding(key string) *binding {
	for i := range m.keys {
		if b := &m.keys[i]; b.there(m) && slices.Contains(b.keys, key) {
			return b
		}
	}
	return nil
}
