package tui

import "regroup/tui/cell"

// A timeline under the other panes needs a vast screen, and leaves them most of it.
const timePaneLeast = 9

// timePaneHeight is how many of left rows the timeline of the live view takes; 0: there is no room for one.
func timePaneHeight(s *scene, left int) int {
	if s.lay.class < classVast || s.live == nil || len(s.live.Rounds) == 0 || left < 34 {
		return 0
	}
	room := left*9/20 - timeHeads - 2
	t := newTimePane(s, s.lay.body.W, room)
	h := timeHeads + t.wanted(room) + 2
	if h < timePaneLeast {
		return 0
	}
	return h
}

func newTimePane(s *scene, width, room int) *timeline {
	t := newTimeline(s, &timeState{}, width, true) // here nobody zooms
	if len(t.rows) == 0 || len(t.rows) > room {
		t = newTimeline(s, &timeState{}, width, false)
	}
	t.small = true
	return t
}

// drawTimePane is the timeline under the panes of the live view.
func drawTimePane(s *scene, r cell.Rect) {
	t := newTimePane(s, r.W, r.H-timeHeads-2)
	kind := "a lane a worker"
	if t.units {
		kind = "a lane a unit"
	}
	t.title(r, kind, false)
	t.heads(r, 1)
	rest := r.Rows(timeHeads, r.H)
	t.legend(rest.Rows(rest.H-1, 1))
	rest = rest.Rows(0, rest.H-2)
	t.lanes(rest)
	t.cursor(r.Rows(1, r.H-3), timeHeads-1+rest.H)
}
