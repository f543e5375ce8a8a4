// pictures draws every view, dark and light, from the captures: docs/pictures. It needs no terminal, and the same
// program gives the same bytes.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui"
	"regroup/tui/ui/theme"
)

// shot is one picture: a view at a moment of a capture, with keys pressed first.
type shot struct {
	name, capture, at, view, size string
	keys                          []string
}

var shots = []shot{
	{"fleet", "", "", "fleet", "120x36", nil},
	{"live", "lifecycle", "22+2s", "live", "120x36", nil},
	{"live-wide", "lifecycle", "22+2s", "live", "200x60", nil},
	{"live-narrow", "lifecycle", "22+2s", "live", "80x24", nil},
	{"live-small", "lifecycle", "22+2s", "live", "60x15", nil},
	{"matrix", "lifecycle", "22+2s", "matrix", "120x36", nil},
	{"timeline", "lifecycle", "", "timeline", "120x36", left(12)},
	{"timeline-units", "lifecycle", "", "timeline", "120x36", append([]string{"z"}, left(12)...)},
	{"timeline-zoomed", "lifecycle", "", "timeline", "120x36", append(append([]string{"z"}, left(12)...), "+", "+")},
	{"round", "lifecycle", "16", "round", "120x36", nil},
	{"matrix-marks", "lifecycle", "20+2s", "matrix", "120x36", []string{"z"}},
	{"units", "lifecycle", "22+2s", "units", "120x36", nil},
	{"unit", "lifecycle", "22+2s", "units", "120x36", []string{"enter"}},
	{"doctor", "lifecycle", "20+7s", "doctor", "120x36", nil},
	{"events", "lifecycle", "", "events", "120x36", nil},
	{"form", "lifecycle", "19+10s", "live", "120x36", []string{"a", "enter", "down", "down", "4", "o"}},
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
	var state *group.State
	var fleet *observe.Fleet
	var err error
	if s.capture == "" {
		fleet, err = captured()
	} else {
		state, err = at(s.capture, s.at)
	}
	if err != nil {
		return err
	}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		svg, err := s.draw(state, fleet, kind)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, s.name+"-"+string(kind)+".svg"), []byte(svg), 0o644); err != nil { //nolint:gosec // pictures are for everybody
			return err
		}
	}
	return nil
}

func file(capture string) string {
	return filepath.Join("testdata", "captures", capture+"-4.3.1.jsonl")
}

func at(capture, moment string) (*group.State, error) {
	stop, err := observe.ParseStop(moment)
	if err != nil {
		return nil, err
	}
	return observe.File(file(capture), "", stop)
}

// captured is a list of all the groups of the captures, when the last of them ends.
func captured() (*observe.Fleet, error) {
	f := &observe.Fleet{Brokers: "kafka-1.lab:9092"}
	for _, capture := range []string{"lifecycle", "eager-rolling", "clash"} {
		s, err := at(capture, "")
		if err != nil {
			return nil, err
		}
		r := doctor.Examine(s, doctor.Options{Passed: true})
		f.Now, f.Groups = s.Now, append(f.Groups, observe.Watched(s, &r))
	}
	return f, nil
}

// bytesOf reads a round's bytes out of a capture again.
func bytesOf(capture string) tui.BytesFunc {
	return func(_ context.Context, name string, r *group.Round) ([]byte, error) {
		in, err := os.Open(file(capture))
		if err != nil {
			return nil, err
		}
		defer in.Close()
		raw, err := observe.BytesIn(in, name, r.Partition, r.Offset)
		return raw.Value, err
	}
}

func (s *shot) draw(state *group.State, fleet *observe.Fleet, kind theme.Kind) (string, error) {
	o := tui.FrameOptions{View: s.view, Theme: kind, Location: time.UTC, Keys: s.keys, Fleet: fleet}
	if state != nil {
		o.Replay, o.Bytes = s.capture+".jsonl", bytesOf(s.capture)
	}
	if s.name == "form" { // nothing is done to a recording
		acts, err := form(state)
		if err != nil {
			return "", err
		}
		o.Replay, o.Acts = "", acts
	}
	if _, err := fmt.Sscanf(s.size, "%dx%d", &o.Width, &o.Height); err != nil {
		return "", err
	}
	return tui.FrameSVG(state, o)
}
