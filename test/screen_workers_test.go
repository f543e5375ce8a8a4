//go:build kafka && unix

package test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What is done to workers from the screen, through keys alone, on real ones: each is foreseen, comes as foreseen, shows as rounds
// with its cause, and is on record. A worker is evicted and returns with its work, frozen until its work is given away, killed,
// one is added by the context's command, and a ghost joins and leaves.
func TestScreenWorkers(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	// A session that a busy machine keeps, and a delay that is longer than noticing something takes.
	opt := WorkerOptions{Delay: 5 * time.Second, Extra: map[string]string{"session.timeout.ms": "8000", "heartbeat.interval.ms": "2000"}}
	workers := rig.Workers(t, 3, opt)
	// Sources: a sink that is stopped while its consumer joins may not stop in time, and then never says that it has.
	units := map[string]int{}
	for _, name := range []string{"keys-a", "keys-b", "keys-c", "keys-d"} {
		units[name] = 1
		workers[0].Put(t, name, FileSource(name))
	}
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	hand := rig.Hand(t)

	// A context whose command starts a fourth worker, as an operator's would.
	fourth := rig.newWorker(t, 4, opt)
	t.Cleanup(func() { Sweep(t, fourth.Properties()) })
	home := t.TempDir()
	starter := filepath.Join(home, "start-worker")
	script := fmt.Sprintf("#!/bin/sh\nexec setsid java -Xmx%s -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s/*' org.apache.kafka.connect.cli.ConnectDistributed %s >>%s 2>&1 </dev/null &\n",
		fourth.heap, fourth.libs, fourth.Properties(), fourth.file+".log")
	if err := os.WriteFile(starter, []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	config := filepath.Join(home, "regroup", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	context := fmt.Sprintf("current: drill\ncontexts:\n  drill:\n    brokers: %s\n    colour: green\n    add: %s\n", rig.Addr, starter)
	if err := os.WriteFile(config, []byte(context), 0o600); err != nil {
		t.Fatal(err)
	}
	hand.env = []string{"XDG_CONFIG_HOME=" + home}
	follow := func() *Worker {
		l := follower(t, hand)
		i := slices.IndexFunc(workers, func(w *Worker) bool { return w.Client == l.Client })
		return workers[i]
	}

	s := hand.Screen(t, hand.group, "--i-know-it-holds-real-work")
	s.Await(t, "SETTLED", "drill", "keys-a")
	from := len(Rounds(t, rig, hand.group))
	// came waits until the screen says that a deed came as foreseen, and holds its rounds to the causes that they must have.
	came := func(what string, causes ...string) []Round {
		t.Helper()
		s.Await(t, what+": as predicted")
		all := Rounds(t, rig, hand.group)
		rounds := all[from:]
		from = len(all)
		for _, c := range causes {
			if !slices.ContainsFunc(rounds, func(r Round) bool { return r.hasCause(c) }) {
				t.Errorf("%s: no round because of %s: %+v", what, c, rounds)
			}
		}
		if last := rounds[len(rounds)-1]; !last.Settled || len(last.Duplicated) > 0 {
			t.Errorf("%s: the last round is %+v", what, last)
		}
		return rounds
	}

	// Evicted, a worker returns with its work in hand: it stops and starts nothing.
	w := follow()
	before := len(stops.FindAllString(w.Log(t), -1))
	s.Command(t, "worker evict "+w.Client)
	s.Agree(t, "Evict "+w.Client)
	for _, r := range came("evict "+w.Client, "worker-returned") {
		if r.Started+r.Stopped > 0 {
			t.Errorf("the eviction started and stopped units: %+v", r)
		}
	}
	if after := len(stops.FindAllString(w.Log(t), -1)); after != before {
		t.Errorf("%s stopped %d units because it was evicted", w.Client, after-before)
	}

	// Frozen for longer than session and delay together: its units move, and at its return what it holds twice is revoked.
	w = follow()
	s.Command(t, "worker freeze "+w.Client)
	s.Await(t, "Freeze", "longer than its session, 8s")
	s.Press(t, "ctrl-u", "18s", "enter")
	s.Agree(t, "Freeze "+w.Client)
	rounds := came("freeze "+w.Client, "worker-left", "delay-expired", "worker-returned")
	moved, twice := 0, 0
	for _, r := range rounds {
		moved += r.Moved
		if len(r.Duplicated) > 0 && r.Stopped >= len(r.Duplicated) {
			twice += len(r.Duplicated)
		}
	}
	if moved == 0 || twice == 0 {
		t.Errorf("while it was frozen %d units moved, and at its return %d duplicates were revoked: %+v", moved, twice, rounds)
	}

	// Killed, it says nothing: its units wait until its session and the delay are over.
	w = follow()
	s.Command(t, "worker kill "+w.Client)
	s.Agree(t, "Kill "+w.Client)
	came("kill "+w.Client, "worker-left", "delay-expired")
	if !w.process.ended() {
		t.Error("the killed process runs")
	}

	// Added by the context's command: a brand-new worker, whose member id nobody knew.
	s.Command(t, "worker add")
	s.Agree(t, "Add a worker")
	rounds = came("add a worker", "worker-joined", "release")
	if len(rounds) > 0 && !slices.ContainsFunc(rounds[len(rounds)-1].Workers, func(m RoundWorker) bool { return m.Client == fourth.Client && len(m.Held) > 0 }) {
		t.Errorf("the new worker holds nothing: %+v", rounds)
	}

	// A ghost joins, holds units, and leaves when it is told to.
	s.Command(t, "worker ghost")
	s.Await(t, "leaves after")
	s.Press(t, "enter")
	const ghost = "ghost" // its client id
	s.Agree(t, "Ghost "+ghost)
	Until(t, "the ghost to hold something", func() (bool, string) {
		all := Rounds(t, rig, hand.group)
		last := all[len(all)-1]
		return last.Settled && slices.ContainsFunc(last.Workers, func(m RoundWorker) bool { return m.Client == ghost && len(m.Held) > 0 }), fmt.Sprintf("%+v", last)
	})
	s.Await(t, "ghost "+ghost+": ", "holds ")
	s.Command(t, "break off")
	rounds = came("ghost "+ghost, "worker-joined", "release", "worker-left", "delay-expired")
	if !slices.ContainsFunc(rounds, func(r Round) bool {
		return slices.ContainsFunc(r.Workers, func(m RoundWorker) bool { return m.Client == ghost && len(m.Held) > 0 })
	}) {
		t.Errorf("the ghost never held anything: %+v", rounds)
	}

	s.Press(t, "q")
	if code := s.Code(t); code != 0 {
		t.Errorf("quitting gives exit code %d", code)
	}
	hand.OnRecord(t, "evict", "freeze", "kill", "add", "ghost")
}
