package lanes

import (
	"slices"
	"strconv"
	"time"

	"regroup/group"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// unitWidths says at which column lanes of units begin. Names beyond measure lose their middle.
func (t *Timeline) unitWidths([]group.LaneUnit) int {
	longest := 8
	for _, name := range t.memo.connectorNames(t.s.Live) {
		longest = max(longest, cell.Width(name))
	}
	return min(longest, t.maxName()) + 6
}

func (t *Timeline) maxName() int {
	if t.s.Lay.Class <= scene.Slim {
		return 10
	}
	return 20
}

// airy is how many rows it takes with air between connectors. What does not fit into height is not counted to its end.
func (t *Timeline) airy(height int) int {
	n := len(t.Rows)
	for i := 1; i < len(t.Rows) && n <= height; i++ {
		if t.s.Live.LaneName(t.Rows[i]).Connector != t.s.Live.LaneName(t.Rows[i-1]).Connector {
			n++
		}
	}
	return n
}

// unitLanes draws a row a unit, with air between connectors where there is room.
func (t *Timeline) unitLanes(r cell.Rect) {
	s, rows := t.s, t.Rows
	air := t.airy(r.H) <= r.H
	list := &ui.List{Height: r.H}
	if !t.Small {
		list = s.Panes.List(scene.PaneTimeline)
	}
	list.Window(len(rows), r.H)
	if air {
		list.Top = 0
	}
	seen := rows[list.Top:min(list.Top+r.H, len(rows))]
	lanes := t.memo.lanesOf(s.Live, seen, rows, list.Top)
	label := t.memo.label(s.Live)
	row, last := 0, "\x00"
	for i, u := range seen {
		name := s.Live.LaneName(u)
		first := name.Connector != last
		if first && i > 0 && air {
			row++
		}
		last = name.Connector
		l := s.Line(r, row)
		if first {
			l.Name(ui.Text, name.Connector, t.from-6)
		}
		task := "c"
		if !name.IsInstance() {
			task = strconv.Itoa(int(name.Task))
		}
		l.At(t.from-5).Number(ui.Muted, task, 4)
		l.At(t.from)
		drawLaneCells(&l, laneCells(lanes[i].Stretches, t.win, s.Live.Now, label))
		row++
	}
}

// timeCell is one column of a unit's lane. label, where there is one, begins here and runs on over cells alike.
type timeCell struct {
	glyph rune
	token theme.Token
	label string
}

// laneGlyphs are how a kind of stretch begins and goes on.
var laneGlyphs = map[group.LaneKind]struct {
	first, on rune
	token     theme.Token
}{
	group.LaneStarts:     {'▲', '·', theme.Started},
	group.LanePaused:     {'p', '─', theme.Muted},
	group.LaneRuns:       {'━', '━', theme.Running},
	group.LaneDelayed:    {'░', '░', theme.Delayed},
	group.LaneDown:       {'·', '·', theme.Stopped},
	group.LaneTwice:      {'═', '═', theme.Wrong},
	group.LaneUnassigned: {'x', '┄', theme.Wrong},
	group.LaneFailed:     {'!', '┄', theme.Wrong},
}

// laneCells draws stretches into columns: each shows the worst that happened in it.
func laneCells(stretches []group.Stretch, w Window, now time.Time, label func(int32) string) []timeCell {
	out := make([]timeCell, w.Width)
	i, shown := 0, int32(-1)
	var before group.LaneKind // what the column before showed
	for c := range out {
		from, to := w.Start(c), w.Start(c+1)
		if from.After(now) {
			break
		}
		for i+1 < len(stretches) && !stretches[i+1].From.After(from) && stretches[i].From.Before(from) {
			i++ // it was over before this column
		}
		worst, began, last := -1, false, -1
		for k := i; k < len(stretches) && stretches[k].From.Before(to); k++ {
			if worst < 0 || stretches[k].Kind > stretches[worst].Kind {
				worst, began = k, !stretches[k].From.Before(from)
			}
			last = k
		}
		if worst < 0 || stretches[worst].Kind == group.LaneNone {
			before, shown = group.LaneNone, -1
			continue
		}
		s := &stretches[worst]
		g := laneGlyphs[s.Kind]
		out[c] = timeCell{glyph: g.on, token: g.token}
		switch {
		case s.Kind == group.LaneDown && s.Said && (began || before != group.LaneDown):
			out[c].glyph = '▼'
			if end := &stretches[last]; end.Kind == group.LaneRuns && end.Worker == s.Worker {
				out[c].glyph = '◆'
			}
		case before != s.Kind:
			out[c].glyph = g.first
		}
		if (s.Kind == group.LaneRuns || s.Kind == group.LaneTwice) && s.Worker != shown {
			out[c].label, shown = label(s.Worker), s.Worker
		}
		before = s.Kind
	}
	return out
}

// drawLaneCells draws a lane. A label takes the place of as many cells as it is long, if they are alike.
func drawLaneCells(l *cell.Line, cells []timeCell) {
	for c := 0; c < len(cells); {
		k := cells[c]
		if k.glyph == 0 {
			l.Gap(1)
			c++
			continue
		}
		n := 0
		for n < len(k.label) && c+n < len(cells) && cells[c+n].glyph == k.glyph && (n == 0 || cells[c+n].label == "") {
			n++
		}
		if n > 0 {
			l.Text(ui.Text, k.label[:n])
			c += n
			continue
		}
		l.Rune(k.token.Plain(), k.glyph, 1)
		c++
	}
}

// workerLabels are the ends by which workers' names can be told apart: all have common beginnings and ends left out.
func workerLabels(names []string) map[string]string {
	head, tail := 0, 0
	same := func(at func(string) (byte, bool)) bool {
		first, ok := at(names[0])
		for _, n := range names {
			if c, has := at(n); !has || !ok || c != first {
				return false
			}
		}
		return true
	}
	if len(names) > 1 {
		for same(func(s string) (byte, bool) {
			if head >= len(s) {
				return 0, false
			}
			return s[head], true
		}) {
			head++
		}
		for same(func(s string) (byte, bool) {
			if tail >= len(s)-head {
				return 0, false
			}
			return s[len(s)-1-tail], true
		}) {
			tail++
		}
		digit := func(c byte) bool { return c >= '0' && c <= '9' } // a number is never cut in two
		for head > 0 && digit(names[0][head-1]) {
			head--
		}
		for tail > 0 && digit(names[0][len(names[0])-tail]) {
			tail--
		}
	}
	out := map[string]string{}
	for _, n := range names {
		out[n] = labelOf(n[head:max(len(n)-tail, head)], n)
	}
	return out
}

// maxLabel is how long a worker's label may be.
const maxLabel = 3

// labelOf is the last letters and digits of what tells a name apart.
func labelOf(rest, name string) string {
	if len(rest) == 0 || len(rest) > 12 {
		rest = string(endOf(name))
	}
	var out []byte
	for i := len(rest) - 1; i >= 0 && len(out) < maxLabel; i-- {
		c := rest[i]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			out = append([]byte{c}, out...)
		} else if len(out) > 0 {
			break
		}
	}
	if len(out) == 0 {
		return "?"
	}
	return string(out)
}

