//go:build kafka && unix

package test

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is done to real workers is foreseen: the rounds that come are those that were said to come, unit by unit, and each
// action is on record.
func TestActionsOnWorkers(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 3, WorkerOptions{})
	units := map[string]int{"act-a": 4, "act-b": 4}
	for name, n := range units {
		workers[0].Put(t, name, FileSink(name, n))
	}
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	hand := rig.Hand(t)
	byClient := map[string]*Worker{}
	for _, w := range workers {
		byClient[w.Client] = w
		t.Cleanup(func() { Sweep(t, w.Properties()) })
	}

	as := func(d Deed, causes ...string) {
		t.Helper()
		if d.State != "done" || len(d.Differences) > 0 {
			t.Errorf("%s %s: %s, %s; otherwise than foreseen:\n%s", d.Action, d.Target, d.State, d.Answer, d.Texts())
		}
		for _, c := range causes {
			found := false
			for _, r := range d.Rounds {
				found = found || r.hasCause(c)
			}
			if !found {
				t.Errorf("%s %s: no round because of %s: %+v", d.Action, d.Target, c, d.Rounds)
			}
		}
	}
	stopped := func(d Deed) (n int) {
		for _, r := range d.Rounds {
			n += r.Stopped + r.Started
		}
		return n
	}

	// Evicted, a worker comes back with its work in hand and never stopped.
	d := hand.Do(t, "worker", "evict", follower(t, hand).Client)
	as(d, "worker-returned")
	if n := stopped(d); n > 0 {
		t.Errorf("the eviction stopped and started %d units", n)
	}

	// So does the leader; where others are quicker, they get its work first. Either way is one that was foreseen.
	as(hand.Do(t, "worker", "evict", leader(t, hand).Client), "worker-returned")

	// Killed, it is gone when its session is over; started anew as the same worker, it comes back.
	w := byClient[follower(t, hand).Client]
	as(hand.Do(t, "worker", "kill", w.Client), "worker-left", "delay-expired")
	if !w.process.ended() {
		t.Error("the killed process runs")
	}
	as(hand.Do(t, "worker", "add", "--properties", w.Properties(), "--kafka", w.libs), "worker-returned")

	// Frozen for longer than session and delay together (which the kill has shown): its units move, and at its return what is held twice is revoked.
	d = hand.Do(t, "worker", "freeze", follower(t, hand).Client, "--for", "32s")
	as(d, "worker-left", "delay-expired", "worker-returned")
	last := d.Rounds[len(d.Rounds)-1]
	if !last.Settled || len(last.Duplicated) > 0 {
		t.Errorf("after the freeze: %+v", last)
	}

	// So is the leader, and the next one forgets what it remembered.
	as(hand.Do(t, "worker", "kill", leader(t, hand).Client), "leader-changed")

	// Connectors: more tasks, and a connector less.
	as(hand.Do(t, "connector", "scale", "act-a", "6"), "tasks-changed")
	as(hand.Do(t, "connector", "delete", "act-b"), "connector-deleted")

	// A ghost joins and leaves, behind its flag.
	if out := hand.Run(t, "worker", "ghost", "--for", "15s", "--yes"); out.Code != 2 || !strings.Contains(out.Stderr, "--i-know-it-holds-real-work") {
		t.Errorf("ghost without its flag: exit code %d, %s", out.Code, out.Stderr)
	}
	before := len(Rounds(t, rig, hand.group))
	hand.Do(t, "worker", "ghost", "--for", "15s", "--i-know-it-holds-real-work")
	var joined, held, left bool
	Until(t, "the ghost to be gone", func() (bool, string) {
		for _, r := range Rounds(t, rig, hand.group)[before:] {
			joined = joined || r.hasCause("worker-joined")
			left = left || joined && r.hasCause("worker-left")
			for _, m := range r.Workers {
				held = held || m.Client == "ghost" && len(m.Held) > 0
			}
		}
		return left, "no round without it was seen"
	})
	if !joined || !held {
		t.Errorf("the ghost joined: %v, held something: %v", joined, held)
	}

	// Read-only: exit code 2, and the log has no line of it.
	if out := hand.Run(t, "worker", "evict", "leader", "--read-only", "--yes"); out.Code != 2 {
		t.Errorf("read-only: exit code %d, %s", out.Code, out.Stderr)
	}
	if out := hand.Run(t, "worker", "evict", leader(t, hand).Client); out.Code != 2 || !strings.Contains(out.Stderr, "give --yes") {
		t.Errorf("without --yes: exit code %d, %s", out.Code, out.Stderr)
	}

	hand.OnRecord(t, "evict", "evict", "kill", "add", "freeze", "kill", "scale", "delete", "ghost")
}

// listed is what `worker list` says of a worker.
type listed struct {
	Member, Client, URL string
	Leader              bool
}

func list(t testing.TB, h *Hand) []listed {
	t.Helper()
	out := h.Run(t, "worker", "list", "-o", "json")
	if out.Code != 0 {
		t.Fatalf("worker list: exit code %d: %s", out.Code, out.Stderr)
	}
	var all []listed
	for line := range strings.Lines(out.Stdout) {
		var l listed
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func leader(t testing.TB, h *Hand) listed {
	t.Helper()
	for _, l := range list(t, h) {
		if l.Leader {
			return l
		}
	}
	t.Fatal("nobody leads")
	return listed{}
}

func follower(t testing.TB, h *Hand) listed {
	t.Helper()
	for _, l := range list(t, h) {
		if !l.Leader {
			return l
		}
	}
	t.Fatal("nobody follows")
	return listed{}
}
