package compare

import (
	"fmt"
	"strings"

	"regroup/internal/words"
)

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
			text += fmt.Sprintf(", for %s and %s unit-seconds", UnitSeconds(c.Runs[0].Sum.Lost), UnitSeconds(c.Runs[1].Sum.Lost))
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
