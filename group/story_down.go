package group

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// down says how long units did not run, grouped by length: "Down: 5 for 15-18 s, 5 for about 3.0 s."
func (e *episode) down() string {
	type bunch struct {
		n         int
		low, high time.Duration
		kind      gapKind
	}
	gaps := slices.Clone(e.gaps)
	length := func(g *gap) time.Duration { _, high := g.length(e.s.Now); return high }
	slices.SortFunc(gaps, func(a, b gap) int { return cmp.Compare(length(&b), length(&a)) })
	var bunches []bunch
	for i := range gaps {
		low, high := gaps[i].length(e.s.Now)
		kind := gaps[i].kind()
		if at := slices.IndexFunc(bunches, func(b bunch) bool {
			return b.kind == kind && (b.low-low < b.low/3 || b.high < time.Second || b.low == low && b.high-high < b.high/3)
		}); at >= 0 && (at == len(bunches)-1 || kind.open) {
			b := &bunches[at]
			b.n++
			b.low = min(b.low, low)
			continue
		}
		bunches = append(bunches, bunch{1, low, high, kind})
	}
	if len(bunches) == 0 {
		return ""
	}
	var parts []string
	for _, b := range bunches {
		span := seconds(b.high)
		switch {
		case b.kind.open:
			span = "at least " + seconds(b.low)
		case b.kind.frozen && b.low < time.Second:
			span = "up to " + seconds(b.high)
		case b.high < time.Second:
			span = "under " + seconds(b.high+50*time.Millisecond)
		case b.high-b.low > b.high/20 && seconds(b.low) != span:
			span = strings.TrimSuffix(seconds(b.low), " s") + "-" + span
		}
		if b.kind.growing {
			span += " so far"
		}
		parts = append(parts, fmt.Sprintf("%d for %s", b.n, span))
	}
	estimated := ""
	if !gaps[0].measured {
		estimated = " (estimated from the rounds)"
	}
	return "Down: " + strings.Join(parts, ", ") + estimated + "."
}

// gapKind is what gaps that are told together have in common.
type gapKind struct{ growing, open, frozen bool }

func (g *gap) kind() gapKind { return gapKind{!g.ended, g.open, g.frozen} }

// failedToStart names the units whose start failed within the episode, and why where it is known.
func (e *episode) failedToStart() string {
	from, to := e.rounds[0].RecordedAt, e.s.Now
	if last := e.first + len(e.rounds); last < len(e.h.rounds) {
		to = earlier(to, e.h.rounds[last].RecordedAt)
	}
	var failed []Unit
	twice := false
	claims := e.s.past.claimsUpTo(to)
	for _, unit := range e.s.past.failed {
		here := false
		for _, k := range claims.claims(unit) {
			if k.state == decode.Failed && k.at.After(from) {
				here = true
				twice = twice || strings.Contains(k.trace, "already exists in this worker")
			}
		}
		if here {
			failed = append(failed, e.s.past.tables.unitOf(unit))
		}
	}
	if len(failed) == 0 {
		return ""
	}
	decode.SortUnits(failed)
	names := make([]string, 0, 3)
	for _, u := range failed[:min(3, len(failed))] {
		names = append(names, decode.Printable(u.String()))
	}
	text := strings.Join(names, ", ")
	if n := len(failed) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	} else if len(names) > 1 {
		text = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	text += " failed to start"
	if twice {
		text += ": old copies still ran on their worker, left over from the downgrade to eager"
	}
	return text + "."
}

func units(n int) string { return words.Count(n, "unit") }

// seconds prints 3.0 s, 15 s, 4 m 10 s.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	whole := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d m %d s", whole/60, whole%60)
}
