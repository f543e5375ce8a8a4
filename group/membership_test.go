package group_test

import (
	"testing"
	"time"

	"regroup/group"
)

// worker-3 was evicted and came back with its work in hand before worker-4 forced the group to eager: what moved from it
// runs there still, as what moved from the others does.
func TestClaimsOutliveAnEviction(t *testing.T) {
	s := fold(capture(t, "lifecycle"))
	at := 0
	for s.Rounds[at].Generation != 20 {
		at++
	}
	past := s.StandAt(at, s.Rounds[at].RecordedAt.Add(7*time.Second))
	twice := map[string]string{}
	for i, u := range past.Units {
		if u.State != group.UnitDuplicated {
			continue
		}
		for _, c := range past.Claims(i) {
			if c.Worker >= 0 && c.Worker != u.Worker && c.Stands && c.State == "RUNNING" {
				twice[u.Unit.String()] += past.Workers[c.Worker].Name
			}
		}
	}
	want := map[string]string{
		"sink-a 0": "worker-1", "sink-a 1": "worker-2", "sink-a 2": "worker-3", "sink-a 3": "worker-1",
		"sink-b 0": "worker-3", "sink-b 1": "worker-3", "sink-c 0": "worker-1", "sink-c 3": "worker-2",
	}
	for unit, by := range want {
		if twice[unit] != by {
			t.Errorf("%s: runs on %q too, want %q", unit, twice[unit], by)
		}
	}
	if len(twice) != len(want) {
		t.Errorf("%d units run twice, want %d: %v", len(twice), len(want), twice)
	}
}
