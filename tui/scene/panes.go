package scene

import (
	"maps"
	"slices"

	"regroup/tui/keys"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// PaneID names a part of the screen that can have the focus.
type PaneID string

// The panes of all views.
const (
	PaneRounds  PaneID = "rounds"
	PaneWorkers PaneID = "workers"
	PaneUnits   PaneID = "units"
	PaneEvents  PaneID = "events"
	PaneGroups  PaneID = "groups"

	PaneUnitList  PaneID = "unit list"
	PaneUnitStory PaneID = "unit story"
	PaneTrace     PaneID = "trace"
	PaneFlow      PaneID = "flow"
	PaneWhy       PaneID = "why"
	PaneBytes     PaneID = "bytes"
	PaneFindings  PaneID = "findings"
	PaneFinding   PaneID = "finding"
	PaneMatrix    PaneID = "matrix"
	PaneColumns   PaneID = "columns" // of the matrix
	PaneCell      PaneID = "cell"
	PaneEventList PaneID = "event list"
	PaneTimeline  PaneID = "timeline"
)

// Panes is what the person has set of a view: which pane has the focus, where each list stands, what is filtered. Each view keeps
// its own. Drawing works on a copy and returns it in the scene; Update keeps it, so drawing itself changes nothing.
type Panes struct {
	Focus  PaneID
	lists  map[PaneID]*ui.List
	At     map[PaneID]any // what a cursor is on: it stays there when the list changes
	Filter ui.Filter
	Sort   int  // which of its orders the view shows
	Less   bool // z: the other degree of detail

	Drawn []PaneID // in the order of tab
	Zones []Zone   // where they are
	begun PaneID   // the pane whose title comes next
}

// NewPanes are those of a view whose first pane has the focus.
func NewPanes(first PaneID) Panes {
	return Panes{Focus: first, lists: map[PaneID]*ui.List{}, At: map[PaneID]any{}}
}

// State implements View.
func (p *Panes) State() *Panes { return p }

// copied is the panes as the next frame works on them.
func (p *Panes) copied() *Panes {
	out := *p
	out.lists = make(map[PaneID]*ui.List, len(p.lists))
	for id, l := range p.lists {
		l := *l
		out.lists[id] = &l
	}
	out.At = maps.Clone(p.At)
	out.Drawn, out.Zones, out.begun = nil, nil, ""
	return &out
}

// List is where the list of a pane stands.
func (p *Panes) List(id PaneID) *ui.List {
	if p.lists[id] == nil {
		p.lists[id] = &ui.List{}
	}
	return p.lists[id]
}

// Pane notes that a pane is on the screen, and reports whether it has the focus.
func (p *Panes) Pane(id PaneID) bool {
	p.Drawn, p.begun = append(p.Drawn, id), id
	return p.Focus == id
}

// Among gives the focus to the first of some panes, unless one of them has it: what a view shows depends on what is known.
func (p *Panes) Among(ids ...PaneID) {
	if !slices.Contains(ids, p.Focus) {
		p.Focus = ids[0]
	}
}

// Next gives the focus to the pane by places further.
func (p *Panes) Next(by int) {
	if len(p.Drawn) == 0 {
		return
	}
	i := slices.Index(p.Drawn, p.Focus)
	p.Focus = p.Drawn[((i+by)%len(p.Drawn)+len(p.Drawn))%len(p.Drawn)]
}

// Zone is where a pane was drawn, and the row its cursor is on.
type Zone struct {
	Pane   PaneID
	Rect   cell.Rect
	Cursor int // of the screen; -1: it has none
}

// Selected marks a line as the one that the cursor of the pane drawn last is on.
func (s *Scene) Selected(l *cell.Line, focused bool) {
	s.CursorAt(l)
	l.Ground(ui.SelectGround(focused)).Rune(ui.Strong, '▸', 1)
}

// CursorAt notes the row that the cursor of the pane drawn last is on.
func (s *Scene) CursorAt(l *cell.Line) {
	if n := len(s.Panes.Zones); n > 0 {
		s.Panes.Zones[n-1].Cursor = l.Row()
	}
}

// Stick keeps a list's cursor on what it was on, wherever that has gone. A cursor that moved takes hold of what it is on now.
func Stick[T comparable](u *Panes, p PaneID, rows []T) {
	StickTo(u, p, len(rows), func(i int) T { return rows[i] }, func(t T) int { return slices.Index(rows, t) })
}

// StickTo is stick for rows that are not a slice of what they are about. find gives -1 for what is there no more.
func StickTo[T comparable](u *Panes, p PaneID, rows int, at func(i int) T, find func(T) int) {
	l := u.List(p)
	moved := l.Moved
	l.Moved = false
	if was, ok := u.At[p].(T); ok && !moved && (l.Cursor >= rows || at(l.Cursor) != was) {
		if i := find(was); i >= 0 {
			l.Cursor = i
		}
	}
	if l.Cursor = min(max(l.Cursor, 0), rows-1); l.Cursor >= 0 {
		u.At[p] = at(l.Cursor)
	}
	l.Cursor = max(l.Cursor, 0)
}

// TabZone is where a tab was drawn last.
type TabZone struct {
	ID       keys.View
	From, To int
}
