package observe

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"regroup/group"
)

// A group whose verdict is SETTLED lacks nothing that it is waited for, at every moment of every recording: after each fact as it comes, a
// while later, and looking back at each round.
func TestSettledIsSettled(t *testing.T) {
	t.Parallel()
	var files []string
	for _, dir := range []string{"cases", "captures"} {
		found, err := filepath.Glob("../../testdata/" + dir + "/*.jsonl")
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(found), err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := ReadFacts(bytes.NewReader(b), "")
			if err != nil {
				t.Fatal(err)
			}
			settled, other := 0, 0
			agree := func(s *group.State) {
				why := s.Unsettled()
				if s.Verdict.Word != "SETTLED" {
					other++
					return
				}
				settled++
				if len(why) > 0 {
					t.Errorf("round %d at %v: SETTLED (%s), and %q", s.Round().Generation, s.Now, s.Verdict.Sentence, why)
				}
			}
			m := group.New(group.Options{Group: f.Group})
			now, err := f.Play(Stop{}, func(fact group.Fact, at time.Time) {
				m.Apply(fact, at)
				agree(m.State(at))
				agree(m.State(at.Add(2 * time.Second)))
			})
			if err != nil {
				t.Fatal(err)
			}
			s := m.State(now)
			for i := range s.Rounds {
				agree(s.Stand(i))
			}
			if len(s.Rounds) > 1 && settled+other == 0 {
				t.Error("no moment was looked at")
			}
			t.Logf("%d moments are SETTLED, %d are not", settled, other)
		})
	}
}
