package tui

import (
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

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
func laneCells(stretches []group.Stretch, w timeWindow, now time.Time, label func(int32) string) []timeCell {
	out := make([]timeCell, w.width)
	i, shown := 0, int32(-1)
	var before group.LaneKind // what the column before showed
	for c := range out {
		from, to := w.start(c), w.start(c+1)
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
			l.Text(text, k.label[:n])
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
