package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui/ui/theme"
)

// TestFrames holds every view at every size, at moments of the captures, as testdata/frames tells:
//
//	frame view=live size=120x36 [at=22+2s] [of=clash-4.3.1] [keys=z,left] [ascii] [theme=dark] [rows=0-9]
//
// It is what replay --print prints (a test of package cli holds that). Spaces at the ends of lines and runs of empty lines are
// left out: that each line is as wide as the screen, other tests hold. With a theme the text is followed by how it is drawn: a
// letter a cell, and what the letters mean.
func TestFrames(t *testing.T) {
	datadriven.Walk(t, "testdata/frames", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "frame" {
				d.Fatalf(t, "no such command")
			}
			at, of, view, size, keys, kind, rows := "", "lifecycle-4.3.1", "", "", "", "", ""
			for name, to := range map[string]*string{"at": &at, "of": &of, "view": &view, "size": &size, "keys": &keys, "theme": &kind, "rows": &rows} {
				d.MaybeScanArgs(t, name, to)
			}
			o := FrameOptions{
				View: view, Location: time.UTC, ASCII: d.HasArg("ascii"), Replay: filepath.Join("captures", of+".jsonl"), Bytes: captureBytes,
				Version: "devel",
			}
			if _, err := fmt.Sscanf(size, "%dx%d", &o.Width, &o.Height); err != nil {
				d.Fatalf(t, "size: %v", err)
			}
			if keys != "" {
				o.Keys = strings.Split(keys, ",")
			}
			if kind != "" {
				o.Theme, o.Profile = theme.Kind(kind), colorprofile.TrueColor
			}
			s := fileAt(t, of, at)
			r := doctor.Examine(s, doctor.Options{Passed: true})
			o.Fleet = &observe.Fleet{Now: s.Now, Groups: []observe.FleetGroup{observe.Watched(s, &r)}}
			frame, err := Frame(s, o)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			lines := strings.Split(frame, "\n")
			if rows != "" {
				var from, to int
				if _, err := fmt.Sscanf(rows, "%d-%d", &from, &to); err != nil {
					d.Fatalf(t, "rows: %v", err)
				}
				lines = lines[from : to+1]
			}
			if kind != "" {
				return styleMap(lines)
			}
			return trimmed(lines)
		})
	})
}

// trimmed leaves out what a person reading a golden need not see. "·" stands for an empty line: datadriven ends at one.
func trimmed(lines []string) string {
	var b strings.Builder
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " ")
		if line != "" {
			b.WriteString(line + "\n")
			continue
		}
		n := 1
		for i+n < len(lines) && strings.TrimSpace(lines[i+n]) == "" {
			n++
		}
		if n > 1 {
			fmt.Fprintf(&b, "(%d empty lines)\n", n)
		} else {
			b.WriteString("(empty)\n")
		}
		i += n - 1
	}
	return b.String()
}
