package cli

import (
	"io"
	"strings"
	"testing"
	"time"

	"regroup/group"
	"regroup/internal/observe/observetest"
)

// stableAt is a captured group at a moment, had its broker called it stable then.
func stableAt(t *testing.T, capture, at string) *group.State {
	t.Helper()
	s := observetest.File(t, "../../testdata/captures/"+capture+"-4.3.1.jsonl", at)
	s.Phase = "Stable"
	return s
}

// What a captured group lacked at several moments, where as many workers are enough as there were.
func TestWaitsUntilSettled(t *testing.T) {
	for _, c := range []struct{ capture, at, want string }{
		{"lifecycle", "15", ""},
		{"lifecycle", "16+2s", "round 16 is not the last: 5 units released; released: sink-a 1, sink-b c 2, sink-c 2 3"},
		{"lifecycle", "21+5s", "failed: sink-a 0; duplicated: sink-a 1-3, sink-b 0 1, sink-c 0 3"},
		{"lifecycle", "22+2s", "round 22 is not the last: 5 units wait for a delay, 18s more; failed: sink-a 0; duplicated: sink-a 1; " +
			"delayed: sink-a 3, sink-b 3, sink-c c 0 3"},
		{"lifecycle", "28", "round 28 is not the last: the tasks of sink-bad are still to come; starting: sink-bad 0 1"},
		{"lifecycle", "4", "0 workers of 1 in the group; no worker is there"},
		{"clash", "", "starting: orders 0"},
	} {
		s := stableAt(t, c.capture, c.at)
		w := waiting{workers: max(1, s.Round().Workers)}

		if got := strings.Join(w.missing(s, s.Now), "; "); got != c.want {
			t.Errorf("%s at %q:\nmissing %q\nwant    %q", c.capture, c.at, got, c.want)
		}
		s.Phase = ""
		if got := w.missing(s, s.Now); len(got) != 1 || got[0] != "the broker has not said how it stands" {
			t.Errorf("%s at %q, unasked: %q", c.capture, c.at, got)
		}
		s.Phase = "CompletingRebalance"
		if got := w.missing(s, s.Now); len(got) != 1 || got[0] != "the group is CompletingRebalance" {
			t.Errorf("%s at %q, while a join runs: %q", c.capture, c.at, got)
		}
	}
}

// Generation 14 is worker-2's leaving, 15 gives its units to the others, and 16 is its return.
func TestWaitsForWhoLeft(t *testing.T) {
	const text = "worker-2 left at 17:41:22 and is not back; --workers says how many are enough"
	left := stableAt(t, "lifecycle", "14").Round().RecordedAt
	missing := strings.Replace(text, "17:41:22", left.Local().Format("15:04:05"), 1)
	for _, c := range []struct {
		what, at string
		wait     waiting
		from     time.Time // what left since is missed
		want     string
	}{
		{"gone, and its units given away", "15", waiting{}, left, missing},
		{"gone before", "15", waiting{}, left.Add(time.Millisecond), ""},
		{"two are enough", "15", waiting{workers: 2}, left, ""},
		{"three are not there", "15", waiting{workers: 3}, left, "2 workers of 3 in the group"},
		{"named", "15", waiting{names: []string{"worker-2"}}, left, `worker "worker-2": there is none; there are worker-1, worker-3`},
		{"another is named", "15", waiting{names: []string{"worker-3"}}, left, missing},
		{"back", "17", waiting{names: []string{"worker-2"}}, left, ""},
	} {
		s := stableAt(t, "lifecycle", c.at)
		if got := strings.Join(c.wait.missing(s, c.from), "; "); got != c.want {
			t.Errorf("%s:\nmissing %q\nwant    %q", c.what, got, c.want)
		}
	}
}

// Without one of these sources nobody can tell whether a group is settled: at its deadline wait says which, and fails.
func TestWaitCannotTellWithoutASource(t *testing.T) {
	for _, source := range []group.Source{group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		for _, health := range []group.Health{group.HealthDenied, group.HealthMissing, group.HealthAmbiguous} {
			s := stableAt(t, "lifecycle", "15")
			for i := range s.Sources {
				if s.Sources[i].Source == source {
					s.Sources[i].Health, s.Sources[i].Detail = health, "why it is"
				}
			}
			err := late(s, waiting{timeout: time.Minute}, "orders", []string{"what is missing"})
			if code := report(io.Discard, err); code != exitFault || !strings.Contains(err.Error(), "cannot tell whether it is settled") || !strings.Contains(err.Error(), "why it is") {
				t.Errorf("%s %s: exit code %d, %v", source, health, code, err)
			}
			s.Phase = "Empty"
			if code := report(io.Discard, late(s, waiting{timeout: time.Minute}, "orders", []string{"no worker is there"})); code != exitNo {
				t.Errorf("%s %s of a group without workers: exit code %d", source, health, code)
			}
		}
	}
	if code := report(io.Discard, late(stableAt(t, "lifecycle", "15"), waiting{timeout: time.Minute}, "orders", []string{"1 unit failed"})); code != exitNo {
		t.Errorf("with all sources: exit code %d", code)
	}
}
