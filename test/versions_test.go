//go:build kafka && unix

package test

import (
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
			rig := Shared(t)
			sink := "sink-of-" + of.version
			tasks := map[string]int{sink: 3}
			opt := WorkerOptions{Version: of.version, Protocol: of.protocol, Delay: 2 * time.Second}

			one := rig.Worker(t, 1, opt)
			first := WaitHeld(t, []*Worker{one}, nil)
			watch := StartRegroup(t, "watch", rig.GroupOf(t), "-b", rig.Addr, "-o", "json")
			WaitRound(t, watch, first)
			if of.protocol != "sessioned" {
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
				if len(r.Workers) > 0 && *r.Mode != of.mode {
					t.Errorf("generation %d is %s, want %s", *r.Generation, *r.Mode, of.mode)
				}
			}
		})
	}
}
