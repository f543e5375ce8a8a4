package cli

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestReplayPrintsTheFramesOfTheScreen holds replay --print against the screen's own goldens: each frame there that is plain text.
func TestReplayPrintsTheFramesOfTheScreen(t *testing.T) {
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
	captures, err := filepath.Abs("../../testdata/captures")
	must(t, err)
	printed := 0
	datadriven.Walk(t, "../../tui/testdata/frames", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			of, rows, args := "lifecycle-4.3.1", "", []string{"--print"}
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "of":
					of = a.Vals[0]
				case "rows":
					rows = a.Vals[0]
				case "theme":
					return d.Expected // its colours are held by the screen's test
				case "ascii":
					args = append(args, "--ascii")
				case "keys":
					args = append(args, "--keys", strings.Join(a.Vals, ","))
				default:
					args = append(args, "--"+a.Key, a.Vals[0])
				}
			}
			if rows != "" {
				return d.Expected // a part of a frame that stands elsewhere whole
			}
			var out, errs bytes.Buffer
			args = append([]string{"replay", filepath.Join(captures, of+".jsonl")}, args...)
			if code := Execute(t.Context(), args, strings.NewReader(""), &out, &errs); code != 0 {
				t.Fatalf("regroup %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
			}
			printed++
			if got, want := condensed(out.String()), condensed(d.Expected); got != want {
				t.Errorf("%s: regroup %s prints\n%s\nwant\n%s", d.Pos, strings.Join(args, " "), got, want)
			}
			return d.Expected
		})
	})
	if printed < 60 {
		t.Errorf("only %d frames were printed", printed)
	}
}

var emptyLines = regexp.MustCompile(`(?m)^\(empty\)$|^\(\d+ empty lines\)$`)

// condensed is a frame without its empty lines and the spaces at the ends of the others.
func condensed(frame string) string {
	var out []string
	for line := range strings.SplitSeq(emptyLines.ReplaceAllString(frame, ""), "\n") {
		if line = strings.TrimRight(line, " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
