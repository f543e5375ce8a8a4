package ui

import (
	"strings"
	"testing"
)

// Keys move in a text and take from it by letters and words; what was only looked at is not edited.
func TestInput(t *testing.T) {
	for _, c := range []struct {
		begin string
		edits []Edit
		want  string
	}{
		{"abc", []Edit{EditLeft, EditWordLeft, EditLeft}, "│abc"},
		{"abc", []Edit{EditStart, EditDelete}, "│bc"},
		{"one two.three", []Edit{EditDeleteWord}, "one two.│"},
		{"one two.three", []Edit{EditWordLeft, EditWordLeft, EditRest}, "one │"},
		{"one two", []Edit{EditStart, EditWordRight, EditClear}, "│ two"},
		{"größe 漢字", []Edit{EditBackspace, EditLeft, EditBackspace}, "größe│漢"},
		{"", []Edit{EditBackspace, EditDelete, EditLeft, EditRight}, "│"},
	} {
		in := NewInput(c.begin)
		for _, e := range c.edits {
			if !in.Press(e) {
				t.Errorf("%s does nothing to a text", e)
			}
		}
		if got := in.text[:in.at] + "│" + in.text[in.at:]; got != c.want {
			t.Errorf("%q after %s: %s, want %s", c.begin, c.edits, got, c.want)
		}
	}
	in := NewInput("one\n\ttwo")
	in.Press(EditStart)
	in.Press(EditEnd)
	if in.edited || in.String() != "one\n\ttwo" {
		t.Errorf("looked at: %q, edited %v", in.text, in.edited)
	}
	in.Insert("\r\nthree")
	if !in.edited || in.String() != "one\n\ttwo\nthree" {
		t.Errorf("pasted into: %q, edited %v", in.text, in.edited)
	}
	if in.Insert(strings.Repeat("x", MaxInput)) || in.String() != "one\n\ttwo\nthree" {
		t.Errorf("of what is too long, %d letters are kept", len(in.text))
	}
	if !in.Insert(strings.Repeat("x", MaxInput-len(in.text))) || len(in.text) != MaxInput {
		t.Errorf("of what just fits, %d letters are kept", len(in.text))
	}
}
