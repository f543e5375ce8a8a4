package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/tui/keys"
)

// TestStandingInALargeGroup holds that keys never wait for a past moment that takes long to work out: one is worked out at a time,
// beside the screen, the last one wanted is where one comes to stand, and whoever follows again meanwhile is left alone.
func TestStandingInALargeGroup(t *testing.T) {
	l := newLarge(20, manyToStand)
	for range 4 {
		l.move(5)
	}
	m := modelOf(l.model.State(l.now), 120, 36, colorprofile.NoTTY)
	last := len(m.live.Rounds) - 1
	press := func(key string) tea.Cmd {
		t.Helper()
		k, err := keys.Parse(key)
		if err != nil {
			t.Fatal(err)
		}
		_, cmd := m.Update(k)
		seen(m)
		return cmd
	}
	first := press("left")
	if first == nil || m.past != nil {
		t.Fatalf("the first step stands on %v at once, want it worked out beside the screen", m.past)
	}
	for range 2 {
		if cmd := press("left"); cmd != nil {
			t.Fatal("a second moment is worked out while the first is")
		}
	}
	_, second := m.Update(first())
	if m.past == nil || m.past.At != last-1 || second == nil {
		t.Fatalf("after the first moment one stands on %v, want round %d and the way on", m.past, last-1)
	}
	if _, more := m.Update(second()); m.past.At != last-3 || more != nil {
		t.Errorf("one comes to stand on round %d, want %d, and nothing more is worked out", m.past.At, last-3)
	}
	third := press("left")
	press("f")
	if m.Update(third()); m.past != nil {
		t.Error("whoever follows again stands on a past round all the same")
	}
	if cmd := press("left"); cmd == nil {
		t.Error("after that nothing can be stood on any more")
	}
}
