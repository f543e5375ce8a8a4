//go:build kafka && unix

package test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A connector that hangs in taskConfigs takes the whole worker with it, since the herder's own thread asks for them; one that
// hangs in start does not, from 2.6 on: it has a thread for that. Both are found, by what is seen of them, and nobody else is
// blamed; once they go on, so does the group.
func TestBlockedWorker(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	// Past this time a blocked worker leaves the group.
	workers := rig.Workers(t, 2, WorkerOptions{Plugins: true, Extra: map[string]string{"rebalance.timeout.ms": "300000"}})
	workers[0].Put(t, "sound", FileSink("sound", 2))
	workers[0].WaitRunning(t, map[string]int{"sound": 2})

	starts, makes := hang(t), hang(t)
	workers[0].Put(t, "in-start", starts.connector("start"))
	workers[0].Put(t, "in-task-configs", makes.connector("taskConfigs"))
	starts.wait(t, workers, "start")
	blocked := makes.wait(t, workers, "taskConfigs")
	group := rig.GroupOf(t)

	f := waitFinding(t, rig, group, "worker-blocked")
	if len(f.Workers) != 1 || !strings.HasPrefix(f.Workers[0], blocked.Client+"-") {
		t.Errorf("%s is blocked, and the finding names %v", blocked.Client, f.Workers)
	}
	if f.Certainty != "seen" || !f.says("is currently generating task configs for connector in-task-configs") || f.Next == "" {
		t.Errorf("the worker tells what it is at, and the finding does not: %+v", f)
	}
	for _, other := range examine(t, rig, group).Findings {
		for _, id := range other.Workers {
			if !strings.HasPrefix(id, blocked.Client+"-") {
				t.Errorf("a worker that is well is blamed: %+v", other)
			}
		}
	}
	makes.goOn(t)
	workers[0].WaitRunning(t, map[string]int{"in-task-configs": 2})

	f = waitFinding(t, rig, group, "tasks-not-generated")
	if !slices.Contains(f.Units, Unit{"in-start", Instance}) || !f.says("starting") || !strings.Contains(f.Next, "connector-thread-in-start") {
		t.Errorf("a connector that hangs in its start: %+v", f)
	}
	if all := examine(t, rig, group); all.find("worker-blocked") != nil {
		t.Errorf("nothing blocks the worker any more: %+v", all)
	}
	starts.goOn(t)
	workers[0].WaitRunning(t, map[string]int{"in-start": 2})
	waitHealthy(t, rig, group)
}

// An old worker has no /health and hangs in a connector's start, too. When it has gone, with it the last of the group, that is
// a finding: what is configured runs nowhere.
func TestBlockedOldWorker(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	worker := rig.Worker(t, 1, WorkerOptions{Version: "2.3.1", Protocol: "compatible", Plugins: true, Extra: map[string]string{"rebalance.timeout.ms": "300000"}})
	h := hang(t)
	worker.Put(t, "old-in-start", h.connector("start"))
	h.wait(t, []*Worker{worker}, "start")
	group := rig.GroupOf(t)

	f := waitFinding(t, rig, group, "worker-blocked", "--for", "50s")
	if len(f.Workers) != 1 || !f.says("no answer within") {
		t.Errorf("an old worker does not answer, and the finding is %+v", f)
	}
	h.goOn(t)
	worker.WaitRunning(t, map[string]int{"old-in-start": 2})
	waitHealthy(t, rig, group)

	worker.Stop(t)
	f = waitFinding(t, rig, group, "no-workers")
	if len(f.Units) != 3 || f.Next == "" {
		t.Errorf("a group without workers: %+v", f)
	}
}

// hanging is a file: while it exists, connectors hang.
type hanging string

func hang(t testing.TB) hanging {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hang")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return hanging(file)
}

// connector is the configuration of one that hangs in that place, with two tasks.
func (h hanging) connector(place string) map[string]string {
	return map[string]string{
		"connector.class": Blocking, "tasks.max": "2", "topics": "nothing-comes", "hang.in": place, "hang.while": string(h),
	}
}

// wait waits until a connector hangs, and gives the worker that has it.
func (h hanging) wait(t testing.TB, workers []*Worker, place string) (at *Worker) {
	t.Helper()
	Until(t, "a connector to hang in "+place, func() (bool, string) {
		for _, w := range workers {
			if strings.Contains(w.Log(t), "hangs in "+place+" on ") {
				at = w
			}
		}
		return at != nil, "none does"
	})
	return at
}

func (h hanging) goOn(t testing.TB) {
	t.Helper()
	if err := os.Remove(string(h)); err != nil {
		t.Fatal(err)
	}
}
