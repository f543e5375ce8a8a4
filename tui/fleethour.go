package tui

import (
	"sort"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// drawFleetHour is a lane a group that is watched: how it did in the last hour, by its rounds.
func drawFleetHour(s *scene, r cell.Rect) {
	name := 8
	for _, g := range s.groups {
		if g.State != nil {
			name = max(name, min(cell.Width(g.Group), 30))
		}
	}
	from := 2 + name + 2
	w := timeWindow{width: max(r.W-from, 1)}
	w.per = max(fleetSpan/time.Duration(w.width), time.Second)
	w.from = s.fleet.Now.Add(-time.Duration(w.width) * w.per)
	s.title(r, "The last hour", "", s.clock(w.from)+" to "+s.clock(s.fleet.Now), false)
	hourTicks(s, r, from, w)
	row := 2
	for _, g := range s.groups {
		if g.State == nil {
			continue
		}
		l := s.Line(r, row)
		l.Gap(2).Name(text, g.Group, name)
		for c, cell := range hourCells(g.State, w) {
			if cell.glyph != 0 {
				l.At(from+c).Rune(cell.token.Plain(), cell.glyph, 1)
			}
		}
		row++
	}
	l := s.Line(r, row+1)
	l.At(from)
	for _, k := range []struct {
		glyphs string
		token  theme.Token
		word   string
	}{
		{"─", theme.Running, "settled"},
		{"▲", theme.Started, "started"},
		{"▼", theme.Stopped, "stopped"},
		{"◆", theme.Stopped, "restarted"},
		{"░", theme.Delayed, "delayed"},
		{"x┄", theme.Wrong, "unassigned"},
		{"&═", theme.Wrong, "may run twice"},
	} {
		if l.Left() < cell.Width(k.word)+4 {
			break
		}
		l.Text(k.token.Plain(), k.glyphs).Gap(1).Text(muted, k.word).Gap(3)
	}
}

// hourTicks are the quarters of an hour above the lanes.
func hourTicks(s *scene, r cell.Rect, from int, w timeWindow) {
	l := s.Line(r, 1)
	step, format := w.tick()
	if step < 15*time.Minute && w.width < 120 {
		step = 15 * time.Minute
	}
	for t := w.from.In(s.loc).Truncate(step).Add(step); ; t = t.Add(step) {
		c := w.column(t)
		label := t.In(s.loc).Format(format)
		if c+1+len(label) > w.width-4 {
			break
		}
		l.At(from+c).Rune(faint, '│', 1).Text(muted, label)
	}
	l.FromRight(3).Text(muted, "now")
}

// hourCells show in each column the worst that a round in it did, and after that how the group stood.
func hourCells(s *group.State, w timeWindow) []laneCell {
	rounds := s.Rounds
	next := sort.Search(len(rounds), func(i int) bool { return rounds[i].At.After(w.from) })
	out := make([]laneCell, w.width)
	for c := range out {
		to := w.start(c + 1)
		worst := -1
		for ; next < len(rounds) && rounds[next].At.Before(to); next++ {
			if sign := roundSign(rounds[next], before(rounds, next)); !rounds[next].Empty() {
				worst = max(worst, sign)
			}
		}
		switch {
		case worst > 0:
			out[c] = roundSigns[worst]
		case next > 0:
			out[c] = stoodLike(rounds[next-1], w.start(c))
		}
	}
	return out
}

// stoodLike is how a group stood some time after a round.
func stoodLike(r *group.Round, at time.Time) laneCell {
	switch {
	case r.Empty():
		return laneCell{}
	case r.Unassigned > 0:
		return laneCell{'┄', theme.Wrong}
	case r.Delayed > 0 && at.Before(r.At.Add(time.Duration(r.DelayMs)*time.Millisecond)):
		return laneCell{'░', theme.Delayed}
	case r.Twice > 0:
		return laneCell{'═', theme.Wrong}
	}
	return laneCell{'─', theme.Running}
}
