package fleet

import (
	"sort"
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/lanes"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// drawGroupSide is what happened to the group under the cursor, and beside it what is found wrong with it.
func drawGroupSide(s *scene.Scene, g *observe.FleetGroup, r cell.Rect) {
	left, right := r, cell.Rect{}
	if s.Lay.Class >= scene.Medium {
		at := r.W * 11 / 20
		left, right = r.Columns(0, at), r.Columns(at+s.Lay.Gap, r.W)
	}
	s.Title(left, cell.Middle(g.Group, 30), "", "what happened", false)
	if g.State == nil {
		l := s.Line(left, 1)
		l.Sentence(ui.Muted, "described alone; enter opens it and reads its history")
		return
	}
	drawHappened(s, left, g.State)
	if !right.Empty() {
		drawGroupFound(s, right, g)
	}
}

// drawHappened is the newest events of a group.
func drawHappened(s *scene.Scene, r cell.Rect, st *group.State) {
	inner := *s
	inner.State, inner.Live = st, st
	for row := 1; row < r.H && row <= len(st.Events); row++ {
		e := &st.Events[len(st.Events)-row]
		l := s.Line(r, row)
		l.Words(ui.Muted, s.Clock(e.At), 8).Gap(2)
		text := parts.EventText(&inner, e, max(l.Left()-11, 0))
		source := parts.SourceOf(e)
		if round, why, ok := parts.CutRound(text); ok {
			source, text = round, why
		}
		l.Words(ui.Muted, source, 9).Gap(2).Sentence(parts.EventStyle(e), text)
	}
	if len(st.Events) == 0 {
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "nothing was seen yet")
	}
}

// drawGroupFound is the findings of a group, and the next step of the first.
func drawGroupFound(s *scene.Scene, r cell.Rect, g *observe.FleetGroup) {
	var found []*doctor.Finding
	if g.Report != nil {
		found = parts.ListedFindings(g.Report, false)
	}
	note := ""
	if len(found) > 0 {
		note = words.Thousands(len(found))
	}
	s.Title(r, "Findings", "", note, false)
	if len(found) == 0 {
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "nothing is wrong with what could be looked at")
		return
	}
	width := 0
	for _, f := range found {
		width = max(width, min(cell.Width(f.ID), 22))
	}
	row := 1
	for ; row <= len(found) && row < r.H; row++ {
		f := found[row-1]
		l := s.Line(r, row)
		mark, style := parts.FindingMark(f)
		l.Text(style.Bold(), mark).Gap(1)
		if r.W < width+40 { // what is so says more than what it is called
			l.Sentence(ui.Text, f.Title)
			continue
		}
		l.Words(ui.Text, f.ID, width).Gap(2).Sentence(ui.Muted, f.Title)
	}
	if len(found[0].Next) == 0 {
		return
	}
	row++
	for n, line := range cell.Wrap("Next: "+found[0].Next[0], r.W) {
		l := s.Line(r, row+n)
		l.Text(ui.Text, line)
	}
}

// drawFleetHour is a lane a group that is watched: how it did in the last hour, by its rounds.
func drawFleetHour(s *scene.Scene, groups []*observe.FleetGroup, r cell.Rect) {
	name := 8
	for _, g := range groups {
		if g.State != nil {
			name = max(name, min(cell.Width(g.Group), 30))
		}
	}
	from := 2 + name + 2
	w := lanes.Window{Width: max(r.W-from, 1)}
	w.Per = max(observe.FleetSpan/time.Duration(w.Width), time.Second)
	w.From = s.Fleet.Now.Add(-time.Duration(w.Width) * w.Per)
	s.Title(r, "The last hour", "", s.Clock(w.From)+" to "+s.Clock(s.Fleet.Now), false)
	hourTicks(s, r, from, w)
	row := 2
	for _, g := range groups {
		if g.State == nil {
			continue
		}
		l := s.Line(r, row)
		l.Gap(2).Name(ui.Text, g.Group, name)
		for c, cell := range hourCells(g.State, w) {
			if cell.Glyph != 0 {
				l.At(from+c).Rune(cell.Token.Plain(), cell.Glyph, 1)
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
		l.Text(k.token.Plain(), k.glyphs).Gap(1).Text(ui.Muted, k.word).Gap(3)
	}
}

// hourTicks are the quarters of an hour above the lanes.
func hourTicks(s *scene.Scene, r cell.Rect, from int, w lanes.Window) {
	l := s.Line(r, 1)
	step, format := w.Tick()
	if step < 15*time.Minute && w.Width < 120 {
		step = 15 * time.Minute
	}
	for t := w.From.In(s.Loc).Truncate(step).Add(step); ; t = t.Add(step) {
		c := w.Column(t)
		label := t.In(s.Loc).Format(format)
		if c+1+len(label) > w.Width-4 {
			break
		}
		l.At(from+c).Rune(ui.Faint, '│', 1).Text(ui.Muted, label)
	}
	l.FromRight(3).Text(ui.Muted, "now")
}

// hourCells show in each column the worst that a round in it did, and after that how the group stood.
func hourCells(s *group.State, w lanes.Window) []lanes.LaneCell {
	rounds := s.Rounds
	next := sort.Search(len(rounds), func(i int) bool { return rounds[i].At.After(w.From) })
	out := make([]lanes.LaneCell, w.Width)
	for c := range out {
		to := w.Start(c + 1)
		worst := -1
		for ; next < len(rounds) && rounds[next].At.Before(to); next++ {
			if sign := int(rounds[next].Mark(label.Before(rounds, next))); !rounds[next].Empty() {
				worst = max(worst, sign)
			}
		}
		switch {
		case worst > 0:
			out[c] = lanes.RoundSigns[worst]
		case next > 0:
			out[c] = stoodLike(rounds[next-1], w.Start(c))
		}
	}
	return out
}

// stoodLike is how a group stood some time after a round.
func stoodLike(r *group.Round, at time.Time) lanes.LaneCell {
	switch {
	case r.Empty():
		return lanes.LaneCell{}
	case r.Unassigned > 0:
		return lanes.LaneCell{'┄', theme.Wrong}
	case r.Delayed > 0 && at.Before(r.At.Add(time.Duration(r.DelayMs)*time.Millisecond)):
		return lanes.LaneCell{'░', theme.Delayed}
	case r.Twice > 0:
		return lanes.LaneCell{'═', theme.Wrong}
	}
	return lanes.LaneCell{'─', theme.Running}
}
