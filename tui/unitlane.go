package tui

import (
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

const (
	laneFrom   = 17 // column at which a lane begins
	laneHeight = 6
)

// drawLane draws a unit's life along the time: where it ran, and what happened to it. It says how many rows it took.
func drawLane(s *scene, r cell.Rect, i int, life []group.Happening) int {
	if r.H < 24 || s.lay.class < classMedium || len(life) == 0 {
		return 0
	}
	from, to := life[0].At, s.state.Now
	width := r.W - laneFrom
	if !to.After(from.Add(time.Second)) || width < 20 {
		return 0
	}
	lane := newLane(from, to, width)
	for k := range life {
		lane.add(&life[k])
	}
	for len(lane.cells) < width {
		lane.cells = append(lane.cells, lane.now)
	}
	per := to.Sub(from) / time.Duration(width)
	s.title(r, "Its life", "", s.clock(from)+" to "+s.clock(to)+", "+shortSpan(per)+" a column", false)
	s.ticks(r, 1, lane)
	s.roundMarks(r, 2, lane, life)
	l := s.Line(r, 4)
	l.Name(strong, s.state.Units[i].Unit.String(), laneFrom-2).At(laneFrom)
	for _, c := range lane.cells {
		l.Rune(c.token.Plain(), c.glyph, 1)
	}
	return laneHeight
}

// laneCell is one column of a lane.
type laneCell struct {
	glyph rune
	token theme.Token
}

// lane is a stretch of time in columns.
type lane struct {
	from, to time.Time
	cells    []laneCell
	now      laneCell // how it goes on
	done     int      // columns that are drawn
}

func newLane(from, to time.Time, width int) *lane {
	return &lane{from: from, to: to, cells: make([]laneCell, 0, width+1), now: laneCell{' ', theme.Text}}
}

func (l *lane) column(t time.Time) int {
	width := cap(l.cells) - 1
	return min(max(int(int64(width)*int64(t.Sub(l.from))/max(int64(l.to.Sub(l.from)), 1)), 0), width-1)
}

// until draws what goes on up to a time.
func (l *lane) until(t time.Time) {
	for at := l.column(t); len(l.cells) < at; {
		l.cells = append(l.cells, l.now)
	}
}

// mark draws a sign at a time. Of several in one column the last is seen, but a stop is never hidden by the start after it.
func (l *lane) mark(t time.Time, c laneCell) {
	l.until(t)
	at := l.column(t)
	if at < len(l.cells) {
		if old := l.cells[at]; c.token == theme.Running && old.token == theme.Stopped {
			return
		}
		l.cells = l.cells[:at]
	}
	l.cells = append(l.cells, c)
}

var (
	laneRuns  = laneCell{'━', theme.Running}
	laneDown  = laneCell{'·', theme.Stopped}
	laneWaits = laneCell{'░', theme.Delayed}
	laneLost  = laneCell{'┄', theme.Wrong}
	laneHalts = laneCell{'─', theme.Muted}
)

// add draws one happening, and says how the lane goes on after it.
func (l *lane) add(h *group.Happening) {
	switch h.Kind {
	case group.LifeGiven:
		at := h.Runs
		if at.IsZero() {
			at = h.At
		}
		l.mark(at, laneCell{endOf(h.Worker), theme.Running})
		l.now = laneRuns
	case group.LifeBack:
		l.mark(h.At, laneCell{endOf(h.Worker), theme.Running})
		l.now = laneRuns
	case group.LifeRestarted:
		l.mark(h.At, laneCell{'◆', theme.Stopped})
		l.now = laneRuns
	case group.LifeRevoked, group.LifeMoved, group.LifeDropped, group.LifeLeft:
		l.until(h.At)
		l.now = laneDown
		if h.Waits && h.Then == group.UnitDelayed {
			l.now = laneWaits
		}
		if h.Kind != group.LifeLeft {
			l.mark(h.At, laneCell{'▼', theme.Stopped})
		}
	case group.LifeSaid:
		l.said(h)
	}
}

func (l *lane) said(h *group.Happening) {
	glyph, token := saidMark(h.State)
	after := l.now
	switch h.State {
	case decode.Failed:
		after = laneLost
	case decode.Paused, decode.Stopped:
		after = laneHalts
	case decode.Running:
		glyph, token, after = endOf(h.Worker), theme.Running, laneRuns
	case decode.Unassigned:
		after = laneDown
	default:
		return
	}
	l.mark(h.At, laneCell{glyph, token})
	l.now = after
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

// ticks draws the time of day above a lane.
func (s *scene) ticks(r cell.Rect, row int, lane *lane) {
	span := lane.to.Sub(lane.from)
	step := time.Second
	for _, step = range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour} {
		if int64(span/step)*9 <= int64(cap(lane.cells)) {
			break
		}
	}
	for t := lane.from.Truncate(step).Add(step); t.Before(lane.to); t = t.Add(step) {
		l := s.Line(r, row)
		label := t.In(s.loc).Format("15:04")
		if step < time.Minute {
			label = s.clock(t)
		}
		if at := laneFrom + lane.column(t); at+len(label)+1 <= r.W {
			l.At(at).Rune(faint, '│', 1).Text(muted, label)
		}
	}
}

// roundMarks draws, above a lane, the rounds that touched the unit; numbers where there is room.
func (s *scene) roundMarks(r cell.Rect, row int, lane *lane, life []group.Happening) {
	l := s.Line(r, row)
	l.Text(muted, "round")
	free := laneFrom
	for k := range life {
		h := &life[k]
		if h.Round == nil || h.Kind == group.LifeKept {
			continue
		}
		at := laneFrom + lane.column(h.At)
		if number := generation(h.Round); at >= free && at+len(number) <= r.W {
			l.At(at).Text(muted, number)
			free = at + len(number) + 1
		}
		glyph, token := happeningMark(h)
		marks := s.Line(r, row+1)
		marks.At(at).Rune(token.Plain(), glyph, 1)
	}
}
