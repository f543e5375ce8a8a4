package tui

import (
	"slices"
	"strings"

	"regroup/tui/cell"
)

// paneID names a part of the screen that can have the focus.
type paneID string

const (
	paneRounds  paneID = "rounds"
	paneWorkers paneID = "workers"
	paneUnits   paneID = "units"
	paneEvents  paneID = "events"
	paneGroups  paneID = "groups"
)

// ui is what the person at the keyboard has set: where the focus is, how far lists are scrolled, what is filtered.
type ui struct {
	focus   paneID
	panes   []paneID // that were drawn last, in the order of tab
	lists   map[paneID]*list
	filter  filter
	eager   bool // strips show what eager would have stopped
	help    bool
	page    int // of the help, on a screen that cannot show it whole
	pages   int
	message string
}

func newUI() *ui { return &ui{focus: paneRounds, lists: map[paneID]*list{}} }

// list is where a scrolled list stands. Its pane sets rows and height when it is drawn.
type list struct {
	cursor, top  int
	rows, height int
}

func (u *ui) list(p paneID) *list {
	if u.lists[p] == nil {
		u.lists[p] = &list{}
	}
	return u.lists[p]
}

// fit takes note of a list's size and scrolls no more than it must so that the cursor is seen.
func (l *list) fit(rows, height int) {
	l.rows, l.height = rows, max(height, 0)
	l.cursor = min(max(l.cursor, 0), max(rows-1, 0))
	l.top = min(l.top, l.cursor)
	l.top = max(l.top, l.cursor-l.height+1)
	l.top = min(max(l.top, 0), max(rows-l.height, 0))
}

// scroll moves a window that has no cursor.
func (l *list) scroll(by int) { l.top = min(max(l.top+by, 0), max(l.rows-l.height, 0)) }

// window takes note of the size of a list without a cursor.
func (l *list) window(rows, height int) {
	l.rows, l.height = rows, max(height, 0)
	l.scroll(0)
}

// drawn says that a pane is on the screen and whether it has the focus.
func (u *ui) drawn(p paneID) bool {
	u.panes = append(u.panes, p)
	return u.focus == p
}

// next gives the focus to the pane by places further.
func (u *ui) next(by int) {
	if len(u.panes) == 0 {
		return
	}
	i := slices.Index(u.panes, u.focus)
	u.focus = u.panes[((i+by)%len(u.panes)+len(u.panes))%len(u.panes)]
}

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
