package tui

import (
	"slices"
	"strings"

	"regroup/group"
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

	paneUnitList  paneID = "unit list"
	paneUnitStory paneID = "unit story"
	paneTrace     paneID = "trace"
	paneFlow      paneID = "flow"
	paneWhy       paneID = "why"
	paneBytes     paneID = "bytes"
	paneFindings  paneID = "findings"
	paneFinding   paneID = "finding"
	paneMatrix    paneID = "matrix"
	paneCell      paneID = "cell"
	paneEventList paneID = "event list"
	paneTimeline  paneID = "timeline"
)

// firstPane is the pane of each view that has the focus when the view is opened for the first time.
var firstPane = map[viewID]paneID{
	viewLive: paneRounds, viewMatrix: paneMatrix, viewTimeline: paneTimeline, viewRound: paneFlow, viewUnits: paneUnitList, viewUnit: paneTrace,
	viewDoctor: paneFindings, viewEvents: paneEventList, viewFleet: paneGroups,
}

// pointed are the panes whose list has a cursor; the others scroll.
var pointed = []paneID{paneGroups, paneWorkers, paneUnitList, paneUnitStory, paneFlow, paneFindings, paneMatrix, paneCell, paneEventList}

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
	dialog  *dialog // from a on; nil: none is open
	draft   *draft  // the form that has the screen; nil: none does
	palette palette
	mouse   bool      // clicks are ours
	zones   []zone    // where panes were drawn last
	tabs    []tabZone // and tabs
	begun   paneID    // a pane whose title comes next

	kept    map[viewID]viewKept // of the views that are not open
	trail   []viewID            // from where enter led to the view that is open
	sorts   map[viewID]int      // which of its orders a view shows
	less    map[viewID]bool     // z: the other degree of detail
	unit    *group.Unit         // the one that is open
	at      map[paneID]any      // what a cursor is on: it stays there when the list changes
	worker  int                 // first of the workers shown where not all fit; of the bytes
	across  list                // of the matrix: its columns
	predict bool                // the matrix shows what comes next
	time    timeState
	reports bool // the bytes are of what workers reported, not of what they were told

	onlyBytes bool // the bytes have the place of the round's table, where there are not rows for both
}

// viewKept is what a view keeps while another is open.
type viewKept struct {
	focus  paneID
	filter filter
}

func newUI() *ui {
	return &ui{
		focus: paneRounds, lists: map[paneID]*list{}, kept: map[viewID]viewKept{}, sorts: map[viewID]int{}, less: map[viewID]bool{},
		at: map[paneID]any{}, predict: true,
	}
}

// stick keeps a list's cursor on what it was on, wherever that has gone. A cursor that moved takes hold of what it is on now.
func stick[T comparable](u *ui, p paneID, rows []T) {
	stickTo(u, p, len(rows), func(i int) T { return rows[i] }, func(t T) int { return slices.Index(rows, t) })
}

// stickTo is stick for rows that are not a slice of what they are about. find gives -1 for what is there no more.
func stickTo[T comparable](u *ui, p paneID, rows int, at func(i int) T, find func(T) int) {
	l := u.list(p)
	moved := l.moved
	l.moved = false
	if was, ok := u.at[p].(T); ok && !moved && (l.cursor >= rows || at(l.cursor) != was) {
		if i := find(was); i >= 0 {
			l.cursor = i
		}
	}
	if l.cursor = min(max(l.cursor, 0), rows-1); l.cursor >= 0 {
		u.at[p] = at(l.cursor)
	}
	l.cursor = max(l.cursor, 0)
}

// list is where a scrolled list stands. Its pane sets rows and height when it is drawn.
type list struct {
	cursor, top  int
	rows, height int
	moved        bool // by a key, since it was drawn
	placed       bool // by somebody, ever: else the cursor stays on the first row, whatever comes to stand there
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
	u.panes, u.begun = append(u.panes, p), p
	return u.focus == p
}

// among gives the focus to the first of some panes, unless one of them has it: what a view shows depends on what is known.
func (u *ui) among(panes ...paneID) {
	if !slices.Contains(panes, u.focus) {
		u.focus = panes[0]
	}
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
