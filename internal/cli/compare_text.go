package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"regroup/decode"
	"regroup/internal/lab/compare"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// stripRows is how high a strip of running units is.
const stripRows = 3

// printComparison prints the table, the strips, and what happened round by round.
func (a *app) printComparison(c *compare.Comparison, f compareFlags) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s: %s", decode.Printable(c.Name), decode.Printable(c.About))
	line("%s", c.Options.Line())
	line("")
	line("%s", c.Headline())
	for _, part := range []struct {
		name  string
		print func(*strings.Builder, *compare.Comparison, int)
	}{{"table", compareTable}, {"strips", compareStrips}, {"why", compareReasons}, {"rounds", compareRounds}} {
		if f.shows(part.name) {
			line("")
			part.print(&b, c, f.width)
		}
	}
	text := b.String()
	if a.ascii() {
		text = asciiOf(text)
	}
	_, err := a.out.Write([]byte(text))
	return err
}

func asciiOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return rune(theme.ASCII(r))
	}, s)
}

func compareTable(b *strings.Builder, c *compare.Comparison, _ int) {
	rows := c.Table()
	first := 0
	for _, r := range rows {
		first = max(first, len(r.Label))
	}
	widths := make([]int, len(c.Runs))
	for i, run := range c.Runs {
		widths[i] = max(len(run.Mode.Name), 7)
		for _, r := range rows {
			widths[i] = max(widths[i], len(r.Cells[i]))
		}
	}
	fmt.Fprintf(b, "%-*s", first, "")
	for i, run := range c.Runs {
		fmt.Fprintf(b, "   %*s", widths[i], run.Mode.Name)
	}
	b.WriteString("\n")
	for _, r := range rows {
		fmt.Fprintf(b, "%-*s", first, r.Label)
		for i, cell := range r.Cells {
			fmt.Fprintf(b, "   %*s", widths[i], cell)
		}
		b.WriteString("\n")
	}
	if note := c.Note(); note != "" {
		b.WriteString(note + "\n")
	}
}

// compareStrips prints the running units of each mode over one time axis.
func compareStrips(b *strings.Builder, c *compare.Comparison, width int) {
	left := 12
	for _, r := range c.Runs {
		left = max(left, len(r.Mode.Name)+2)
	}
	columns := width - left
	most := c.Most()
	fmt.Fprintf(b, "running units of %s, the worst moment of each %s\n", words.Thousands(most), words.Short(c.Span/time.Duration(columns)))
	axis := []rune(strings.Repeat(" ", columns+8))
	for _, t := range compare.Ticks(c.Span, columns/10) {
		x := 0
		if c.Span > 0 {
			x = min(int(t.At*time.Duration(columns)/c.Span), columns-1)
		}
		copy(axis[x:], []rune("│"+t.Label))
	}
	trimmed(b, strings.Repeat(" ", left)+string(axis))
	for _, r := range c.Runs {
		trimmed(b, fmt.Sprintf("%-*s%s", left, r.Mode.Name, string(r.Marks(c.Span, columns, c.Span))))
		running, of := r.Running(c.Span, columns, c.Span)
		for y, row := range compare.Area(running, of, most, stripRows) {
			label := ""
			switch y {
			case 0:
				label = words.Thousands(most)
			case stripRows - 1:
				label = "0"
			}
			trimmed(b, fmt.Sprintf("%*s %s", left-1, label, string(row)))
		}
	}
	var legend []string
	for _, m := range compare.Legend {
		legend = append(legend, string(m.Glyph)+" "+m.Means)
	}
	b.WriteString(strings.Join(legend, "  ") + "\n")
}

func trimmed(b *strings.Builder, line string) { b.WriteString(strings.TrimRight(line, " ") + "\n") }

func compareReasons(b *strings.Builder, c *compare.Comparison, width int) {
	b.WriteString("why\n")
	reasons := c.Explain()
	for i, run := range c.Runs {
		if as := c.Alike(i); as != "" {
			fmt.Fprintf(b, "%s: all as %s\n", run.Mode.Name, as)
			continue
		}
		b.WriteString(run.Mode.Name + "\n")
		for _, r := range reasons {
			if r.Mode != run.Mode.Name {
				continue
			}
			for n, line := range cell.Wrap(strings.ToUpper(r.Rule[:1])+r.Rule[1:]+". "+r.Text, width-4) {
				b.WriteString([]string{"  - ", "    "}[min(n, 1)] + line + "\n")
			}
		}
	}
}

// mostRounds is how many rounds of a mode are printed; the JSON has all.
const mostRounds = 60

func compareRounds(b *strings.Builder, c *compare.Comparison, width int) {
	b.WriteString("round by round\n")
	for i, r := range c.Runs {
		if as := c.Alike(i); as != "" {
			fmt.Fprintf(b, "%s: all as %s\n", r.Mode.Name, as)
			continue
		}
		b.WriteString(r.Mode.Name + "\n")
		rounds := r.Rounds()
		if len(rounds) == 0 {
			b.WriteString("  no round\n")
		}
		for i, round := range rounds {
			if i == mostRounds {
				fmt.Fprintf(b, "  and %s more; -o json has them\n", words.Count(len(rounds)-i, "round"))
				break
			}
			line := fmt.Sprintf("  %7s  %c  %s: %s", words.Countdown(r.At(i).Round(time.Second)), compare.Glyph(round, r.Before(i)), label.Causes(round, r.Before(i)), r.Did(i))
			b.WriteString(ansi.Truncate(decode.Printable(line), width, "…") + "\n")
		}
	}
}
