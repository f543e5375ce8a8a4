//go:build kafka && unix

package test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A task that does not stop within task.shutdown.graceful.timeout.ms is cancelled, and nobody writes that it stopped. Its worker rejoins
// without it, and another one runs it: that is no unit that runs twice, the group is settled, and the doctor names the worker.
func TestStopTimesOut(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"sessioned", "eager"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			rig := Shared(t)
			opt := WorkerOptions{Plugins: true, Protocol: protocol, Extra: map[string]string{"task.shutdown.graceful.timeout.ms": "2000"}}
			group := rig.GroupOf(t)
			first := rig.Worker(t, 1, opt)
			h := hang(t)
			name := "slow-" + protocol
			config := h.connector("taskStop")
			config["tasks.max"] = "3"
			first.Put(t, name, config)
			first.WaitRunning(t, map[string]int{name: 3})

			watch := StartRegroup(t, "watch", group, "-b", rig.Addr, "-o", "json")
			second := rig.Worker(t, 2, opt)
			WaitHeld(t, []*Worker{first, second}, Units(map[string]int{name: 3}))
			second.WaitRunning(t, map[string]int{name: 3})
			if len(first.cancelled(t)) == 0 {
				t.Fatal("no stop timed out")
			}

			if out := Regroup(t, "wait", group, "--settled", "--timeout", "30s", "-b", rig.Addr); out.Code != 0 {
				t.Errorf("wait --settled: exit code %d\n%s%s", out.Code, out.Stdout, out.Stderr)
			}
			d := examine(t, rig, group)
			if f := d.find("unit-duplicated"); f != nil {
				t.Errorf("a cancelled task is said to run twice: %+v", f)
			}
			for _, line := range watch.Lines() {
				if strings.Contains(line, `"state":"duplicated"`) || strings.Contains(line, `"verdict":"DUPLICATED"`) {
					t.Errorf("a cancelled task was said to run twice: %s", line)
				}
			}
			// It waits a second for what the status topic may tell still.
			if f := waitFinding(t, rig, group, "slow-stop"); !f.at(first) || !slices.Equal(f.Units, first.cancelled(t)) {
				t.Errorf("%s cancelled %v, and the finding is %+v", first.Client, first.cancelled(t), f)
			}
			h.goOn(t)
		})
	}
}

// cancelled are the tasks of which a worker logged that they did not stop in time, sorted.
func (w *Worker) cancelled(t testing.TB) []Unit {
	t.Helper()
	var out []Unit
	for line := range strings.Lines(w.Log(t)) {
		_, rest, ok := strings.Cut(line, "Graceful stop of task ")
		id, _, failed := strings.Cut(rest, " failed")
		if !ok || !failed {
			continue
		}
		at := strings.LastIndexByte(id, '-')
		var task int32
		if _, err := fmt.Sscan(id[at+1:], &task); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, Unit{id[:at], task})
	}
	sortUnits(out)
	return slices.Compact(out)
}
