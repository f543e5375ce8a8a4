// Package words is how numbers and durations are written, wherever they are: on the screen, in the commands' tables, in causes and
// findings. It knows nothing of Kafka.
package words

import (
	"fmt"
	"math"
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

// Rough is how long something took, more or less: 1.6 s, 20 s, 4 m, 3 h.
func Rough(d time.Duration) string {
	switch {
	case d < 10*time.Second && d%time.Second != 0:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d m", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%d h", int(d.Hours()+0.5))
}

// Took is how long something took: 3.0 s, 15 s, 4 m 10 s.
func Took(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	whole := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d m %d s", whole/60, whole%60)
}

// WholeAge is Age in whole seconds: 0 s, 2 s, 46 m, 5 h, 2 d.
func WholeAge(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d m", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours())/24)
}

// Short is a time as people say it: 30 ms, 2.1 s, 8 s, 5 min.
func Short(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	case d >= 10*time.Minute || d >= time.Minute && d%time.Minute == 0:
		return strings.TrimSuffix(strconv.FormatFloat(d.Minutes(), 'f', 1, 64), ".0") + " min"
	}
	return strings.TrimSuffix(strconv.FormatFloat(d.Seconds(), 'f', 1, 64), ".0") + " s"
}

// Sum is a number of unit-seconds in whole numbers where it is large: 0.25, 3.5, 1,234.
func Sum(d time.Duration) string {
	s := d.Seconds()
	if s >= 100 || s == math.Trunc(s) {
		return Thousands(int(math.Round(s)))
	}
	if s < 1 {
		return strconv.FormatFloat(s, 'f', 2, 64)
	}
	return strconv.FormatFloat(s, 'f', 1, 64)
}

// UnitSeconds is a duration summed over units: one decimal below 1,000.
func UnitSeconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.05:
		return "0"
	case s < 999.95:
		return fmt.Sprintf("%.1f", s)
	}
	return Whole(d)
}

// Whole is a number of seconds without a fraction, in thousands from 10,000 on.
func Whole(d time.Duration) string {
	n := int(d.Seconds() + 0.5)
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return Thousands(n)
}

// Gap is how long a unit stood still: 0.16 s, 3.04 s, 15 s; a range 29-32 s.
func Gap(low, high time.Duration) string {
	one := func(d time.Duration) string {
		if d < 10*time.Second {
			return fmt.Sprintf("%.2f", d.Seconds())
		}
		return strconv.Itoa(int(d.Seconds() + 0.5))
	}
	if a, b := one(low), one(high); a != b && high-low >= 50*time.Millisecond {
		return Whole(low) + "-" + Whole(high) + " s"
	}
	return one(high) + " s"
}

// UnitRange is 5.6, 56-71, ~60.
func UnitRange(low, high time.Duration, estimated bool) string {
	out := UnitSeconds(low)
	if high-low >= 50*time.Millisecond {
		if out = Whole(low); Whole(high) != out {
			out += "-" + Whole(high)
		}
	}
	if estimated {
		out = "~" + out
	}
	return out
}

// ShortSpan is 0.04 s, 3.0 s, 15 s.
func ShortSpan(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return Age(d)
}
