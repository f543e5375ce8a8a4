package tui

import (
	"strconv"

	"regroup/group"
	"regroup/tui/cell"
)

// unitWidths says at which column lanes of units begin. Names beyond measure lose their middle.
func (t *timeline) unitWidths([]group.LaneUnit) int {
	longest := 8
	for _, name := range t.memo.connectorNames(t.s.live) {
		longest = max(longest, cell.Width(name))
	}
	return min(longest, t.maxName()) + 6
}

func (t *timeline) maxName() int {
	if t.s.lay.class <= classSlim {
		return 10
	}
	return 20
}

// airy is how many rows it takes with air between connectors. What does not fit into height is not counted to its end.
func (t *timeline) airy(height int) int {
	n := len(t.rows)
	for i := 1; i < len(t.rows) && n <= height; i++ {
		if t.s.live.LaneName(t.rows[i]).Connector != t.s.live.LaneName(t.rows[i-1]).Connector {
			n++
		}
	}
	return n
}

// unitLanes draws a row a unit, with air between connectors where there is room.
func (t *timeline) unitLanes(r cell.Rect) {
	s, rows := t.s, t.rows
	air := t.airy(r.H) <= r.H
	list := &list{height: r.H}
	if !t.small {
		list = s.panes.list(paneTimeline)
	}
	list.window(len(rows), r.H)
	if air {
		list.top = 0
	}
	seen := rows[list.top:min(list.top+r.H, len(rows))]
	lanes := t.memo.lanesOf(s.live, seen, rows, list.top)
	label := t.memo.label(s.live)
	row, last := 0, "\x00"
	for i, u := range seen {
		name := s.live.LaneName(u)
		first := name.Connector != last
		if first && i > 0 && air {
			row++
		}
		last = name.Connector
		l := s.Line(r, row)
		if first {
			l.Name(text, name.Connector, t.from-6)
		}
		task := "c"
		if !name.IsInstance() {
			task = strconv.Itoa(int(name.Task))
		}
		l.At(t.from-5).Number(muted, task, 4)
		l.At(t.from)
		drawLaneCells(&l, laneCells(lanes[i].Stretches, t.win, s.live.Now, label))
		row++
	}
}
