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
		c.row("unit-seconds lost", func(s Sum) int64 { return int64(s.Lost) }, func(n int64) string { return words.Sum(time.Duration(n)) }),
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
	return words.Short(time.Duration(n))
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
	return words.Countdown(d.Round(time.Second))
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

// SumAt is what a run had cost by a moment of it: gaps count as far as they had lasted.
func (r *Run) SumAt(at time.Duration) Sum {
	if at >= r.Sum.Settled {
		return r.Sum
	}
	out := Sum{Settled: notYet}
	for i, round := range r.Rounds() {
		if r.At(i) <= at {
			out.Rounds++
			out.Twice += round.Twice
		}
	}
	now := r.From.Add(at)
	for _, g := range r.Outages {
		if g.From.After(now) {
			continue
		}
		to := g.To
		if to.After(now) {
			to = now
		}
		long := to.Sub(g.From)
		out.Lost += long
		out.Longest = max(out.Longest, long)
	}
	for _, l := range r.stops {
		if l.at <= at {
			out.Stopped += l.n
		}
	}
	for _, l := range r.downs {
		if l.at <= at {
			out.MostDown = max(out.MostDown, l.n)
		}
	}
	return out
}

// notYet stands for when a run settles, while it has not.
const notYet time.Duration = -1

// Latest is the index of the newest of the exercise's rounds at a moment, -1 before the first.
func (r *Run) Latest(at time.Duration) int {
	last := -1
	for i := range r.Rounds() {
		if r.At(i) <= at {
			last = i
		}
	}
	return last
}

// Turns are the moments at which a round comes in any run, in order, each once.
func (c *Comparison) Turns() []time.Duration {
	var out []time.Duration
	for _, r := range c.Runs {
		for i := range r.Rounds() {
			out = append(out, r.At(i))
		}
	}
	return sortedOnce(out)
}

// Done is the newest step of the exercise at a moment, in the run that it comes last in; "" before the first.
func (r *Run) Done(at time.Duration) string {
	out := ""
	for _, s := range r.Steps {
		if s.At <= at {
			out = s.Do
		}
	}
	return out
}

// Headline is the difference in a sentence or two.
func (c *Comparison) Headline() string {
	if len(c.Runs) < 2 {
		return c.Runs[0].alone()
	}
	a, b := c.Runs[0], c.Runs[1]
	if b.Sum.MostDown > a.Sum.MostDown {
		a, b = b, a
	}
	most := c.Most()
	switch {
	case a.Sum.Stopped == 0 && b.Sum.Stopped == 0:
		return "Neither stops anything."
	case a.Sum.MostDown == b.Sum.MostDown && a.Sum.Stopped == b.Sum.Stopped:
		text := fmt.Sprintf("%s and %s stop the same here: %s", title(c.Runs[0].Mode.Name), c.Runs[1].Mode.Name, words.Plural(a.Sum.Stopped, "unit"))
		if a.Sum.Lost != b.Sum.Lost {
			text += fmt.Sprintf(", for %s and %s unit-seconds", words.Sum(c.Runs[0].Sum.Lost), words.Sum(c.Runs[1].Sum.Lost))
		}
		return text + "."
	}
	if a.Sum.MostDown == b.Sum.MostDown {
		return fmt.Sprintf("Both have %s of %s units down at once; %s stops %s in all, %s %s.", words.Thousands(a.Sum.MostDown), words.Thousands(most),
			c.Runs[0].Mode.Name, words.Thousands(c.Runs[0].Sum.Stopped), c.Runs[1].Mode.Name, words.Thousands(c.Runs[1].Sum.Stopped))
	}
	text := fmt.Sprintf("%s has at most %s of %s units down, %s %s.", title(b.Mode.Name), words.Thousands(b.Sum.MostDown), words.Thousands(most), a.Mode.Name, all(a.Sum.MostDown, most))
	if b.Sum.MostDown == 0 {
		text = fmt.Sprintf("%s never has a unit down, %s %s.", title(b.Mode.Name), a.Mode.Name, all(a.Sum.MostDown, most))
	}
	if b.Sum.Stopped == 0 {
		text = fmt.Sprintf("%s stops nothing, %s has %s down.", title(b.Mode.Name), a.Mode.Name, all(a.Sum.MostDown, most))
	}
	if b.Sum.Lost > a.Sum.Lost && len(b.delays()) > 0 {
		text += " Its price is the delay."
	}
	return text
}

func (r *Run) alone() string {
	if r.Sum.Stopped == 0 {
		return title(r.Mode.Name) + " stops nothing."
	}
	return fmt.Sprintf("%s stops %s, no more than %d at once.", title(r.Mode.Name), words.Plural(r.Sum.Stopped, "unit"), r.Sum.MostDown)
}

func all(n, of int) string {
	if n == of {
		return "all " + words.Thousands(n)
	}
	return words.Thousands(n)
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
