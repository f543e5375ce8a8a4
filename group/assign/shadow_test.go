package assign

import (
	"math/rand/v2"
	"slices"
	"testing"

	"regroup/decode"
)

// TestShadowOfLifecycle follows a real group of 4.3.1 workers: every cooperative round is what was to be expected.
func TestShadowOfLifecycle(t *testing.T) {
	for _, maxDelay := range []int32{20_000, -1} { // given, and learnt
		s := NewShadow(maxDelay)
		counts := map[ShadowVerdict]int{}
		for _, seen := range readCapture(t, "lifecycle-4.3.1.jsonl").seen {
			var look Comparison
			s, look = s.See(seen)
			counts[look.Verdict]++
			if look.Verdict == ShadowDiffers {
				t.Errorf("generation %d: %s", seen.Generation, look.Why)
			}
			if look.Verdict == ShadowNone && seen.Protocol != "" && seen.Protocol != decode.ProtocolEager {
				t.Errorf("generation %d: none: %s", seen.Generation, look.Why)
			}
			if look.Verdict == ShadowSame && look.Assignor != Released {
				t.Errorf("generation %d: decided by the rules of %s", seen.Generation, look.Assignor)
			}
		}
		if counts[ShadowSame] != 30 || counts[ShadowDiffers] != 0 {
			t.Errorf("maximum delay %d: %v, want 30 rounds the same", maxDelay, counts)
		}
		if s.MaxDelay() != 20_000 {
			t.Errorf("maximum delay %d: learnt %d", maxDelay, s.MaxDelay())
		}
	}
}

// TestShadowOfEager has nothing to say of rounds in which nothing is remembered.
func TestShadowOfEager(t *testing.T) {
	s := NewShadow(-1)
	for _, seen := range readCapture(t, "eager-rolling-4.3.1.jsonl").seen {
		var look Comparison
		if s, look = s.See(seen); look.Verdict != ShadowNone {
			t.Errorf("generation %d: %s", seen.Generation, look.Verdict)
		}
	}
}

// TestShadowFromTheMiddle begins at each record of the log in turn, as compaction cuts it: it says nothing wrong, and finds
// its way in by the end.
func TestShadowFromTheMiddle(t *testing.T) {
	all := readCapture(t, "lifecycle-4.3.1.jsonl").seen
	for from := range all[:len(all)-4] {
		s := NewShadow(-1)
		var look Comparison
		for _, seen := range all[from:] {
			if s, look = s.See(seen); look.Verdict == ShadowDiffers {
				t.Errorf("from generation %d: generation %d differs", all[from].Generation, seen.Generation)
			}
		}
		if look.Verdict != ShadowSame {
			t.Errorf("from generation %d: the last round is %s: %s", all[from].Generation, look.Verdict, look.Why)
		}
	}
}

// TestReports wants workers to report, byte for byte in their own order, what they were told in the round before.
func TestReports(t *testing.T) {
	var last Seen
	compared := 0
	for _, seen := range readCapture(t, "lifecycle-4.3.1.jsonl").seen {
		for _, m := range seen.Members {
			was := last.member(m.ID)
			if was == nil || seen.Protocol == decode.ProtocolEager || m.Nothing {
				continue
			}
			want := Java17.Report(was.Reported, *was.Told) // under eager nothing was reported, and what it was told is all
			if !slices.EqualFunc(want, m.Reported, func(a, b decode.Share) bool {
				return a.Connector == b.Connector && slices.Equal(a.Tasks, b.Tasks)
			}) {
				t.Errorf("generation %d: %s reports %v, computed %v", seen.Generation, m.ID, m.Reported, want)
			}
			compared++
		}
		last = seen
	}
	if compared < 50 {
		t.Errorf("%d reports compared", compared)
	}
}

// TestForecasts compares what the shadow said would come with what came, wherever nothing else happened meanwhile.
func TestForecasts(t *testing.T) {
	s := NewShadow(20_000)
	var last Seen
	exact, hits := 0, 0
	for _, seen := range readCapture(t, "lifecycle-4.3.1.jsonl").seen {
		if steps, ok := s.Forecast(8); ok && len(steps) > 0 && undisturbed(last, seen, steps[0]) {
			exact++
			if seen.agrees(steps[0].Decision) {
				hits++
			} else {
				t.Errorf("generation %d is not what was said to come:\n%+v", seen.Generation, steps[0].Decision)
			}
		}
		s, _ = s.See(seen)
		last = seen
	}
	if exact < 5 || hits != exact {
		t.Errorf("%d of %d forecasts came true, want all of at least 5", hits, exact)
	}
}

// undisturbed says whether the next record is the round that was to come by itself: the same members under the same leader,
// with nothing new in the config topic, and not before its time.
func undisturbed(last, seen Seen, step Step) bool {
	if seen.Leader != last.Leader || len(seen.Members) != len(last.Members) || seen.Protocol != last.Protocol ||
		seen.Config.Offset != last.Config.Offset || step.Why == StepExpiry && seen.At < step.At-expirySlack {
		return false
	}
	return !slices.ContainsFunc(seen.Members, func(m SeenMember) bool { return last.member(m.ID) == nil })
}

// TestShadowOfLives follows groups that live at random, from their first round: every round is what was to be expected,
// by the rules of the release that leads.
func TestShadowOfLives(t *testing.T) {
	for _, c := range []struct {
		rules   AssignorVersion
		unsound bool
		learn   bool
	}{
		{Released, false, false},
		{Released, false, true},
		{Released, true, false},
		{Released34, false, false},
		{Released23, false, false},
	} {
		for seed := range uint64(seeds) {
			l := newLife(t, rand.New(rand.NewPCG(seed, 4)), c.rules)
			s := NewShadow(l.maxDelay)
			if c.learn {
				s = NewShadow(-1)
			}
			for range 25 {
				l.step()
				if c.unsound {
					l.unsound()
				}
				l.round()
				seen := l.last
				seen.At += l.r.Int64N(delaySlack / 2) // it takes a moment until a round is recorded
				var look Comparison
				s, look = s.See(seen)
				if look.Verdict != ShadowSame {
					t.Errorf("%+v, seed %d: generation %d: %s: %s", c, seed, seen.Generation, look.Verdict, look.Why)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}
