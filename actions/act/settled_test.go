package act

import (
	"testing"

	"regroup/group"
	"regroup/internal/observe/observetest"
)

// A broker that may yet say how the group stands is waited for; one that may not be asked is not.
func TestSettledWaitsForTheBrokersWord(t *testing.T) {
	for health, want := range map[group.Health]string{
		group.HealthOK:          "the broker has not said how it stands",
		group.HealthUnreachable: "the broker has not said how it stands",
		group.HealthDenied:      "",
	} {
		s := observetest.File(t, "../../testdata/captures/lifecycle-4.3.1.jsonl", "15")
		s.Phase = ""
		found := false
		for i := range s.Sources {
			if s.Sources[i].Source == group.SourceDescribe {
				s.Sources[i].Health, found = health, true
			}
		}
		if !found {
			t.Fatal("the capture has no describe source")
		}
		if got := Unsettled(s); got != want {
			t.Errorf("%s: %q, want %q", health, got, want)
		}
		if missing, _ := (Wanted{Workers: 1}).Missing(s); len(missing) != 1 {
			t.Errorf("%s: who waits for nothing else has to know: %q", health, missing)
		}
	}
}
