package tui

import (
	"fmt"
	"strconv"
	"time"

	"regroup/group"
)

// count prints a number with a comma between thousands.
func count(n int) string {
	s := strconv.Itoa(n)
	from := 0
	if n < 0 {
		from = 1
	}
	for i := len(s) - 3; i > from; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural is "1 unit", "2 units".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// countdown is 0:18, or 1:02:03.
func countdown(d time.Duration) string {
	s := int(group.WholeSeconds(d) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// age is 0.1 s, 2 s, 46 m, 5 h, 2 d.
func age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return fmt.Sprintf("0.%d s", d/(100*time.Millisecond))
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d m", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d d", d/(24*time.Hour))
}

// span is how long something takes: 1.6 s, 20 s, 5 m.
func span(d time.Duration) string {
	switch {
	case d%time.Second != 0 && d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d m", d/time.Minute)
	case d >= time.Minute:
		return countdown(d)
	}
	return fmt.Sprintf("%d s", d.Round(time.Second)/time.Second)
}
