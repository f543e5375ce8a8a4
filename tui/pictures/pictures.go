// pictures draws every view, dark and light, from the captures: docs/pictures. It needs no terminal, and the same
// program gives the same bytes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"regroup/group"
	"regroup/observe"
	"regroup/tui"
	"regroup/tui/theme"
)

// shot is one picture: a view at a moment of a capture, with keys pressed first.
type shot struct {
	name, capture, at, view, size string
	keys                          []string
}

var shots = []shot{
	{"live", "lifecycle", "22+2s", "live", "120x36", nil},
	{"live-wide", "lifecycle", "22+2s", "live", "200x60", nil},
	{"live-narrow", "lifecycle", "22+2s", "live", "80x24", nil},
	{"matrix", "lifecycle", "22+2s", "matrix", "120x36", nil},
	{"timeline", "lifecycle", "", "timeline", "120x36", left(12)},
	{"timeline-units", "lifecycle", "", "timeline", "120x36", append([]string{"z"}, left(12)...)},
	{"timeline-zoomed", "lifecycle", "", "timeline", "120x36", append(append([]string{"z"}, left(12)...), "+", "+")},
	{"round", "lifecycle", "16", "round", "120x36", nil},
	{"units", "lifecycle", "22+2s", "units", "120x36", nil},
	{"unit", "lifecycle", "22+2s", "units", "120x36", []string{"enter"}},
	{"doctor", "lifecycle", "20+7s", "doctor", "120x36", nil},
	{"events", "lifecycle", "", "events", "120x36", nil},
	{"help", "lifecycle", "22+2s", "live", "120x36", []string{"?"}},
	{"palette", "lifecycle", "22+2s", "live", "120x36", []string{":", "r", "o", "u", "n", "d", "space"}},
}

func left(n int) []string { return strings.Fields(strings.Repeat("left ", n)) }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER")
		os.Exit(2)
	}
	for i := range shots {
		if err := shots[i].take(os.Args[1]); err != nil {
			fmt.Fprintf(os.Stderr, "pictures: %s: %v\n", shots[i].name, err)
			os.Exit(1)
		}
	}
}

func (s *shot) take(folder string) error {
	stop, err := observe.ParseStop(s.at)
	if err != nil {
		return err
	}
	path := filepath.Join("testdata", "captures", s.capture+"-4.3.1.jsonl")
	state, err := observe.File(path, "", stop)
	if err != nil {
		return err
	}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		svg, err := s.draw(state, kind)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, s.name+"-"+string(kind)+".svg"), []byte(svg), 0o644); err != nil { //nolint:gosec // pictures are for everybody
			return err
		}
	}
	return nil
}

func (s *shot) draw(state *group.State, kind theme.Kind) (string, error) {
	o := tui.FrameOptions{View: s.view, Theme: kind, Location: time.UTC, Keys: s.keys, Replay: "lifecycle.jsonl"}
	if _, err := fmt.Sscanf(s.size, "%dx%d", &o.Width, &o.Height); err != nil {
		return "", err
	}
	return tui.FrameSVG(state, o)
}
