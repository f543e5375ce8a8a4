package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"regroup/internal/words"
)

// Row is one line of the table: what is counted, and a cell a mode.
type Row struct {
	Label string
	Cells []string
	Best  []bool // the better ones, where they differ
}

// Table is what each mode cost.
func (c *Comparison) Table() []Row { return c.TableAt(c.Span) }

// TableAt is what each mode had cost by a moment.
func (c *Comparison) TableAt(at time.Duration) []Row {
	sums := make([]Sum, len(c.Runs))
	for i, r := range c.Runs {
		sums[i] = r.SumAt(at)
	}
	return table(sums)
}

func table(c sums) []Row {
	rows := []Row{
		c.row("rounds", func(s Sum) int64 { return int64(s.Rounds) }, number),
		c.row("units stopped", func(s Sum) int64 { return int64(s.Stopped) }, number),
		c.row("unit-seconds lost", func(s Sum) int64 { return int64(s.Lost) }, func(n int64) string { return UnitSeconds(time.Duration(n)) }),
		c.row("most down at once", func(s Sum) int64 { return int64(s.MostDown) }, number),
		c.row("longest gap of a unit", func(s Sum) int64 { return int64(s.Longest) }, long),
		c.row("settled after", settledAfter, func(n int64) string { return precise(time.Duration(n)) }),
	}
	for _, more := range []Row{
		c.row("down for good", func(s Sum) int64 { return int64(s.Waiting) }, number),
		c.row("started twice", func(s Sum) int64 { return int64(s.Twice) }, number),
		c.row("run twice for good", func(s Sum) int64 { return int64(s.Twins) }, number),
		c.row("failed for good", func(s Sum) int64 { return int64(s.Failed) }, number),
	} {
		if slices.ContainsFunc(more.Cells, func(cell string) bool { return cell != "0" }) {
			rows = append(rows, more)
		}
	}
	return rows
}

func number(n int64) string { return words.Thousands(int(n)) }

func long(n int64) string {
	if n == 0 {
		return "0"
	}
	return Short(time.Duration(n))
}

func settledAfter(s Sum) int64 {
	switch {
	case s.Never:
		return math.MaxInt64
	case s.Settled == notYet:
		return math.MaxInt64 - 1
	}
	return int64(s.Settled)
}

// precise is a clock with tenths below a minute, where they matter.
func precise(d time.Duration) string {
	switch {
	case d == math.MaxInt64:
		return "never"
	case d == math.MaxInt64-1:
		return "not yet"
	case d < time.Minute:
		return fmt.Sprintf("0:%04.1f", d.Seconds())
	}
	return Clock(d)
}

type sums []Sum

func (c sums) row(label string, of func(Sum) int64, tell func(int64) string) Row {
	out := Row{Label: label, Best: make([]bool, len(c))}
	var least, most int64
	for i, s := range c {
		n := of(s)
		if i == 0 {
			least, most = n, n
		}
		least, most = min(least, n), max(most, n)
		out.Cells = append(out.Cells, tell(n))
	}
	for i, s := range c {
		out.Best[i] = least != most && of(s) == least
	}
	return out
}

// Note says what the numbers leave out; "" when that is nothing.
func (c *Comparison) Note() string {
	for _, s := range c.Runs[0].Steps {
		if strings.HasPrefix(s.Do, "freeze") {
			return "Work of a frozen worker counts as running: its status says so, as on a real group."
		}
	}
	return ""
}
