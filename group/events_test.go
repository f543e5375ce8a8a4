package group_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/group"
)

// TestEvents: an event is told from its moment on, not on the rounds before it, and says whom it is about.
func TestEvents(t *testing.T) {
	records := capture(t, "lifecycle")
	m := group.New(group.Options{Group: "connect-rig"})
	var end time.Time
	for _, r := range records {
		m.Apply(r.fact(), r.at())
		end = r.at()
	}
	m.Apply(group.Action{At: end, ID: "1", Who: "eva@desk", Verb: "kill -9", Target: "worker-3"}, end)
	m.Apply(group.SourceReport{
		At: end, Source: group.SourceREST, Name: "http://127.0.0.1:18083/", Health: group.HealthUnreachable, Detail: "nothing listens there",
	}, end)
	s := m.State(end)
	texts := func(s *group.State) []string {
		var out []string
		for _, e := range s.Events {
			out = append(out, e.Text)
		}
		return out
	}
	for _, want := range []string{"eva@desk kill -9 worker-3", "worker-3 unreachable: nothing listens there"} {
		if !slices.Contains(texts(s), want) {
			t.Errorf("no event says %q:\n%s", want, strings.Join(texts(s), "\n"))
		}
		if past := texts(s.Stand(s.At - 1)); slices.Contains(past, want) {
			t.Errorf("%q is told of the round before:\n%s", want, strings.Join(past, "\n"))
		}
	}
}
