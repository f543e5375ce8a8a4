package lanes

import (
	"fmt"
	"strconv"
	"time"

	"regroup/group"
)

// Window is the stretch of time that a timeline shows: so many columns, each as long.
type Window struct {
	From  time.Time
	Per   time.Duration
	Width int
}

// To is the end of the window.
func (w Window) To() time.Time { return w.From.Add(time.Duration(w.Width) * w.Per) }

// Column is where a time lies; it may lie outside.
func (w Window) Column(t time.Time) int {
	d := t.Sub(w.From)
	if d < 0 {
		return int((d - w.Per + 1) / w.Per)
	}
	return int(d / w.Per)
}

// Start is when a column begins.
func (w Window) Start(column int) time.Time { return w.From.Add(time.Duration(column) * w.Per) }

func (w Window) has(t time.Time) bool { c := w.Column(t); return c >= 0 && c < w.Width }

// Zoom is what the person has set of the timeline.
type Zoom struct {
	per   time.Duration // a column; 0: what fits the history
	End   time.Time     // zero: now
	stood int           // Seq of the round stood on when it was drawn last, plus 1
	Drawn Window        // the window drawn last
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
func (t *Zoom) window(live *group.State, shown *group.State, width int) Window {
	w := Window{Per: t.per, Width: max(width, 1)}
	if w.Per == 0 {
		w.Per = fitTime(live, w.Width)
	}
	to := t.End
	if to.IsZero() {
		to = live.Now.Add(w.Per)
	}
	w.From = to.Truncate(w.Per).Add(-time.Duration(w.Width) * w.Per)
	stood := 0
	if r := shown.Round(); r != nil && shown != live {
		stood = r.Seq + 1
		if stood != t.stood && !w.has(r.At) {
			t.End = r.At.Add(time.Duration(w.Width) * w.Per / 2)
			w.From = t.End.Truncate(w.Per).Add(-time.Duration(w.Width) * w.Per)
		}
	} else if t.stood > 0 { // following again
		t.End = time.Time{}
		w.From = live.Now.Add(w.Per).Truncate(w.Per).Add(-time.Duration(w.Width) * w.Per)
	}
	t.stood, t.Drawn = stood, w
	return w
}

// Zoom makes columns shorter (by > 0) or longer, and keeps what lies at anchor where it is.
func (t *Zoom) Zoom(by int, anchor time.Time) {
	w := t.Drawn
	if w.Per == 0 {
		return
	}
	per := stepFor(w.Per * 2)
	if by > 0 {
		per = timeSteps[0]
		for _, s := range timeSteps {
			if s <= w.Per/2 {
				per = s
			}
		}
	}
	if t.End.IsZero() && !w.has(anchor) {
		t.per = per
		return
	}
	column := w.Column(anchor)
	following := t.End.IsZero() && column >= w.Width-2
	t.per = per
	if !following {
		t.End = anchor.Truncate(per).Add(time.Duration(w.Width-column) * per)
	}
}

// Pan goes a quarter of the window back or on. Beyond now it follows again.
func (t *Zoom) Pan(by int, now time.Time) {
	w := t.Drawn
	if w.Per == 0 {
		return
	}
	t.per = w.Per
	t.End = w.To().Add(time.Duration(by*max(w.Width/4, 1)) * w.Per)
	if !t.End.Before(now) {
		t.End = time.Time{}
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

// Tick is the distance of the times written over this window, and their format.
func (w Window) Tick() (time.Duration, string) {
	for _, d := range tickSteps {
		format, room := "15:04", 13
		switch {
		case d < time.Minute:
			format = "15:04:05"
		case d >= 24*time.Hour:
			format = "Jan 2"
		}
		if d >= time.Duration(room)*w.Per {
			return d, format
		}
	}
	return 28 * 24 * time.Hour, "Jan 2"
}
