package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"regroup/tui/ui/cell"
)

// widestHelp is how wide help is at most: longer lines are hard to read.
const widestHelp = 120

// wrapHelp has help and usage fit the terminal. In a pipe they stay as they are.
func (a *app) wrapHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := strings.TrimSpace(cmd.Long)
		if text == "" {
			text = cmd.Short
		}
		width := min(columnsOf(cmd.OutOrStdout()), widestHelp)
		fmt.Fprint(cmd.OutOrStdout(), fit(reflowed(text, width)+"\n\n"+cmd.UsageString(), width))
	})
}

// reflowed puts the lines of each paragraph together, for fit to break anew. Indented lines are no prose.
func reflowed(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out []string
	prose := false
	for line := range strings.SplitSeq(text, "\n") {
		is := line != "" && !strings.HasPrefix(line, " ")
		if is && prose {
			out[len(out)-1] += " " + line
		} else {
			out = append(out, line)
		}
		prose = is
	}
	return strings.Join(out, "\n")
}

// secondColumn is where what is said of a flag or a command begins.
var secondColumn = regexp.MustCompile(`^ *\S.*?\S {2,}(?:\S)`)

// fit breaks what is too long at words, and sets it in as far as its line's own column.
func fit(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if cell.Width(line) <= width {
			out = append(out, line)
			continue
		}
		at := len(line) - len(strings.TrimLeft(line, " "))
		if m := secondColumn.FindString(line); m != "" && len(m)-1 <= width*2/3 {
			at = len(m) - 1
		}
		for i, part := range cell.Wrap(line[at:], max(width-at, 20)) {
			if i == 0 {
				part = line[:at] + part
			} else {
				part = strings.Repeat(" ", at) + part
			}
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n")
}
