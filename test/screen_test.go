//go:build kafka && unix

package test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Command types a command of the palette.
func (s *Screen) Command(t testing.TB, words string) {
	t.Helper()
	s.Press(t, ":")
	s.Await(t, "┌─ Command")
	s.Press(t, words)
	s.Await(t, words)
	s.Press(t, "enter")
}

// Agree waits for the dialog with this button, and does what it says.
func (s *Screen) Agree(t testing.TB, button string) {
	t.Helper()
	s.Await(t, "[ "+button+" ]", "[ Leave it ]")
	s.Press(t, "tab", "enter")
	s.AwaitGone(t, "[ Leave it ]") // what is told from now on is of this
}

// A connector's whole life on real workers, through keys alone: each step is foreseen, shows as rounds with its cause, comes as
// it was foreseen, and is on record.
func TestScreenConnectorLife(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 2, WorkerOptions{})
	workers[0].Put(t, "beside", FileSink("beside", 3))
	workers[0].WaitRunning(t, map[string]int{"beside": 3})
	WaitHeld(t, workers, Units(map[string]int{"beside": 3}))
	rig.own("connect-acted")
	hand := rig.Hand(t)

	// An editor that saves something wrong first, and then what is right. What it was given the second time is kept.
	again := filepath.Join(t.TempDir(), "again")
	editor := filepath.Join(t.TempDir(), "editor")
	script := `#!/bin/sh
if [ -e '` + again + `' ]; then cp "$1" '` + again + `'; sed -i -e 's/^tasks.max:.*/tasks.max: "6"/' -e 's/^topics:.*/topics: acted-input,acted-edited/' "$1"
else touch '` + again + `'; sed -i 's/^tasks.max:.*/tasks.max: six/' "$1"; fi
`
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	hand.env = []string{"EDITOR=" + editor}
	missing := filepath.Join(t.TempDir(), "not-yet-there")

	s := hand.Screen(t)
	s.Await(t, "SETTLED", "beside")

	seen := len(Rounds(t, rig, hand.group))
	came := func(what string, causes ...string) {
		t.Helper()
		rounds := Rounds(t, rig, hand.group)
		if got := causesOf(rounds[seen:]); !slices.Equal(got, causes) {
			t.Errorf("%s: rounds because of %v, want %v", what, got, causes)
		}
		seen = len(rounds)
	}

	// The form: what the plugin knows, checked by the worker, with what is wrong at its place.
	s.Command(t, "connector create")
	s.Await(t, "What is it to be made of?", "FileStreamSink", "FileStreamSource")
	s.Press(t, "sink")
	s.Await(t, "1 of 2 plugins")
	s.Press(t, "enter")
	s.Await(t, "to fill in", "Globally unique name")
	s.Press(t, "acted", "down", "down", "2x")
	s.Await(t, "! Invalid value 2x: Not a number of type INT", "1 error", "off: tasks.max is not valid")
	s.Press(t, "ctrl-u", "2", "down", "acted-input", "ctrl-f", "file")
	s.Await(t, "found")
	s.Press(t, "enter", filepath.Join(missing, "out"))
	s.Await(t, "checks as you type: valid", "with 2 tasks")
	s.Press(t, "enter")
	s.Await(t, "+ topics = acted-input")
	s.Agree(t, "Create acted")
	s.Await(t, "create acted: as predicted")
	came("create", "connector-created", "tasks-changed")

	s.Command(t, "connector scale acted")
	s.Await(t, "tasks.max *")
	s.Press(t, "ctrl-u", "6", "enter")
	s.Agree(t, "Scale acted")
	s.Await(t, "scale acted: as predicted")
	came("scale", "tasks-changed")

	// Changed in the form, then in an editor that makes a mistake first.
	s.Command(t, "connector configure acted")
	s.Await(t, "[ Apply ]", "off: nothing has changed")
	s.Press(t, "ctrl-f", "topics")
	s.Await(t, "found")
	s.Press(t, "enter", ",acted-more")
	s.Await(t, "1 change", "checks as you type: valid")
	s.Press(t, "enter")
	s.Await(t, "- topics = acted-input", "+ topics = acted-input,acted-more")
	s.Agree(t, "Reconfigure acted")
	s.Await(t, "reconfigure acted: as predicted")
	came("edit in the form", "tasks-changed")
	before := workers[1].config(t, "acted")
	s.Command(t, "connector edit acted")
	s.Await(t, "+ topics = acted-input,acted-edited")
	s.Agree(t, "Reconfigure acted")
	s.Await(t, "reconfigure acted: as predicted")
	came("edit in an editor", "tasks-changed")
	if text, err := os.ReadFile(again); err != nil || !strings.HasPrefix(string(text), "# Not written: ") || !strings.Contains(string(text), "# tasks.max: Invalid value six") {
		t.Errorf("opened again with %q, %v", text, err)
	}
	if now, want := workers[1].config(t, "acted"), strings.Replace(before, "acted-more", "acted-edited", 1); now != want {
		t.Errorf("edited: %s\nwant %s", now, want)
	}

	s.Command(t, "connector pause acted")
	s.Agree(t, "Pause acted")
	s.Await(t, "pause acted: settled")
	came("pause")
	s.Command(t, "connector stop acted")
	s.Agree(t, "Stop acted")
	s.Await(t, "stop acted: as predicted")
	came("stop", "tasks-changed", "release")
	s.Command(t, "connector resume acted")
	s.Agree(t, "Resume acted")
	s.Await(t, "resume acted: as predicted")
	came("resume", "tasks-changed")

	// Its folder was missing: its tasks have failed. Once it is there, r restarts what failed.
	workers[0].WaitFailed(t, "acted", 6)
	if err := os.Mkdir(missing, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Press(t, "5", "/", "acted 0", "enter")
	s.Await(t, "▸ ! acted 0")
	s.Press(t, "enter")
	s.Await(t, "Trace", "NoSuchFileException")
	s.Press(t, "r")
	s.Agree(t, "Restart acted")
	s.Await(t, "restart acted: settled")
	workers[0].WaitRunning(t, map[string]int{"acted": 6})
	came("restart")
	s.Await(t, "Properties", "tasks.max") // where the trace was

	s.Command(t, "connector delete acted")
	s.Agree(t, "Delete acted")
	s.Await(t, "delete acted: as predicted")
	came("delete", "connector-deleted", "release")

	s.Press(t, "q")
	if code := s.Code(t); code != 0 {
		t.Errorf("quitting gives exit code %d", code)
	}
	hand.OnRecord(t, "create", "scale", "reconfigure", "reconfigure", "pause", "stop", "resume", "restart", "delete")
}
