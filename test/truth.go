package test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Leeway is how far a unit's range may reach beyond what the logs say, because the sources that regroup reads leave it open.
type Leeway struct{ Below, Above time.Duration }

// Leeways is the leeway of a unit that stopped in each way.
type Leeways map[RunEnd]Leeway

// Anything is a leeway without an end: no source tells.
const Anything = 1000 * time.Hour

// How far apart a worker's log line and the status that it writes for the same event may be dated: the first status of a young JVM takes
// a second where many start beside it. A connector instance is started by a thread that logs nothing, after the line that it was created.
const (
	tick         = 1500 * time.Millisecond
	instanceTick = 3 * time.Second
)

// Window is a part of a group's history.
type Window struct{ From, Until time.Time }

func (w Window) has(t time.Time) bool { return !t.Before(w.From) && t.Before(w.Until) }

// Comparison is what the logs say of a window beside what regroup says of it.
type Comparison struct {
	LogUnits, Units int // stretches in which a unit did not run
	Log, Range      Span
	Differences     []string
}

// Span is a sum of durations, at least and at most.
type Span struct{ Low, High time.Duration }

func (s *Span) add(low, high time.Duration) {
	s.Low, s.High = s.Low+low, s.High+high
}

func (s Span) String() string {
	if s.High >= Anything {
		return fmt.Sprintf("at least %.1f", s.Low.Seconds())
	}
	if s.High-s.Low < time.Second/10 {
		return fmt.Sprintf("%.1f", s.High.Seconds())
	}
	return fmt.Sprintf("%.1f-%.1f", s.Low.Seconds(), s.High.Seconds())
}

func (c Comparison) String() string {
	return fmt.Sprintf("logs %d units, %v unit-s; regroup %d units, %v", c.LogUnits, c.Log, c.Units, c.Range)
}

// Compare holds what regroup says of a window against the logs, unit by unit: each range holds the true length and reaches no further
// beyond it than the leeway. A gap that regroup does not tell is right only where no round happened in it, so that no round caused it.
func Compare(gaps []LogGap, rounds []Round, in Window, leeways Leeways) Comparison {
	var c Comparison
	for _, unit := range unitsWithGaps(gaps, rounds) {
		for _, s := range stretches(unit, gaps, rounds, in.Until) {
			if !in.has(s.begins()) {
				continue
			}
			c.LogUnits, c.Units = c.LogUnits+len(s.logged), c.Units+len(s.told)
			truth, said := s.lengths(in.Until)
			if len(s.told) == 0 && !s.spansRound(rounds, in.Until) {
				c.LogUnits -= len(s.logged)
				continue // restarted in place, by no round
			}
			c.Log.add(truth.Low, truth.High)
			c.Range.add(said.Low, said.High)
			var leeway Leeway
			for _, g := range s.logged {
				more := leeways[g.End]
				leeway = Leeway{leeway.Below + more.Below, leeway.Above + more.Above}
			}
			if problem := judge(unit, truth, said, leeway, len(s.logged), len(s.told)); problem != "" {
				c.Differences = append(c.Differences, fmt.Sprintf("%v %s\n%s", unit, problem, s))
			}
		}
	}
	c.Differences = append(c.Differences, sums(rounds, in)...)
	return c
}

func judge(unit Unit, truth, said Span, leeway Leeway, logged, told int) string {
	slack := tick
	if unit.Task == Instance {
		slack = instanceTick
	}
	slack *= time.Duration(max(1, logged))
	switch {
	case told == 0 && truth.Low > slack:
		return fmt.Sprintf("did not run for %v s, which no round tells", truth)
	case said.Low > truth.High+slack:
		return fmt.Sprintf("is said to have been down for %v s, and was for %v", said, truth)
	case said.High < truth.Low-slack:
		return fmt.Sprintf("is said to have been down for %v s only, and was for %v", said, truth)
	case said.Low < truth.Low-leeway.Below-slack, said.High > truth.High+leeway.Above+slack:
		open := Span{max(0, truth.Low-leeway.Below), truth.High + leeway.Above}
		return fmt.Sprintf("is said to have been down for %v s: it was for %v, and the sources leave open %v", said, truth, open)
	}
	return ""
}

// sums holds a round's cost, and an episode's, against the gaps that they sum up.
func sums(rounds []Round, in Window) (out []string) {
	differ := func(cost *RoundCost, gaps []RoundGap) string {
		if cost == nil {
			cost = &RoundCost{}
		}
		var sum Span
		waits, open := false, false
		for _, g := range gaps {
			if g.Runs != nil {
				sum.add(toldGap{RoundGap: g}.length(*g.Runs))
			}
			waits, open = waits || g.Runs == nil, open || g.Stopped[0] == nil
		}
		near := func(a float64, b time.Duration) bool { return math.Abs(a-b.Seconds()) < 0.05 }
		if cost.Units == len(gaps) && cost.Growing == waits && cost.Open == open &&
			(waits || near(cost.UnitSeconds[0], sum.Low) && (open || near(cost.UnitSeconds[1], sum.High))) {
			return ""
		}
		return fmt.Sprintf("is %d units, %v unit-s, and its gaps are %d, %v", cost.Units, cost.UnitSeconds, len(gaps), sum)
	}
	episodes := map[int32][]RoundGap{}
	for _, r := range rounds {
		episodes[r.Episode] = append(episodes[r.Episode], r.Gaps...)
		if !in.has(r.Time()) {
			continue
		}
		if d := differ(r.Cost, r.Gaps); d != "" {
			out = append(out, fmt.Sprintf("%v: its cost %s", r, d))
		}
		if r.Story == "" {
			continue
		}
		if d := differ(r.EpisodeCost, episodes[r.Episode]); d != "" {
			out = append(out, fmt.Sprintf("%v: its episode's cost %s", r, d))
		}
	}
	return out
}

