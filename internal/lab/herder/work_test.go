package herder

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"regroup/decode"
)

var (
	instance = decode.Unit{Connector: "a", Task: decode.Instance}
	a0, a1   = decode.Unit{Connector: "a", Task: 0}, decode.Unit{Connector: "a", Task: 1}
	b0       = decode.Unit{Connector: "b", Task: 0}
)

// Under cooperative a worker starts what is new to it; under eager everything, each time.
func TestStart(t *testing.T) {
	for protocol, again := range map[string][]decode.Unit{decode.ProtocolSessioned: {b0}, decode.ProtocolEager: {instance, a0, b0}} {
		w := newWork()
		want(t, "first", w.start([]decode.Unit{instance, a0}, protocol), instance, a0)
		want(t, "then", w.start([]decode.Unit{instance, a0, b0}, protocol), again...)
	}
}

// What was stopped, or has new tasks, starts again.
func TestStartsAgain(t *testing.T) {
	w := newWork()
	all := []decode.Unit{instance, a0, a1, b0}
	w.start(all, decode.ProtocolSessioned)
	want(t, "new tasks of a", w.recommitted(all, map[string]bool{"a": true}), a0, a1)
	w.stopped([]decode.Unit{b0})
	want(t, "running", w.units(), instance, a0, a1)
	want(t, "started", w.start(all, decode.ProtocolSessioned), a0, a1, b0)
	want(t, "the next time", w.start(all, decode.ProtocolSessioned))
}

// Only after an eager round does a worker stop everything before it joins, and then only what it was ever told to start.
func TestStopsFirst(t *testing.T) {
	last := &decode.Assignment{Assigned: []decode.Share{{Connector: "a", Tasks: []int32{decode.Instance, 0}}}}
	want(t, "eager", stopsFirst(decode.ProtocolEager, last), instance, a0)
	want(t, "cooperative", stopsFirst(decode.ProtocolCompatible, last))
	want(t, "never told anything", stopsFirst(decode.ProtocolEager, nil))
	want(t, "an error", stopsFirst(decode.ProtocolEager, &decode.Assignment{Error: decode.ConfigMismatch, Assigned: last.Assigned}))

	w := newWork()
	w.resolved = false
	want(t, "never acted on, eager", w.stop([]decode.Unit{a0}, decode.ProtocolEager))
	want(t, "never acted on, cooperative", w.stop([]decode.Unit{a0}, decode.ProtocolSessioned), a0)
}

// A worker acts on an assignment when it has read just as far as the leader, and joins again when its delay is over.
func TestStartable(t *testing.T) {
	a := decode.Assignment{ConfigOffset: 7, DelayMs: 1500}
	for read, ok := range map[int64]bool{6: false, 7: true, 8: false} {
		if startable(a, read) != ok {
			t.Errorf("read to %d of %d: %v", read, a.ConfigOffset, !ok)
		}
	}
	if startable(decode.Assignment{ConfigOffset: 7, Error: decode.ConfigMismatch}, 7) {
		t.Error("an error is acted on")
	}
	now := time.Unix(1000, 0)
	until := scheduled(a, now)
	if due(until, now.Add(1499*time.Millisecond)) || !due(until, now.Add(1500*time.Millisecond)) {
		t.Errorf("due at %s", until)
	}
	if never := scheduled(decode.Assignment{}, now); !never.IsZero() || due(never, now.Add(time.Hour)) {
		t.Errorf("without a delay: %s", never)
	}
}

func want(t *testing.T, what string, got []decode.Unit, want ...decode.Unit) {
	t.Helper()
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
