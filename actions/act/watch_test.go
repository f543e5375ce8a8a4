package act

import (
	"errors"
	"strings"
	"testing"
	"time"

	"regroup/group"
)

// A group that is not there is told at once, not waited for; one whose first round is on its way is.
func TestReadyWaitsForNoGroup(t *testing.T) {
	at := time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC)
	m := group.New(group.Options{Group: "nope"})
	for _, src := range []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		m.Apply(group.SourceReport{At: at, Source: src, Health: group.HealthMissing}, at)
	}
	for phase, waits := range map[string]bool{"Dead": false, "PreparingRebalance": true} {
		m.Apply(group.Description{At: at, State: phase}, at)
		w := NewWatch()
		w.Publish(m.State(at))
		s, err := w.Ready(t.Context(), 50*time.Millisecond)
		var late *WaitTimeoutError
		if errors.As(err, &late) != waits || s == nil {
			t.Errorf("%s: %v", phase, err)
		}
		if !waits && (err == nil || !strings.Contains(err.Error(), "group nope: there is none")) {
			t.Errorf("%s: %v", phase, err)
		}
	}
}
