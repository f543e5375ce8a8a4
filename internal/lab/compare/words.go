package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"regroup/internal/words"
)

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

// UnitSeconds is a cost, in whole numbers where they are large.
func UnitSeconds(d time.Duration) string {
	s := d.Seconds()
	if s >= 100 || s == math.Trunc(s) {
		return words.Thousands(int(math.Round(s)))
	}
	if s < 1 {
		return strconv.FormatFloat(s, 'f', 2, 64)
	}
	return strconv.FormatFloat(s, 'f', 1, 64)
}

// Clock is a moment of an exercise: 0:08, 12:30, 1:02:03.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
