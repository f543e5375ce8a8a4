package tui

import (
	"fmt"
	"strconv"
	"time"

	"regroup/group"
)

// timeWindow is the stretch of time that a timeline shows: so many columns, each as long.
type timeWindow struct {
	from  time.Time
	per   time.Duration
	width int
}

func (w timeWindow) to() time.Time { return w.from.Add(time.Duration(w.width) * w.per) }

// column is where a time lies; it may lie outside.
func (w timeWindow) column(t time.Time) int {
	d := t.Sub(w.from)
	if d < 0 {
		return int((d - w.per + 1) / w.per)
	}
	return int(d / w.per)
}

func (w timeWindow) start(column int) time.Time { return w.from.Add(time.Duration(column) * w.per) }

func (w timeWindow) has(t time.Time) bool { c := w.column(t); return c >= 0 && c < w.width }

// timeState is what the person has set of the timeline.
type timeState struct {
	per   time.Duration // a column; 0: what fits the history
	end   time.Time     // zero: now
	stood int           // Seq of the round stood on when it was drawn last, plus 1
	drawn timeWindow    // the window drawn last
}

// steps of a column: what a person can reckon with.
var timeSteps = []time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
	3 * time.Second, 4 * time.Second, 5 * time.Second, 6 * time.Second, 8 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second,
	30 * time.Second, 45 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 24 * time.Hour,
}

// stepFor is the smallest step of at least d.
func stepFor(d time.Duration) time.Duration {
	for _, s := range timeSteps {
		if s >= d {
			return s
		}
	}
	return timeSteps[len(timeSteps)-1]
}

// recent is how far back a timeline goes at first; further only to show the last round.
const recent = 10 * time.Minute

// finest is the shortest column that nobody asked for: shorter ones run away under one's eyes while one follows.
const finest = 500 * time.Millisecond

// fitTime is a column's length with which the history fits, or the last part of it.
func fitTime(s *group.State, width int) time.Duration {
	from := s.Now.Add(-recent)
	rounds := s.Rounds
	for _, r := range rounds { // before anything ran there is nothing to see
		if r.Units > 0 || r.Started > 0 {
			if first := r.At.Add(-2 * s.Now.Sub(r.At) / time.Duration(max(width, 1))); first.After(from) {
				from = first
			}
			break
		}
	}
	if n := len(rounds); n > 0 && rounds[n-1].At.Before(from) {
		from = rounds[n-1].At.Add(-s.Now.Sub(rounds[n-1].At) / 8)
	}
	return stepFor(max(s.Now.Sub(from)/time.Duration(max(width, 1)), finest))
}

// window is the stretch to be drawn in width columns. Stepping to a round outside brings it into view.
func (t *timeState) window(live *group.State, shown *group.State, width int) timeWindow {
	w := timeWindow{per: t.per, width: max(width, 1)}
	if w.per == 0 {
		w.per = fitTime(live, w.width)
	}
	to := t.end
	if to.IsZero() {
		to = live.Now.Add(w.per)
	}
	w.from = to.Truncate(w.per).Add(-time.Duration(w.width) * w.per)
	stood := 0
	if r := shown.Round(); r != nil && shown != live {
		stood = r.Seq + 1
		if stood != t.stood && !w.has(r.At) {
			t.end = r.At.Add(time.Duration(w.width) * w.per / 2)
			w.from = t.end.Truncate(w.per).Add(-time.Duration(w.width) * w.per)
		}
	} else if t.stood > 0 { // following again
		t.end = time.Time{}
		w.from = live.Now.Add(w.per).Truncate(w.per).Add(-time.Duration(w.width) * w.per)
	}
	t.stood, t.drawn = stood, w
	return w
}

// zoom makes columns shorter (by > 0) or longer, and keeps what lies at anchor where it is.
func (t *timeState) zoom(by int, anchor time.Time) {
	w := t.drawn
	if w.per == 0 {
		return
	}
	per := stepFor(w.per * 2)
	if by > 0 {
		per = timeSteps[0]
		for _, s := range timeSteps {
			if s <= w.per/2 {
				per = s
			}
		}
	}
	if t.end.IsZero() && !w.has(anchor) {
		t.per = per
		return
	}
	column := w.column(anchor)
	following := t.end.IsZero() && column >= w.width-2
	t.per = per
	if !following {
		t.end = anchor.Truncate(per).Add(time.Duration(w.width-column) * per)
	}
}

// pan goes a quarter of the window back or on. Beyond now it follows again.
func (t *timeState) pan(by int, now time.Time) {
	w := t.drawn
	if w.per == 0 {
		return
	}
	t.per = w.per
	t.end = w.to().Add(time.Duration(by*max(w.width/4, 1)) * w.per)
	if !t.end.Before(now) {
		t.end = time.Time{}
	}
}

// perText is how long a column is: 0.2 s, 4 s, 5 m.
func perText(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatFloat(d.Seconds(), 'g', 3, 64) + " s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d m", d/time.Minute)
	}
	return fmt.Sprintf("%d h", d/time.Hour)
}

// tickSteps are the distances of times written over a timeline.
var tickSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour,
}

// tick is the distance of the times written over this window, and their format.
func (w timeWindow) tick() (time.Duration, string) {
	for _, d := range tickSteps {
		format, room := "15:04", 13
		switch {
		case d < time.Minute:
			format = "15:04:05"
		case d >= 24*time.Hour:
			format = "Jan 2"
		}
		if d >= time.Duration(room)*w.per {
			return d, format
		}
	}
	return 28 * 24 * time.Hour, "Jan 2"
}
