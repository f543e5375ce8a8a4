package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// TestContextOnTheScreen: the header names the context that is in use, at every width, and what keeps the workers' REST
// interfaces from being asked is said in one line. testdata/contexts tells.
//
//	header [colour=C] [production] [read-only] [denied=N] [trouble]   name on the first line of the input, widths on the others
func TestContextOnTheScreen(t *testing.T) {
	datadriven.Walk(t, "testdata/contexts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			lines := strings.Split(d.Input, "\n")
			c := scene.Context{Name: lines[0], Production: d.HasArg("production"), ReadOnly: d.HasArg("read-only")}
			if d.HasArg("colour") {
				d.ScanArgs(t, "colour", &c.Colour)
			}
			s := captureAt(t, "22+2s")
			defer func(was []group.SourceState) { s.Sources = was }(s.Sources)
			s.Sources = slices.Clone(s.Sources)
			if d.HasArg("denied") {
				var n int
				d.ScanArgs(t, "denied", &n)
				for i := range 3 {
					src := group.SourceState{Source: group.SourceREST, Name: fmt.Sprint("http://worker-", i+1, ":8083/"), Health: group.HealthOK}
					if i < n {
						src.Health, src.Detail = group.HealthDenied, "401: set a login in the context: rest.user and rest.password-env, or rest.token-env"
					}
					s.Sources = append(s.Sources, src)
				}
			}
			o := FrameOptions{Height: 36, Context: c, Location: noon.Location()}
			if d.HasArg("trouble") {
				o.Trouble = "workers are not asked over REST: context prod-eu: rest.password: the variable KAFKA_PASSWORD is not set"
			}
			var b strings.Builder
			for _, size := range lines[1:] {
				if _, err := fmt.Sscan(size, &o.Width); err != nil {
					d.Fatalf(t, "%v", err)
				}
				frame, err := Frame(s, o)
				if err != nil {
					t.Fatal(err)
				}
				rows := strings.Split(frame, "\n")
				fmt.Fprintf(&b, "%s|\n", rows[0])
				if notice := strings.TrimSpace(rows[34]); strings.HasPrefix(notice, "!") {
					fmt.Fprintf(&b, "%s|\n", rows[34])
				}
			}
			return b.String()
		})
	})
}

// TestContextsColour: each has its own, in true colour, in 256, in 16; without colours the name is reversed.
func TestContextsColour(t *testing.T) {
	s := captureAt(t, "22+2s")
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
		seen := map[string]string{}
		for _, colour := range []string{"red", "yellow", "green", "cyan", "blue", "magenta"} {
			frame, err := Frame(s, FrameOptions{Width: 120, Height: 36, Profile: profile, Theme: theme.Dark, Context: scene.Context{Name: "prod-eu", Colour: colour}})
			if err != nil {
				t.Fatal(err)
			}
			row := strings.Split(frame, "\n")[0]
			at := strings.Index(row, " prod-eu ")
			if at < 0 {
				t.Fatalf("%v: %q", profile, row)
			}
			style := row[strings.LastIndex(row[:at], "\x1b"):at]
			if other, taken := seen[style]; taken && profile != colorprofile.ASCII {
				t.Errorf("%v: %s looks like %s: %q", profile, colour, other, style)
			}
			if profile <= colorprofile.ANSI && !strings.Contains(style, ";7") {
				t.Errorf("%v: %s is not reversed: %q", profile, colour, style)
			}
			seen[style] = colour
		}
	}
}
