package doctor_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/group/doctor"
	"regroup/internal/observe"
)

// TestCaptures examines real groups: "lifecycle 22+2s" is that capture at that moment. A finding is a line, then its
// units, its workers by member id, and how much evidence it has; the story of one finding is printed with only=ID.
func TestCaptures(t *testing.T) {
	datadriven.RunTest(t, "testdata/captures.txt", func(t *testing.T, d *datadriven.TestData) string {
		moment, only := "", ""
		if len(d.CmdArgs) > 0 && d.CmdArgs[0].Key != "only" {
			moment = d.CmdArgs[0].Key
		}
		d.MaybeScanArgs(t, "only", &only)
		stop, err := observe.ParseStop(moment)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		s, err := observe.File(filepath.Join("..", "..", "testdata", "captures", d.Cmd+"-4.3.1.jsonl"), "", stop)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		r := doctor.Examine(s, doctor.Options{Passed: true})
		if only == "" {
			return brief(r)
		}
		var b strings.Builder
		for _, f := range r.Findings {
			if f.ID == only {
				b.WriteString(told(f))
			}
		}
		return b.String()
	})
}

// brief is a report with a line a finding.
func brief(r doctor.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d to count\n", r.Verdict, r.Count())
	for _, f := range r.Findings {
		lead := ""
		if f.Cause != "" {
			lead = "  "
		}
		fmt.Fprintf(&b, "%s%s %s %s: %s\n", lead, f.ID, f.Severity, f.Certainty, f.Title)
		var units []string
		for _, u := range f.Units {
			units = append(units, u.String())
		}
		if len(units) > 0 {
			fmt.Fprintf(&b, "%s  %s\n", lead, strings.Join(units, ", "))
		}
	}
	return b.String()
}

// told is a finding with all that is known of it.
func told(f doctor.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s: %s\n", f.ID, f.Severity, f.Certainty, f.Title)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", name, text)
		}
	}
	line("follows from", f.Cause)
	line("why", f.Why)
	for _, e := range f.Evidence {
		line(string(e.Source), e.Text)
	}
	line("to be sure", f.Sure)
	for i, n := range f.Next {
		line(fmt.Sprint(i+1), n)
	}
	return b.String()
}
