package cli

import (
	"errors"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"regroup/group"
	"regroup/group/doctor"
	document "regroup/internal/report"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/ui/theme"
)

// newReport writes what is known of a group as a document.
func newReport(a *app) *cobra.Command {
	v := view{}
	var svg, page string
	cmd := &cobra.Command{
		Use:   "report [GROUP]",
		Short: "Write a report: the timeline as SVG, or everything as one HTML file",
		Long: `Write a report for a ticket or a slide: with --svg the timeline as a picture, with --html one HTML file with the timeline, the rounds
with their costs and stories, and the findings. Both are self-contained. The file "-" is stdout; without either flag the HTML goes
there. --theme dark or light fixes the colours; otherwise they follow the reader's setting.`,
		Example: `  regroup report connect-rig -b localhost:9092 --html incident.html
  regroup report --from capture.jsonl --at 22+2s --svg timeline.svg`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			if svg == "-" && page == "-" {
				return misuse("report: --svg and --html cannot both go to stdout")
			}
			if err := spared(v.from, svg, page); err != nil {
				return err
			}
			s, err := a.state(cmd.Context(), v, args)
			if err != nil {
				return err
			}
			a.blanks(s)
			if svg == "" && page == "" {
				page = "-"
			}
			return a.writeReport(s, v, svg, page)
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "write the timeline to this `file`")
	cmd.Flags().StringVar(&page, "html", "", "write the report to this `file`")
	v.fileFlags(cmd)
	return cmd
}

func (a *app) writeReport(s *group.State, v view, svg, page string) error {
	kind := theme.Kind(a.flags.theme)
	if !slices.Contains(theme.Kinds, kind) {
		kind = theme.Auto // one of a person's own: a page has the program's colours
	}
	if svg != "" {
		picture := document.Timeline(s, document.TimelineOptions{Theme: kind, Location: time.Local})
		if err := a.writeFile(svg, picture); err != nil {
			return err
		}
	}
	if page == "" {
		return nil
	}
	found := doctor.Examine(s, doctor.Options{Passed: v.from != ""})
	text, err := document.HTML(s, document.Options{
		Theme: kind, Location: time.Local, Findings: &found, Why: label.LongWhy, Cost: parts.CostText, Version: thisBuild().Version,
	})
	if err != nil {
		return err
	}
	return a.writeFile(page, text)
}

// spared keeps what is read from being written over, and one result by the other.
func spared(from, svg, page string) error {
	for _, path := range []string{svg, page} {
		if path != "" && path != "-" && from != "" && from != "-" && sameFile(from, path) {
			return misuse("report: %s is what is read: name another file to write", path)
		}
	}
	if svg != "" && (svg == page || sameFile(svg, page)) {
		return misuse("report: --svg and --html cannot both go to %s", svg)
	}
	return nil
}

// sameFile says whether two paths lead to one regular file.
func sameFile(one, other string) bool {
	a, err1 := os.Stat(one)
	b, err2 := os.Stat(other)
	return err1 == nil && err2 == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// writeFile writes a result to a file, or to stdout where that is "-".
func (a *app) writeFile(path string, content []byte) error {
	if path == "-" {
		_, err := a.out.Write(content)
		return err
	}
	err := os.WriteFile(path, content, 0o644) //nolint:gosec // a report is for others to read
	var pe *os.PathError
	if errors.As(err, &pe) {
		return misuse("report: %s: %w", path, pe.Err)
	}
	if err == nil {
		a.note("%s written", path)
	}
	return err
}
