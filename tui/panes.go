package tui

import (
	"maps"
	"slices"

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
	paneColumns   paneID = "columns" // of the matrix
	paneCell      paneID = "cell"
	paneEventList paneID = "event list"
	paneTimeline  paneID = "timeline"
)

// panes is what the person has set of a view: which pane has the focus, where each list stands, what is filtered. Each view keeps
// its own. Drawing works on a copy and returns it in the scene; Update keeps it, so drawing itself changes nothing.
type panes struct {
	focus  paneID
	lists  map[paneID]*list
	at     map[paneID]any // what a cursor is on: it stays there when the list changes
	filter filter
	sort   int  // which of its orders the view shows
	less   bool // z: the other degree of detail

	drawn []paneID // in the order of tab
	zones []zone   // where they are
	begun paneID   // the pane whose title comes next
}

func newPanes(first paneID) panes {
	return panes{focus: first, lists: map[paneID]*list{}, at: map[paneID]any{}}
}

func (p *panes) state() *panes { return p }

// copied is the panes as the next frame works on them.
func (p *panes) copied() *panes {
	out := *p
	out.lists = make(map[paneID]*list, len(p.lists))
	for id, l := range p.lists {
		l := *l
		out.lists[id] = &l
	}
	out.at = maps.Clone(p.at)
	out.drawn, out.zones, out.begun = nil, nil, ""
	return &out
}

func (p *panes) list(id paneID) *list {
	if p.lists[id] == nil {
		p.lists[id] = &list{}
	}
	return p.lists[id]
}

// pane notes that a pane is on the screen, and reports whether it has the focus.
func (p *panes) pane(id paneID) bool {
	p.drawn, p.begun = append(p.drawn, id), id
	return p.focus == id
}

// among gives the focus to the first of some panes, unless one of them has it: what a view shows depends on what is known.
func (p *panes) among(ids ...paneID) {
	if !slices.Contains(ids, p.focus) {
		p.focus = ids[0]
	}
}

// next gives the focus to the pane by places further.
func (p *panes) next(by int) {
	if len(p.drawn) == 0 {
		return
	}
	i := slices.Index(p.drawn, p.focus)
	p.focus = p.drawn[((i+by)%len(p.drawn)+len(p.drawn))%len(p.drawn)]
}

// zone is where a pane was drawn, and the row its cursor is on.
type zone struct {
	pane   paneID
	rect   cell.Rect
	cursor int // of the screen; -1: it has none
}

// selected marks a line as the one that the cursor of the pane drawn last is on.
func (s *scene) selected(l *cell.Line, focused bool) {
	s.cursorAt(l)
	l.Ground(selectGround(focused)).Rune(strong, '▸', 1)
}

// cursorAt notes the row that the cursor of the pane drawn last is on.
func (s *scene) cursorAt(l *cell.Line) {
	if n := len(s.panes.zones); n > 0 {
		s.panes.zones[n-1].cursor = l.Row()
	}
}

// stick keeps a list's cursor on what it was on, wherever that has gone. A cursor that moved takes hold of what it is on now.
func stick[T comparable](u *panes, p paneID, rows []T) {
	stickTo(u, p, len(rows), func(i int) T { return rows[i] }, func(t T) int { return slices.Index(rows, t) })
}

// stickTo is stick for rows that are not a slice of what they are about. find gives -1 for what is there no more.
func stickTo[T comparable](u *panes, p paneID, rows int, at func(i int) T, find func(T) int) {
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
	scrolls      bool // it has no cursor: what moves is its window
	placed       bool // by somebody, ever: else the cursor stays on the first row, whatever comes to stand there
}

// move goes by lines.
func (l *list) move(by int) {
	if l.scrolls {
		l.scroll(by)
		return
	}
	l.cursor, l.moved, l.placed = min(max(l.cursor+by, 0), max(l.rows-1, 0)), true, true
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
	l.rows, l.height, l.scrolls = rows, max(height, 0), true
	l.scroll(0)
}
