package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
)

func newDoctor(a *app) *cobra.Command {
	var v view
	var watched time.Duration
	cmd := &cobra.Command{
		Use:   "doctor [GROUP]",
		Short: "Diagnose a group: what is wrong, how certain it is, and what to do",
		Long: `Check a group for known problems, and print each finding with its evidence, how certain it is (seen, likely, cannot tell) and what
to do next. A finding that follows from another is listed below it. Most findings appear only after some seconds; with --for, the
group is watched that long first, and findings that are over by then are printed too. In a file these times count as passed.

Exit codes: 0 healthy; 1 a finding is critical or a warning; 2 failed.`,
		Example: `  regroup doctor connect-rig -b localhost:9092 --for 60s
  regroup doctor --from capture.jsonl --at 22+2s -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.examined(cmd.Context(), v, watched, args)
			if err != nil {
				return err
			}
			return a.diagnosis(r)
		},
	}
	cmd.Flags().DurationVar(&watched, "for", 0, "watch for this `duration` first, as 60s: some findings need time to be certain")
	v.fileFlags(cmd)
	return cmd
}

// examined is the report on a group as it is now, or at a moment of a file.
func (a *app) examined(ctx context.Context, v view, watched time.Duration, args []string) (doctor.Report, error) {
	if watched < 0 || watched > 0 && v.from != "" {
		return doctor.Report{}, misuse("--for: it watches a living group for a while; a file has its own time, named by --at")
	}
	if watched == 0 {
		s, err := a.state(ctx, v, args)
		if err != nil {
			return doctor.Report{}, err
		}
		return doctor.Examine(s, doctor.Options{Passed: v.from != ""}), nil
	}
	opt, err := a.reached(ctx, args)
	if err != nil {
		return doctor.Report{}, err
	}
	inner, cancel := context.WithTimeout(ctx, watched)
	defer cancel()
	var last *group.State
	var watch doctor.Watch
	if err := observe.Live(inner, opt, func(s *group.State) {
		last = s
		watch.See(s, doctor.Options{})
	}); err != nil {
		return doctor.Report{}, err
	}
	switch {
	case ctx.Err() != nil:
		return doctor.Report{}, ctx.Err()
	case last == nil:
		return doctor.Report{}, fmt.Errorf("group %s: nothing was read within %s; give it longer", opt.Group, watched)
	}
	return watch.Report(), known(ctx, opt.Dial, last)
}

// reached is how to observe a group, once its brokers answer.
func (a *app) reached(ctx context.Context, args []string) (observe.Options, error) {
	s, err := a.settings()
	if err != nil {
		return observe.Options{}, err
	}
	if err := a.reach(ctx, s); err != nil {
		return observe.Options{}, err
	}
	name, err := a.groupName(ctx, s, args)
	if err != nil {
		return observe.Options{}, err
	}
	return a.observed(s, name), nil
}

// diagnosis prints a report and gives its exit code: silent, because the report says it all.
func (a *app) diagnosis(r doctor.Report) error {
	var err error
	if a.json() {
		err = a.print(r)
	} else {
		_, err = io.WriteString(a.out, reportText(r))
	}
	switch {
	case err != nil:
		return err
	case r.Verdict == doctor.HasFindings:
		return silent(exitNo)
	case r.Verdict == doctor.CannotTell:
		return silent(exitFault)
	}
	return nil
}

const reportWidth = 100

// reportText is a report for people: findings with all that is known of them, then what could not be looked at.
func reportText(r doctor.Report) string {
	var b strings.Builder
	b.WriteString(decode.Printable(r.Group) + ": " + summary(r) + "\n")
	for _, f := range r.Findings {
		indent := ""
		if f.Cause != "" {
			indent = "  "
		}
		b.WriteString("\n")
		findingText(&b, f, indent)
	}
	if len(r.Blanks) > 0 {
		b.WriteString("\ncannot tell:\n")
		for _, line := range blankLines(r.Blanks) {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

func summary(r doctor.Report) string {
	byKind := map[doctor.Severity]int{}
	for _, f := range r.Findings {
		byKind[f.Severity]++
	}
	var parts []string
	for _, k := range []doctor.Severity{doctor.Critical, doctor.Warning, doctor.Info} {
		if n := byKind[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k))
		}
	}
	word := map[doctor.Verdict]string{doctor.Healthy: "healthy", doctor.HasFindings: "findings", doctor.CannotTell: "cannot tell"}[r.Verdict]
	return strings.Join(append([]string{word}, parts...), ", ") + fmt.Sprintf("; %d rules looked, %d could not", r.Rules-len(r.Blanks), len(r.Blanks))
}

func findingText(b *strings.Builder, f doctor.Finding, indent string) {
	mark := "!"
	if f.Severity == doctor.Info {
		mark = "-"
	}
	since := ""
	if !f.Since.IsZero() {
		since = ", since " + f.Since.Local().Format(time.TimeOnly)
	}
	fmt.Fprintf(b, "%s%s %s: %s\n", indent, mark, f.ID, decode.Printable(f.Title))
	under := ""
	if f.Cause != "" {
		under = ", follows from " + f.Cause
	}
	fmt.Fprintf(b, "%s  %s, %s%s%s\n", indent, f.Severity, certainty(f.Certainty), since, under)
	wrapped(b, indent+"  ", indent+"  ", f.Why)
	for _, e := range f.Evidence {
		at := "        "
		if !e.At.IsZero() {
			at = e.At.Local().Format(time.TimeOnly)
		}
		wrapped(b, fmt.Sprintf("%s    %s %-8s ", indent, at, e.Source), indent+"                      ", e.Text)
	}
	if f.Sure != "" {
		wrapped(b, indent+"  to be sure: ", indent+"    ", f.Sure)
	}
	for i, step := range f.Next {
		wrapped(b, fmt.Sprintf("%s  %d. ", indent, i+1), indent+"     ", step)
	}
}

func certainty(c doctor.Certainty) string {
	if c == doctor.Unknown {
		return "cannot tell"
	}
	return string(c)
}

// wrapped prints text over as many lines as it needs, the first after one lead and the others after another.
func wrapped(b *strings.Builder, first, others, text string) {
	if text == "" {
		return
	}
	lines := strings.Split(ansi.Wordwrap(decode.Printable(text), reportWidth-max(len(first), len(others)), ""), "\n")
	for i, line := range lines {
		lead := first
		if i > 0 {
			lead = others
		}
		b.WriteString(lead + line + "\n")
	}
}

// blankLines tell what is missing, and which rules could not look for lack of it.
func blankLines(blanks []doctor.Blank) []string {
	byReason := map[string][]string{}
	var order []string
	for _, k := range blanks {
		if !slices.Contains(order, k.Missing) {
			order = append(order, k.Missing)
		}
		byReason[k.Missing] = append(byReason[k.Missing], k.ID)
	}
	var out []string
	for _, why := range order {
		out = append(out, decode.Printable(why)+": "+strings.Join(byReason[why], ", "))
	}
	return out
}
