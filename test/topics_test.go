//go:build kafka && unix

package test

import (
	"strings"
	"testing"
)

// A worker goes over to a new group with topics of its own, and the old topics stay; then another group is given the new ones.
func TestTopicsOfGroupsWithTheSameWork(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	name := rig.GroupOf(t)
	units := map[string]int{"handed-over": 2}
	blue := rig.Worker(t, 1, WorkerOptions{Group: name + "-blue"})
	blue.Put(t, "handed-over", FileSink("handed-over", 2))
	blue.WaitRunning(t, units)
	blue.Stop(t)

	green := rig.Worker(t, 2, WorkerOptions{Group: name + "-green"})
	green.Put(t, "handed-over", FileSink("handed-over", 2))
	green.WaitRunning(t, units)
	if out := Regroup(t, "wait", green.Group, "-b", rig.Addr, "--timeout", "30s"); out.Code != 0 {
		t.Errorf("wait: exit code %d\n%s%s", out.Code, out.Stdout, out.Stderr)
	}
	out := Regroup(t, "describe", green.Group, "-b", rig.Addr)
	for _, role := range []string{"configs", "status"} {
		if !strings.Contains(out.Stdout, green.Group+"-"+role) || strings.Contains(out.Stdout, "ambiguous") {
			t.Errorf("describe does not read the new %s topic:\n%s%s", role, out.Stdout, out.Stderr)
		}
	}

	red := rig.Worker(t, 3, WorkerOptions{Group: name + "-red", ConfigTopic: green.Group + "-configs", Extra: map[string]string{
		"status.storage.topic": green.Group + "-status", "offset.storage.topic": green.Group + "-offsets",
	}})
	red.WaitRunning(t, units)
	for _, c := range []struct{ group, other *Worker }{{green, red}, {red, green}} {
		var said Output
		Until(t, "doctor to name the group that shares the topics", func() (bool, string) {
			said = Regroup(t, "doctor", c.group.Group, "-b", rig.Addr)
			return strings.Contains(said.Stdout, "topics-shared"), said.Stdout + said.Stderr
		})
		address := strings.TrimSuffix(strings.TrimPrefix(c.other.URL, "http://"), "/")
		if !strings.Contains(said.Stdout, "are shared with group "+c.other.Group+", whose worker is "+address) || strings.Contains(said.Stdout, "unit-orphaned") {
			t.Errorf("doctor %s says\n%s", c.group.Group, said.Stdout)
		}
	}
}
