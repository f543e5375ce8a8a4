package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"regroup/group"
)

// caseFacts are the facts of a recording in testdata/cases.
func caseFacts(t testing.TB, name string) *Facts {
	t.Helper()
	b, err := os.ReadFile("../../testdata/cases/" + name + "-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadFacts(bytes.NewReader(b), "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// stateOf folds facts, with what is older than since not shown.
func stateOf(t testing.TB, f *Facts, since time.Time) *group.State {
	t.Helper()
	m := group.New(group.Options{Group: f.Group, Since: since})
	now, err := f.Play(Stop{}, m.Apply)
	if err != nil {
		t.Fatal(err)
	}
	return m.State(now)
}

func roundOf(t testing.TB, s *group.State, generation int32) *group.Detail {
	t.Helper()
	for i, r := range s.Rounds {
		if r.Generation == generation {
			return s.Detail(i)
		}
	}
	t.Fatalf("no round %d", generation)
	return nil
}

// What the workers' own logs say of rounds (testdata/cases/README.md), and how much wider a range may be than that for what the sources leave
// open.
func TestCostsHoldWhatTheLogsSay(t *testing.T) {
	t.Parallel()
	const (
		exact = 0.02 // a log's line and the status of it are written by two threads, some hundred ms apart
		beat  = 6.0  // a death is known to within two heartbeat intervals: one until the last heartbeat, one until the others rejoin
	)
	for _, c := range []struct {
		name       string
		generation int32
		units      int
		seconds    float64 // of all units
		width      float64 // of the range, for each unit
		open       bool    // nothing tells when the work had stopped at the earliest
		dropped    int
		eager      int
		cause      group.CauseKind
		story      string
	}{
		{"killed and back at once", 13, 12, 341, beat, false, 12, 22, group.CauseWorkerRestarted, "worker-3 died and came back before its session was over"},
		{"broker away, records alone", 75, 37, 597.6, 0, true, 37, 37, group.CauseCoordinatorLost, "could not reach the coordinator"},
		// The broker's log broke off at 00:37:17.43; statuses are dated 18.1 to 18.6 s later.
		{"broker away, looking on", 81, 32, 439.2, 18.7, false, 32, 32, group.CauseCoordinatorLost, "could not reach the coordinator"},
		{"polite stop", 34, 13, 285.6, 0, false, 0, 24, group.CauseWorkerLeft, "worker-1 left after stopping its work."},
		{"polite stop", 66, 12, 265.1, 0, false, 0, 25, group.CauseWorkerLeft, "worker-1 left after stopping its work."},
		{"polite stop", 82, 11, 266.0, 0, false, 0, 21, group.CauseWorkerLeft, "worker-1 left after stopping its work."},
		{"polite stop after the downgrade was cured", 69, 12, 271.6, 0, false, 0, 25, group.CauseWorkerLeft, "worker-2 left after stopping its work."},
		{"leader left", 72, 13, 21.5, 0, false, 0, 24, group.CauseLeaderChanged, "worker-3 left after stopping its work."},
	} {
		t.Run(fmt.Sprintf("%d, %s", c.generation, c.name), func(t *testing.T) {
			t.Parallel()
			s := stateOf(t, caseFacts(t, "evening"), time.Time{})
			d := roundOf(t, s, c.generation)
			if d.Cost == nil {
				t.Fatal("it cost nothing")
			}
			low, high := d.Cost.Low.Seconds(), d.Cost.High.Seconds()
			if d.Cost.Units != c.units || low > c.seconds*(1+exact) || !c.open && high < c.seconds*(1-exact) {
				t.Errorf("%d units, %.1f to %.1f unit-s; the logs say %d units, %.1f", d.Cost.Units, low, high, c.units, c.seconds)
			}
			if widest := c.width * float64(c.units); high-low > widest+0.1 || d.Cost.Open != c.open {
				t.Errorf("the range %.1f to %.1f is %.1f wide, the sources leave open %.1f; open %v, want %v", low, high, high-low, widest, d.Cost.Open, c.open)
			}
			if d.Round.Dropped != c.dropped || d.EagerWouldStop != c.eager || d.Causes[0].Kind != c.cause {
				t.Errorf("%d dropped, eager would stop %d, cause %s; want %d, %d, %s", d.Round.Dropped, d.EagerWouldStop, d.Causes[0].Kind, c.dropped, c.eager, c.cause)
			}
			if story := s.Story(indexOf(s, d.Round)); strings.Count(story, c.story) != 1 {
				t.Errorf("the story says %q %d times: %s", c.story, strings.Count(story, c.story), story)
			}
		})
	}
}

func indexOf(s *group.State, r *group.Round) int {
	for i := range s.Rounds {
		if s.Rounds[i].Seq == r.Seq {
			return i
		}
	}
	return -1
}

// worker-3 stood still for 38 s from about 00:11:03 on: its 12 units until round 19 gave them away. Nothing tells it from one that was cut
// off and ran on: from nothing to since its last heartbeat.
func TestFrozenWorkersCost(t *testing.T) {
	t.Parallel()
	s := stateOf(t, caseFacts(t, "evening"), time.Time{})
	d := roundOf(t, s, 18)
	if d.Cost == nil || d.Cost.Units != 12 || d.Cost.Low != 0 {
		t.Fatalf("the freeze cost %+v", d.Cost)
	}
	// It was given away 29.6 s after it froze, which was no more than a heartbeat interval after its last heartbeat.
	if longest := d.Cost.LongestHigh.Seconds(); longest < 29.6 || longest > 29.6+2*3+1 {
		t.Errorf("the longest gap is up to %.1f s", longest)
	}
	var after float64 // no unit is counted twice once it was given away
	for _, g := range []int32{20, 21} {
		if d := roundOf(t, s, g); d.Cost != nil {
			after += d.Cost.High.Seconds()
		}
	}
	if after > 6.9 {
		t.Errorf("rounds 20 and 21 cost up to %.1f unit-s", after)
	}
	story := s.Story(indexOf(s, d.Round))
	if !strings.Contains(story, "kept its work in hand") || !strings.Contains(story, "Down: 12 for up to 33 s.") {
		t.Error(story)
	}
}

// A worker that was killed and whose process was back after 5 s did not lose the coordinator.
func TestKilledAndBackWithinSession(t *testing.T) {
	t.Parallel()
	s := stateOf(t, caseFacts(t, "killed-and-back-within-session"), time.Time{})
	d := roundOf(t, s, 10)
	var kinds []group.CauseKind
	for _, c := range d.Causes {
		kinds = append(kinds, c.Kind)
	}
	if kinds[0] != group.CauseWorkerRestarted || d.Causes[0].Name != "worker-2" || d.Causes[0].Units != 5 {
		t.Errorf("causes %v: %+v", kinds, d.Causes[0])
	}
	if d.EagerWouldStop != 10 {
		t.Errorf("eager would have stopped %d: what died was stopped already", d.EagerWouldStop)
	}
	if d.Cost == nil || d.Cost.Units != 5 || !d.Cost.Crash || d.Cost.High-d.Cost.Low > 5*6*time.Second+100*time.Millisecond {
		t.Errorf("it cost %+v", d.Cost)
	}
	for _, g := range s.Outages() {
		if g.Seq == d.Seq && g.To.Sub(roundOf(t, s, 11).RecordedAt) > time.Second {
			t.Errorf("%v runs again at %v", g.Unit, g.To)
		}
	}
	if back := roundOf(t, s, 11); back.Moved != 0 || back.Started != 5 {
		t.Errorf("round 11 moved %d and started %d", back.Moved, back.Started)
	}
}

// What a round says of itself, its cost and its story do not depend on how much of the history is shown.
func TestSinceChangesNoRound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"evening", "killed-and-back-within-session"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := caseFacts(t, name)
			whole := stateOf(t, f, time.Time{})
			want := make([]string, len(whole.Rounds))
			for i := range whole.Rounds {
				want[i] = roundJSON(t, whole, i)
			}
			for cut := 1; cut < len(whole.Rounds); cut++ {
				s := stateOf(t, f, whole.Rounds[cut].RecordedAt)
				if len(s.Rounds) != len(whole.Rounds)-cut || s.Forgotten != cut {
					t.Fatalf("since round %d: %d rounds, %d forgotten", whole.Rounds[cut].Generation, len(s.Rounds), s.Forgotten)
				}
				for i := range s.Rounds {
					if got := roundJSON(t, s, i); got != want[cut+i] {
						t.Fatalf("since round %d, round %d:\n got %s\nwant %s", whole.Rounds[cut].Generation, s.Rounds[i].Generation, got, want[cut+i])
					}
				}
				if a, b := s.Pace(), whole.Pace(); a != b {
					t.Errorf("since round %d, the pace is %+v, want %+v", whole.Rounds[cut].Generation, a, b)
				}
			}
		})
	}
}

func roundJSON(t testing.TB, s *group.State, i int) string {
	t.Helper()
	b, err := json.Marshal(s.Detail(i))
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + s.Story(i)
}
