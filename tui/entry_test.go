package tui

import (
	"strings"
	"testing"
)

// Keys move in a text and take from it by letters and words; what was only looked at is not edited.
func TestEntry(t *testing.T) {
	for _, c := range []struct{ begin, keys, want string }{
		{"abc", "left alt+left left", "│abc"},
		{"abc", "home delete", "│bc"},
		{"one two.three", "ctrl+w", "one two.│"},
		{"one two.three", "ctrl+left alt+b ctrl+k", "one │"},
		{"one two", "home ctrl+right ctrl+u", "│ two"},
		{"größe 漢字", "backspace left backspace", "größe│漢"},
		{"", "backspace delete left right", "│"},
	} {
		e := newEntry(c.begin)
		for _, k := range strings.Fields(c.keys) {
			if !e.press(k) {
				t.Errorf("%s is no key for a text", k)
			}
		}
		if got := string(e.runes[:e.at]) + "│" + string(e.runes[e.at:]); got != c.want {
			t.Errorf("%q after %s: %s, want %s", c.begin, c.keys, got, c.want)
		}
	}
	e := newEntry("one\n\ttwo")
	e.press("home")
	e.press("end")
	if e.edited || e.String() != "one\n\ttwo" {
		t.Errorf("looked at: %q, edited %v", e, e.edited)
	}
	e.insert("\r\nthree")
	if !e.edited || e.String() != "one\n\ttwo\nthree" {
		t.Errorf("pasted into: %q, edited %v", e, e.edited)
	}
	if e.insert(strings.Repeat("x", maxEntry)) || e.String() != "one\n\ttwo\nthree" {
		t.Errorf("of what is too long, %d letters are kept", len(e.runes))
	}
	if !e.insert(strings.Repeat("x", maxEntry-len(e.runes))) || len(e.runes) != maxEntry {
		t.Errorf("of what just fits, %d letters are kept", len(e.runes))
	}
}
