package foresight

import (
	"os"
	"testing"
	"time"

	"regroup/internal/observe/observetest"
)

// How long a worker takes to start is learned from those that came back: before the first return the range is wide.
func TestStartTimesOfAnEvening(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/cases/evening-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	before := observetest.Read(t, string(capture), "8").StartTimes()
	if before.Known() || before.Low > time.Second || before.High < time.Minute {
		t.Errorf("before any worker came back: %+v", before)
	}
	after := observetest.Read(t, string(capture), "").StartTimes()
	// The shortest time for which a worker was away is 4.2 s: from round 62 to round 64.
	if after.Absent < 10 || after.Low > 4*time.Second || after.High < 8*time.Second || after.High >= before.High {
		t.Errorf("at the evening's end: %+v", after)
	}
}