const (
	laneFrom   = 17 // column at which a unit's own lane begins
	laneHeight = TimeHeads + 3
)

// DrawLane draws one unit's life along the time, as the timeline would. It says how many rows it took.
func DrawLane(s *scene.Scene, memo *Memo, r cell.Rect, u group.Unit, life []group.Entry) int {
	width := r.W - laneFrom
	if r.H < 24 || s.Lay.Class < scene.Medium || len(life) == 0 || width < 20 {
		return 0
	}
	t := &Timeline{s: s, from: laneFrom, memo: memo.of(s.Live), Small: true}
	lane, ok := t.laneOf(u)
	lived := s.State.Now.Sub(life[0].At)
	if !ok || lived < time.Second {
		return 0
	}
	t.win = Window{From: life[0].At.Add(-lived / time.Duration(width)), Width: width, Per: lived/time.Duration(width-2) + 1}
	s.Title(r, "Its life", "", s.Clock(life[0].At)+" to "+s.Clock(s.State.Now)+", "+parts.ShortSpan(t.win.Per)+" a column", false)
	t.Heads(r, 1)
	l := s.Line(r, TimeHeads+1)
	l.Name(ui.Strong, u.String(), laneFrom-2).At(laneFrom)
	drawLaneCells(&l, laneCells(lane.Stretches, t.win, s.State.Now, t.memo.label(s.Live)))
	return laneHeight
}

// laneOf is the lane of one unit.
func (t *Timeline) laneOf(u group.Unit) (group.Lane, bool) {
	units := t.memo.laneUnits(t.s.Live)
	i, ok := slices.BinarySearchFunc(units, u, func(l group.LaneUnit, u group.Unit) int { return t.s.Live.LaneName(l).Compare(u) })
	if !ok {
		return group.Lane{}, false
	}
	return t.memo.lanesOf(t.s.Live, units[i:i+1], units[i:i+1], 0)[0], true
}

// LaneCell is one column of a lane.
type LaneCell struct {
	Glyph rune
	Token theme.Token
}

// endOf is the last letter or digit of a worker's name, which tells it from the others in most groups.
func endOf(name string) rune {
	for i := len(name) - 1; i >= 0; i-- {
		if c := name[i]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return rune(c)
		}
	}
	return '━'
}
