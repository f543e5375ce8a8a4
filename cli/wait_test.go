package cli

import (
	"strings"
	"testing"

	"regroup/observe"
)

// What a captured group lacked to be settled at several moments, had its broker called it stable.
func TestUnsettled(t *testing.T) {
	for _, c := range []struct{ capture, at, want string }{
		{"lifecycle", "15", ""},
		{"lifecycle", "16+2s", "round 16 is not the last: 5 units released; released: sink-a 1, sink-b c 2, sink-c 2 3"},
		{"lifecycle", "21+5s", "failed: sink-a 0; duplicated: sink-a 1-3, sink-b 0 1, sink-c 0 3"},
		{"lifecycle", "22+2s", "round 22 is not the last: 5 units wait for a delay, 18s more; failed: sink-a 0; duplicated: sink-a 1; " +
			"delayed: sink-a 3, sink-b 3, sink-c c 0 3"},
		{"lifecycle", "28", "round 28 is not the last: more work is to come; starting: sink-bad 0 1"},
		{"lifecycle", "4", "no worker is there"},
		{"clash", "", "starting: orders 0"},
	} {
		stop, err := observe.ParseStop(c.at)
		must(t, err)
		s, err := observe.File("../testdata/captures/"+c.capture+"-4.3.1.jsonl", "", stop)
		must(t, err)
		if got := unsettled(s); len(got) != 1 || got[0] != "the broker has not said how it stands" {
			t.Errorf("%s at %q, unasked: %q", c.capture, c.at, got)
		}
		s.Phase = "Stable"
		if got := strings.Join(unsettled(s), "; "); got != c.want {
			t.Errorf("%s at %q:\nmissing %q\nwant    %q", c.capture, c.at, got, c.want)
		}
		s.Phase = "CompletingRebalance"
		if got := unsettled(s); len(got) != 1 || got[0] != "the group is CompletingRebalance" {
			t.Errorf("%s at %q, while a join runs: %q", c.capture, c.at, got)
		}
	}
}
