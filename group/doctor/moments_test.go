package doctor_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
)

// Nothing is known yet, nothing is found, and the report says that it cannot tell.
func TestNothingSeen(t *testing.T) {
	s := newStage(t)
	r := doctor.Examine(group.New(group.Options{Group: "g"}).State(s.now), doctor.Options{})
	if r.Verdict != doctor.CannotTell || len(r.Findings) > 0 {
		t.Errorf("of nothing: %s", brief(r))
	}
	if !slices.ContainsFunc(r.Blanks, func(b doctor.Blank) bool {
		return b.ID == "unassigned-stuck" && b.Missing == "no round of this group was seen"
	}) {
		t.Errorf("what is missing is not said: %v", r.Blanks)
	}
}

// No moment is too odd to look a group over: after every record of the captures, and standing on every past round.
func TestEveryMoment(t *testing.T) {
	for _, name := range []string{"lifecycle", "clash", "eager-rolling"} {
		f, err := os.Open(filepath.Join("..", "..", "testdata", "captures", name+"-4.3.1.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		facts, err := observe.ReadFacts(f, "")
		if err != nil {
			t.Fatal(err)
		}
		m := group.New(group.Options{Group: name})
		var last *group.State
		for _, seen := range facts.All {
			m.Apply(seen.Fact, seen.At)
			last = m.State(seen.At)
			sound(t, doctor.Examine(last, doctor.Options{}))
		}
		for i := range last.Rounds {
			sound(t, doctor.Examine(last.Stand(i), doctor.Options{Passed: true}))
		}
	}
}

// sound checks what holds of every report.
func sound(t *testing.T, r doctor.Report) {
	t.Helper()
	stands := map[string]bool{"": true}
	for _, f := range r.Findings {
		if !stands[f.Cause] {
			t.Errorf("%s comes before its cause %s, or without it", f.ID, f.Cause)
		}
		stands[f.ID] = true
		if f.Title == "" || len(f.Evidence) == 0 || len(f.Next) == 0 {
			t.Errorf("%s lacks a title, evidence or a next step: %+v", f.ID, f)
		}
		if f.Certainty != doctor.Seen && f.Sure == "" && f.ID != "known-bug" {
			t.Errorf("%s is %s, and nothing says what would make it sure", f.ID, f.Certainty)
		}
	}
}
