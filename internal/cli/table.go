package cli

import (
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	lgtable "charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/term"

	"regroup/decode"
)

// table prints aligned columns, two blanks apart. In a pipe they are as wide as what is in them, for a reader may be awk; on a terminal
// that is narrower they are wrapped at words. Numbers stand right.
type table struct {
	heads []string
	right []bool
	rows  [][]string
	lines map[int][]string // texts of their own, by how many rows stand above
}

// newTable takes the heads; one that begins with ">" is a column of numbers.
func newTable(heads ...string) *table {
	t := &table{lines: map[int][]string{}}
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
func (t *table) line(text string) {
	t.lines[len(t.rows)] = append(t.lines[len(t.rows)], decode.Printable(text))
}

// between is drawn between two rows, so that lines find their place: no name has it, for Printable takes it out.
const between = "\uE000"

func (t *table) write(w io.Writer) error { return t.writeIn(w, columnsOf(w)) }

// writeIn writes it into so many columns; 0: as wide as it is.
func (t *table) writeIn(w io.Writer, width int) error {
	drawn := lgtable.New().Headers(t.heads...).Rows(t.rows...).BorderRow(true).BorderHeader(true).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).
		Border(lipgloss.Border{Top: between, Bottom: between}).
		StyleFunc(func(_, column int) lipgloss.Style {
			style := lipgloss.NewStyle()
			if t.right[column] {
				style = style.Align(lipgloss.Right)
			}
			if column > 0 {
				style = style.PaddingLeft(2)
			}
			return style
		})
	text := drawn.Render()
	if width > 0 && lipgloss.Width(text) > width {
		text = drawn.Width(width).Render()
	}
	var b strings.Builder
	rows := 0
	put := func() {
		for _, l := range t.lines[rows] {
			b.WriteString(l + "\n")
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, between) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			continue
		}
		put()
		rows++
	}
	put()
	_, err := io.WriteString(w, b.String())
	return err
}

// columnsOf is how wide the terminal is that w writes to; 0 where it is none.
func columnsOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return width
}
