// Package observetest reads recordings for tests. It knows what package observe knows, and fails the test where that fails.
package observetest

import (
	"strings"
	"testing"

	"regroup/group"
	"regroup/internal/observe"
)

// Read is a recording, or records as in testdata/captures, up to a moment as --at names it; "" is all of it.
func Read(t testing.TB, recording, at string) *group.State {
	t.Helper()
	s, err := observe.Read(strings.NewReader(recording), "", stop(t, at))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// File is Read of a file.
func File(t testing.TB, path, at string) *group.State {
	t.Helper()
	s, err := observe.File(path, "", stop(t, at))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stop(t testing.TB, at string) observe.Stop {
	t.Helper()
	stop, err := observe.ParseStop(at)
	if err != nil {
		t.Fatal(err)
	}
	return stop
}
