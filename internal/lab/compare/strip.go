package compare

import (
	"cmp"
	"slices"
	"time"

	"regroup/group"
)

// level is a number that holds from a moment on.
type level struct {
	at time.Duration
	n  int
}

// levels is how many units are down over time.
func (r *Run) levels() []level {
	steps := make([]level, 0, 2*len(r.Outages))
	for _, g := range r.Outages {
		steps = append(steps, level{g.From.Sub(r.From), 1})
		if g.Ended {
			steps = append(steps, level{g.To.Sub(r.From), -1})
		}
	}
	// What ends as something else begins was not down beside it.
	slices.SortFunc(steps, func(a, b level) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) })
	var out []level
	n := 0
	for i, s := range steps {
		n += s.n
		if i+1 == len(steps) || steps[i+1].at != s.at {
			out = append(out, level{s.at, n})
		}
	}
	return out
}

// Units is how many units there are at a moment: those that the rounds know of.
func (r *Run) Units(at time.Duration) int {
	n := 0
	for i, round := range r.State.Rounds {
		if i > 0 && round.RecordedAt.Sub(r.From) > at {
			break
		}
		n = round.Units
	}
	return n
}

// Most is the largest number of units that there ever are.
func (c *Comparison) Most() int {
	n := 0
	for _, r := range c.Runs {
		n = max(n, r.Units(0))
		for _, round := range r.Rounds() {
			n = max(n, round.Units)
		}
	}
	return n
}

// Running gives for each of so many equal parts of a stretch of time how many units run at its worst moment, and of how many.
// upTo cuts it: parts that begin later are not given.
func (r *Run) Running(span time.Duration, parts int, upTo time.Duration) (running, of []int) {
	levels := r.downs
	down, next := 0, 0
	for i := range parts {
		from, to := span*time.Duration(i)/time.Duration(parts), span*time.Duration(i+1)/time.Duration(parts)
		if from > upTo {
			break
		}
		worst := down
		for next < len(levels) && levels[next].at < min(to, upTo+1) {
			down = levels[next].n
			worst = max(worst, down)
			next++
		}
		units := r.Units(from)
		running, of = append(running, max(0, units-worst)), append(of, units)
	}
	return running, of
}

var eighths = []rune(" ▁▂▃▄▅▆▇█")

// Area draws numbers as columns of so many rows, the highest row first. What is less than all of it never looks like all, and what
// is more than none never like none.
func Area(running, of []int, most, rows int) [][]rune {
	out := make([][]rune, rows)
	for y := range out {
		out[y] = make([]rune, len(running))
	}
	full := rows * (len(eighths) - 1)
	for x, n := range running {
		h := 0
		if most > 0 {
			h = (n*full + most/2) / most
			if n > 0 {
				h = max(h, 1)
			}
			if n < of[x] {
				h = min(h, (of[x]*full+most/2)/most-1)
			}
		}
		for y := range rows {
			left := h - (rows-1-y)*(len(eighths)-1)
			out[y][x] = eighths[min(max(left, 0), len(eighths)-1)]
		}
	}
	return out
}

// Meaning is what a mark says of a round.
type Meaning struct {
	Glyph rune
	Means string
}

// Legend is all that Glyph gives.
var Legend = []Meaning{
	{'◆', "all stops and starts again"}, {'▼', "some stop"}, {'▲', "some start"}, {'░', "a delay runs"}, {'·', "nothing moves"},
}

// Glyph says what a round does, by the Legend.
func Glyph(r, prev *group.Round) rune {
	switch {
	case r.Mode == group.ModeEager && r.Started > 0:
		return '◆'
	case r.Stopped+r.Dropped > 0:
		return '▼'
	case r.Mode == group.ModeEager && r.Unassigned > 0 && prev != nil && prev.Mode == group.ModeCooperative:
		return '▼' // as proposed, a downgrade stops everything in a round of its own
	case r.Restarted > 0:
		return '◆'
	case r.Started > 0:
		return '▲'
	case r.DelayMs > 0:
		return '░'
	}
	return '·'
}

// Marks are the glyphs of the rounds on the same axis; of two in one column the one that does more stands.
func (r *Run) Marks(span time.Duration, columns int, upTo time.Duration) []rune {
	out := slices.Repeat([]rune{' '}, columns)
	for i, round := range r.Rounds() {
		at := r.At(i)
		if at > upTo || columns == 0 {
			continue
		}
		x := 0
		if span > 0 {
			x = min(int(at*time.Duration(columns)/span), columns-1)
		}
		if g := Glyph(round, r.Before(i)); weight(g) > weight(out[x]) {
			out[x] = g
		}
	}
	return out
}

func weight(r rune) int { return slices.Index([]rune(" ·░▲▼◆"), r) }

func sortedOnce(of []time.Duration) []time.Duration {
	slices.Sort(of)
	return slices.Compact(of)
}
