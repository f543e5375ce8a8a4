//go:build kafka && unix

package test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Workers of every line that people still run. What they write differs: 2.2 knows eager alone, 2.3 the first cooperative
// protocol, up to 3.2 the header says 1 under sessioned, and from 3.7 a worker names itself after its address.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, of := range []struct{ version, protocol, mode string }{
		{"3.9.1", "sessioned", "cooperative"},
		{"3.5.1", "eager", "eager"},
		{"2.3.1", "compatible", "cooperative"},
		{"2.2.2", "", "eager"},
	} {
		t.Run(of.version, func(t *testing.T) {
			t.Parallel()
			joinsAndLeaves(t, Shared(t), WorkerOptions{Version: of.version, Protocol: of.protocol, Delay: 2 * time.Second}, of.mode)
		})
	}
}

// Brokers that people still run, with workers of their own version: 2.8 with ZooKeeper, and 3.4. Their coordinators write older
// records, know older requests, and have no list of groups by type.
func TestOldBrokers(t *testing.T) {
	t.Parallel()
	if !nightly() {
		t.Skip("make nightly runs it")
	}
	for _, version := range []string{"2.8.2", "3.4.1"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := StartCluster(t, version, 1)
			joinsAndLeaves(t, c.Rig, WorkerOptions{Version: version, Delay: 2 * time.Second}, "cooperative")
			group := c.GroupOf(t)
			out := Regroup(t, "groups", "-b", c.Addr)
			if out.Code != 0 || !strings.Contains(out.Stdout, group) || !strings.Contains(out.Stdout, "SETTLED") {
				t.Errorf("regroup groups: exit code %d\n%s%s", out.Code, out.Stdout, out.Stderr)
			}
			out = Regroup(t, "describe", group, "-b", c.Addr, "-o", "json")
			var d struct {
				State   string
				Sources []struct{ Name, State, Detail string }
			}
			if err := json.Unmarshal([]byte(out.Stdout), &d); err != nil || d.State != "Stable" {
				t.Errorf("regroup describe: %v, exit code %d\n%s%s", err, out.Code, out.Stdout, out.Stderr)
			}
			for _, s := range d.Sources {
				if s.State != "ok" && s.State != "off" {
					t.Errorf("source %s is %s: %s", s.Name, s.State, s.Detail)
				}
			}
		})
	}
}

// joinsAndLeaves holds what is told to what workers log, while a second worker comes and goes.
func joinsAndLeaves(t *testing.T, rig *Rig, opt WorkerOptions, mode string) {
	t.Helper()
	sink := "sink-of-" + opt.Version
	tasks := map[string]int{sink: 3}

	one := rig.Worker(t, 1, opt)
	first := WaitHeld(t, []*Worker{one}, nil)
	watch := StartRegroup(t, "watch", rig.GroupOf(t), "-b", rig.Addr, "-o", "json")
	WaitRound(t, watch, first)
	if or(opt.Protocol, "sessioned") != "sessioned" || strings.HasPrefix(opt.Version, "2.2.") {
		// Without a session key the config topic is empty, and nothing tells which one it is. It is found when the
		// first connector comes, and what the watch has told until then must be put right.
		WaitSource(t, watch, "config", "missing")
	}
	one.Put(t, sink, FileSink(sink, tasks[sink]))
	WaitHeld(t, []*Worker{one}, Units(tasks))
	two := rig.Worker(t, 2, opt)
	WaitHeld(t, []*Worker{one, two}, Units(tasks))
	two.Stop(t)
	last := WaitHeld(t, []*Worker{one}, Units(tasks))

	WaitRound(t, watch, last)
	rounds := Rounds(t, rig, rig.GroupOf(t))
	CheckRounds(t, rounds, []*Worker{one, two})
	checkWatch(t, Events(t, watch), rounds, first)
	for _, r := range rounds {
		if len(r.Workers) > 0 && *r.Mode != mode {
			t.Errorf("generation %d is %s, want %s", *r.Generation, *r.Mode, mode)
		}
	}
}
