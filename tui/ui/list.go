package ui

import (
	"slices"
	"strings"
)

// List is where a scrolled list stands. Its pane sets rows and height when it is drawn.
type List struct {
	Cursor, Top  int
	Rows, Height int
	Moved        bool // by a key, since it was drawn
	scrolls      bool // it has no cursor: what moves is its window
	Placed       bool // by somebody, ever: else the cursor stays on the first row, whatever comes to stand there
}

// Move goes by lines.
func (l *List) Move(by int) {
	if l.scrolls {
		l.scroll(by)
		return
	}
	l.Cursor, l.Moved, l.Placed = min(max(l.Cursor+by, 0), max(l.Rows-1, 0)), true, true
}

// Fit takes note of a list's size and scrolls no more than it must so that the cursor is seen.
func (l *List) Fit(rows, height int) {
	l.Rows, l.Height = rows, max(height, 0)
	l.Cursor = min(max(l.Cursor, 0), max(rows-1, 0))
	l.Top = min(l.Top, l.Cursor)
	l.Top = max(l.Top, l.Cursor-l.Height+1)
	l.Top = min(max(l.Top, 0), max(rows-l.Height, 0))
}

// scroll moves a window that has no cursor.
func (l *List) scroll(by int) { l.Top = min(max(l.Top+by, 0), max(l.Rows-l.Height, 0)) }

// Window takes note of the size of a list without a cursor.
func (l *List) Window(rows, height int) {
	l.Rows, l.Height, l.scrolls = rows, max(height, 0), true
	l.scroll(0)
}

// FarAway is further than any list is long.
const FarAway = 1 << 30

// Filter is what is typed after "/". It belongs to the pane that had the focus.
type Filter struct {
	Input
	Typing bool
}

// OnlyLook is the filter that leaves what needs a look.
const OnlyLook = "!"

// FilterBy is a filter that stands.
func FilterBy(text string) Filter { return Filter{Input: NewInput(text)} }

// On reports whether anything is filtered, or is being typed.
func (f *Filter) On() bool { return f.Typing || f.text != "" }

// Matches says whether any of the texts has what was typed in it.
func (f *Filter) Matches(texts ...string) bool { return Matches(f.text, texts...) }

// Matches says whether any of the texts has what is wanted in it, in letters of any case.
func Matches(want string, texts ...string) bool {
	want = strings.ToLower(want)
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(t), want) })
}

// maxFilter bounds what is typed or pasted, in columns.
const maxFilter = 60

// Add types text into the filter.
func (f *Filter) Add(text string) { f.Type(text, maxFilter) }
