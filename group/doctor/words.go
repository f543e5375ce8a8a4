package doctor

import (
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// is picks the verb's form.
func is(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// some names the first few units: "sink-a 3, sink-b c and 4 more".
func some(units []group.Unit) string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = decode.Printable(u.String())
	}
	return words.Few(names)
}

func name(w *group.Worker) string { return decode.Printable(w.Name) }

func namesOf(workers []*group.Worker) string {
	names := make([]string, len(workers))
	for i, w := range workers {
		names[i] = name(w)
	}
	return words.Few(names)
}

func idsOf(workers []*group.Worker) []string {
	ids := make([]string, len(workers))
	for i, w := range workers {
		ids[i] = w.ID
	}
	return ids
}

// called is how a round is called: one seen by polling alone has no number.
func called(r *group.Round) string {
	if r.Polled {
		return "the last polled round"
	}
	return fmt.Sprintf("round %d", r.Generation)
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// seconds prints 1.6 s, 20 s, 4 m, 3 h.
func seconds(d time.Duration) string {
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

// earliest is the first of some times that are known.
func earliest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if !t.IsZero() && (out.IsZero() || t.Before(out)) {
			out = t
		}
	}
	return out
}

// since is when the first of some units came into its state.
func (v *view) since(at []int) time.Time {
	var out time.Time
	for _, i := range at {
		out = earliest(out, v.Units[i].Since)
	}
	return out
}
