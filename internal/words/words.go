// Package words is how numbers and durations are written, wherever they are: on the screen, in the commands' tables, in causes and
// findings. It knows nothing of Kafka.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Thousands is a number with a comma between thousands: 1,234.
func Thousands(n int) string {
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

// Plural is "1 unit", "2 units", "1,234 units".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(n) + " " + what + "s"
}

// Count is "1 unit", "2 units", "1234 units": for what scripts and logs are searched for.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Few lists the first few of some names: "a", "a and b", "a, b, c, d and 3 more".
func Few(names []string) string {
	const most = 4
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// WholeSeconds is a time that counts down, as every view and command shows it: whole seconds, 0 once less than one is left.
func WholeSeconds(d time.Duration) time.Duration { return max(d, 0).Truncate(time.Second) }

// Countdown is 0:18, or 1:02:03.
func Countdown(d time.Duration) string {
	s := int(WholeSeconds(d) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Age is 0.1 s, 2 s, 46 m, 5 h, 2 d.
func Age(d time.Duration) string {
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

// Span is how long something takes: 1.6 s, 20 s, 5 m.
func Span(d time.Duration) string {
	switch {
	case d%time.Second != 0 && d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d m", d/time.Minute)
	case d >= time.Minute:
		return Countdown(d)
	}
	return fmt.Sprintf("%d s", d.Round(time.Second)/time.Second)
}
