package compare

import (
	"fmt"
	"time"
)

// Tick is a round moment on the time axis.
type Tick struct {
	At    time.Duration
	Label string
}

var tickSteps = []time.Duration{
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// Ticks are round moments of a stretch of time, at most so many.
func Ticks(span time.Duration, most int) []Tick {
	for _, step := range tickSteps {
		if int(span/step) >= most {
			continue
		}
		var out []Tick
		for at := time.Duration(0); at <= span; at += step {
			label := Clock(at)
			if step < time.Second {
				label = fmt.Sprintf("%.2f s", at.Seconds())
			}
			out = append(out, Tick{at, label})
		}
		return out
	}
	return []Tick{{0, Clock(0)}}
}
