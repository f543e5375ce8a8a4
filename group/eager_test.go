package group_test

import (
	"testing"

	"regroup/group"
)

// On every round of the captures, what eager would have stopped unit by unit adds up to the round's own number, and each worker
// has a unit once.
func TestEagerStopsAddUp(t *testing.T) {
	for _, name := range []string{"lifecycle", "eager-rolling"} {
		s := fold(capture(t, name))
		pace := s.Pace()
		for i, r := range s.Rounds {
			e := s.EagerStops(i, pace)
			if e.Units != r.EagerWouldStop {
				t.Errorf("%s, generation %d: %d units by name, %d by number", name, r.Generation, e.Units, r.EagerWouldStop)
			}
			for _, w := range e.Workers {
				seen := map[group.Unit]bool{}
				for _, u := range w.Units {
					if seen[u] {
						t.Errorf("%s, generation %d: %s has %v twice", name, r.Generation, w.Name, u)
					}
					seen[u] = true
				}
			}
			if e.Low > e.High || e.Known() && e.Units > 0 && e.High == 0 {
				t.Errorf("%s, generation %d: from %s to %s", name, r.Generation, e.Low, e.High)
			}
		}
	}
}

// The times that eager would have taken are the group's own. Where nobody says how units do, nobody knows them.
func TestPaceIsTheGroupsOwn(t *testing.T) {
	records := capture(t, "lifecycle")
	p := fold(records).Pace()
	if p.Starts < 50 || p.Stops < 10 || p.Start <= 0 || p.Stop <= 0 {
		t.Errorf("%+v", p)
	}
	t.Logf("stop %s (%d), start %s (%d)", p.Stop, p.Stops, p.Start, p.Starts)
	var mute []rawRecord
	for _, r := range records {
		if _, told := r.fact().(group.StatusRecord); !told {
			mute = append(mute, r)
		}
	}
	if p := fold(mute).Pace(); p.Known() {
		t.Errorf("without statuses: %+v", p)
	}
}