// Time is when a round was made.
func (r Round) Time() time.Time {
	at, err := time.Parse(time.RFC3339, r.At)
	if err != nil {
		return time.Time{}
	}
	return at
}

// String names a round.
func (r Round) String() string {
	kinds := []string{}
	for _, c := range r.Causes {
		kinds = append(kinds, c.Kind)
	}
	n := "polled"
	if r.Generation != nil {
		n = strconv.Itoa(int(*r.Generation))
	}
	return fmt.Sprintf("round %s at %s (%s)", n, r.Time().Format("15:04:05.000"), strings.Join(kinds, ", "))
}

// stretch is a time in which, by the logs or by regroup, a unit did not run: what overlaps is about the same.
type stretch struct {
	from, to time.Time
	logged   []LogGap
	told     []toldGap
}

type toldGap struct {
	round Round
	RoundGap
}

func (g toldGap) length(now time.Time) (low, high time.Duration) {
	to, began := now, now
	if g.Runs != nil {
		to, began = *g.Runs, *g.Runs
	}
	if g.Began != nil {
		began = *g.Began
	}
	low = max(0, began.Sub(*g.Stopped[1]))
	if g.Stopped[0] == nil {
		return low, Anything
	}
	return low, max(0, to.Sub(*g.Stopped[0]))
}

func (g toldGap) String() string {
	runs := "now"
	if g.Runs != nil {
		runs = g.Runs.Format("15:04:05.000")
	}
	if g.Began != nil {
		runs = Moment{*g.Began, *g.Runs}.String()
	}
	stopped := "some time up to " + g.Stopped[1].Format("15:04:05.000")
	if g.Stopped[0] != nil {
		stopped = Moment{*g.Stopped[0], *g.Stopped[1]}.String()
	}
	return fmt.Sprintf("%v: stopped at %s, runs again at %s", g.round, stopped, runs)
}

func stretches(unit Unit, gaps []LogGap, rounds []Round, now time.Time) []stretch {
	var all []stretch
	for _, g := range gaps {
		if g.Unit == unit {
			to := g.To.High
			if g.To == (Moment{}) {
				to = now
			}
			all = append(all, stretch{from: g.From.Low, to: to, logged: []LogGap{g}})
		}
	}
	for _, r := range rounds {
		for _, g := range r.Gaps {
			if g.Unit == unit {
				to := now
				if g.Runs != nil {
					to = *g.Runs
				}
				// Its latest beginning tells where it belongs: a crash may reach back to what was before.
				all = append(all, stretch{from: earliest(*g.Stopped[1], to), to: to, told: []toldGap{{r, g}}})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b stretch) int { return a.from.Compare(b.from) })
	var out []stretch
	for _, s := range all {
		if n := len(out); n > 0 && !s.from.After(out[n-1].to.Add(tick)) {
			was := &out[n-1]
			was.logged, was.told = append(was.logged, s.logged...), append(was.told, s.told...)
			if s.to.After(was.to) {
				was.to = s.to
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// begins is when the stretch began, by the logs where they know it: a range after a crash may begin in the window before.
func (s stretch) begins() time.Time {
	if len(s.logged) > 0 {
		return s.logged[0].From.Low
	}
	return s.from
}

func (s stretch) lengths(now time.Time) (truth, said Span) {
	for _, g := range s.logged {
		truth.add(g.Length(now))
	}
	for _, g := range s.told {
		said.add(g.length(now))
	}
	return truth, said
}

func (s stretch) spansRound(rounds []Round, now time.Time) bool {
	for _, g := range s.logged {
		to := g.To.High
		if g.To == (Moment{}) {
			to = now
		}
		if slices.ContainsFunc(rounds, func(r Round) bool { return !r.Time().Before(g.From.Low) && !r.Time().After(to) }) {
			return true
		}
	}
	return false
}

func (s stretch) String() string {
	var b strings.Builder
	for _, g := range s.logged {
		fmt.Fprintf(&b, "    the logs:  %v\n", g)
	}
	for _, g := range s.told {
		fmt.Fprintf(&b, "    regroup:   %v\n", g)
	}
	return strings.TrimRight(b.String(), "\n")
}

func unitsWithGaps(gaps []LogGap, rounds []Round) []Unit {
	seen := map[Unit]bool{}
	for _, g := range gaps {
		seen[g.Unit] = true
	}
	for _, r := range rounds {
		for _, g := range r.Gaps {
			seen[g.Unit] = true
		}
	}
	out := make([]Unit, 0, len(seen))
	for u := range seen {
		out = append(out, u)
	}
	return sortUnits(out)
}
