package cli

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"regroup/decode"
)

// table prints aligned columns, two blanks apart, as wide as what is in them: a reader may be awk. Numbers stand right.
type table struct {
	heads []string
	right []bool
	rows  [][]string
}

// newTable takes the heads; one that begins with ">" is a column of numbers.
func newTable(heads ...string) *table {
	t := &table{}
	for _, h := range heads {
		name, right := strings.CutPrefix(h, ">")
		t.heads = append(t.heads, name)
		t.right = append(t.right, right)
	}
	return t
}

// row adds a row; what is missing at its end is blank. Cells are cleaned here: names and messages come from outside.
func (t *table) row(cells ...string) {
	clean := make([]string, len(t.heads))
	for i, c := range cells {
		clean[i] = decode.Printable(c)
	}
	t.rows = append(t.rows, clean)
}

// line adds text of its own between rows.
func (t *table) line(text string) { t.rows = append(t.rows, []string{decode.Printable(text)}) }

func (t *table) write(w io.Writer) error {
	widths := make([]int, len(t.heads))
	all := append([][]string{t.heads}, t.rows...)
	for _, r := range all {
		if len(r) != len(t.heads) {
			continue
		}
		for i, c := range r {
			widths[i] = max(widths[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	for _, r := range all {
		if len(r) != len(t.heads) {
			b.WriteString(r[0] + "\n")
			continue
		}
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(c))
			if t.right[i] {
				c = pad + c
			} else {
				c += pad
			}
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(c)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
