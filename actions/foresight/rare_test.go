package foresight

import (
	"os"
	"strings"
	"testing"

	"regroup/group"
	"regroup/internal/observe/observetest"
)

// A worker that is put out may be back before all have heard of the round without it: what one of them has not heard of it does not
// report. That is not told beforehand, and what came is held against it all the same, of one eviction and of several.
func TestSomeHaveNotHeard(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/captures/lifecycle-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := observetest.Read(t, string(capture), "13")
	s.Past = false
	lead := s.Round().Leader
	once, err := Foresee(s, Evict{lead, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range once.Outcomes {
		if strings.Contains(o.Name, " hears of the round ") {
			t.Errorf("told beforehand: %s", o.Name)
		}
	}
	if once.rare == nil {
		t.Fatal("nobody may have missed the round")
	}
	twice, err := Foresee(s, Evict{lead, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range once.rare() {
		came := details(want.Rounds)
		if o, diff := once.Compare(came); o.Name != want.Name || len(diff) > 0 {
			t.Errorf("once: %s is taken for %s: %v", want.Name, o.Name, diff)
		}
		played, err := twice.repeated.play(course{branches: []int{3, 0}})
		if err != nil {
			t.Fatal(err)
		}
		if o, diff := twice.Compare(details(played.Rounds)); o.Name != played.Name || len(diff) > 0 {
			t.Errorf("twice: %s is taken for %s: %v", played.Name, o.Name, diff)
		}
	}
}

func details(rounds []Foreseen) []*group.Detail {
	var out []*group.Detail
	for _, f := range rounds {
		out = append(out, f.Detail)
	}
	return out
}
