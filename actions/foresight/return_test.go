package foresight

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/group"
	"regroup/internal/observe/observetest"
)

// A worker that is back a moment before the delay is over joins within a heartbeat: the delay's end may be the same round. That is
// said; of one that is back well before, nothing of the kind.
func TestReturnAsTheDelayEnds(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/captures/lifecycle-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := observetest.Read(t, string(capture), "29+2s") // its delay is 20 s
	s.Past = false
	i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return !w.Gone && !w.Leader })
	for back, doubted := range map[time.Duration]bool{18 * time.Second: true, 10 * time.Second: false} {
		p, err := Foresee(s, Stop{Worker: s.Workers[i].ID, Back: back})
		if err != nil {
			t.Fatal(err)
		}
		of := p.Outcomes[0].Caveats
		if got := slices.ContainsFunc(of, func(d string) bool {
			return strings.HasPrefix(d, "the delay ends within a heartbeat of "+s.Workers[i].Name+"'s return")
		}); got != doubted {
			t.Errorf("back after %v: doubts %q", back, of)
		}
	}
}
