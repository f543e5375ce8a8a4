package tui

import (
	"slices"
	"strings"

	"regroup/tui/cell"
)

// filter is what is typed after "/". It belongs to the pane that had the focus.
type filter struct {
	text   string
	typing bool
}

// onlyLook is the filter that leaves what needs a look.
const onlyLook = "!"

func (f *filter) on() bool { return f.typing || f.text != "" }

// matches says whether any of the texts has what was typed in it.
func (f *filter) matches(texts ...string) bool {
	want := strings.ToLower(f.text)
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(t), want) })
}

func (f *filter) backspace() {
	if r := []rune(f.text); len(r) > 0 {
		f.text = string(r[:len(r)-1])
	}
}

// maxFilter bounds what is typed or pasted.
const maxFilter = 60

func (f *filter) add(text string) {
	for _, r := range text {
		if r >= ' ' && r != 0x7F && cell.Width(f.text) < maxFilter {
			f.text += string(r)
		}
	}
}
