//go:build kafka && unix

package test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The main promise, on a group that lives through what groups live through: three workers, two connectors, a worker that
// crashes, a delay that runs out, its return, and a broker that is away for ten seconds. What regroup says is compared with
// what the workers say. A second group, where nothing happens, shows that being watched changes nothing.
func TestObserving(t *testing.T) { //nolint:tparallel // its parts look at one and the same life
	t.Parallel()
	rig := StartBroker(t) // of its own: it looks for members in all that the broker says
	const quiet = "connect-quiet"
	calm := rig.Worker(t, 1, WorkerOptions{Group: quiet})
	calm.Put(t, "calm", FileSink("calm", 2))
	calmGeneration := WaitHeld(t, []*Worker{calm}, Units(map[string]int{"calm": 2}))
	calm.WaitRunning(t, map[string]int{"calm": 2})
	watchCalm := StartRegroup(t, "watch", quiet, "-b", rig.Addr, "-o", "json")
	watchedSince := time.Now()

	workers := rig.Workers(t, 3, WorkerOptions{})
	group := rig.GroupOf(t)
	first := WaitHeld(t, workers, nil)
	watch := StartRegroup(t, "watch", group, "-b", rig.Addr, "-o", "json")
	WaitRound(t, watch, first)

	tasks := map[string]int{"sink-a": 5, "sink-b": 4}
	for name, n := range tasks {
		workers[0].Put(t, name, FileSink(name, n))
	}
	WaitHeld(t, workers, Units(tasks))
	workers[0].WaitRunning(t, tasks)

	workers[2].Kill(t)
	WaitHeld(t, workers[:2], Units(tasks)) // the session runs out, then the delay
	workers[2].Restart(t)
	WaitHeld(t, workers, Units(tasks))
	workers[0].WaitRunning(t, tasks)

	// The time that the issue asks for, most of which has passed by now.
	time.Sleep(time.Until(watchedSince.Add(time.Minute)))
	calmRounds := Events(t, watchCalm)
	calmJoins := calm.Joined(t)

	before := WaitHeld(t, workers, Units(tasks))
	rig.BrokerStop(t)
	time.Sleep(10 * time.Second)
	rig.BrokerStart(t)
	var last int32
	Until(t, "a generation after the outage", func() (bool, string) {
		last = WaitHeld(t, workers, Units(tasks))
		return last > before, fmt.Sprintf("generation %d, %d before", last, before)
	})
	workers[0].WaitRunning(t, tasks)
	rounds := Rounds(t, rig, group)
	WaitRound(t, watch, last)
	watched := Events(t, watch)

	t.Run("rounds equal the workers' logs", func(t *testing.T) {
		CheckRounds(t, rounds, workers)
	})
	t.Run("the outage shows as dropped units", func(t *testing.T) {
		checkOutage(t, rounds, workers, before)
	})
	t.Run("watch loses and repeats no round", func(t *testing.T) {
		if watch.Ended() {
			t.Fatal("watch ended by itself")
		}
		checkWatch(t, watched, rounds, first)
	})
	t.Run("nothing happens in a group for being watched", func(t *testing.T) {
		if n := len(calmJoins); calmJoins[n-1].Generation != calmGeneration {
			t.Errorf("generation %d, was %d when watching began: %+v", calmJoins[n-1].Generation, calmGeneration, calmJoins)
		}
		if len(calmRounds) == 0 {
			t.Fatal("the watch has shown no round")
		}
		if n := len(calmRounds); *calmRounds[n-1].Generation != calmGeneration {
			t.Errorf("the newest round seen is %d, want %d", *calmRounds[n-1].Generation, calmGeneration)
		}
		checkInvisible(t, rig)
	})
	t.Run("Ctrl-C ends a watch", func(t *testing.T) {
		watch.Stop(t)
		watchCalm.Stop(t)
	})
}

// checkOutage: each worker lets go of all its work when it cannot reach its coordinator, and comes back with empty hands.
func checkOutage(t *testing.T, rounds []Round, workers []*Worker, before int32) {
	t.Helper()
	i := slices.IndexFunc(rounds, func(r Round) bool { return r.Generation != nil && *r.Generation > before })
	if i < 1 {
		t.Fatalf("no round after generation %d", before)
	}
	after, was := rounds[i], rounds[i-1]
	// All of it was RUNNING before the outage, so statuses prove that what the round before had just given out ran, too.
	want := 0
	for _, w := range was.Workers {
		want += len(w.Held)
	}
	if want == 0 {
		t.Fatalf("the round before the outage had nothing to drop: %+v", was)
	}
	if after.Dropped != want {
		t.Errorf("generation %d dropped %d units, want %d", *after.Generation, after.Dropped, want)
	}
	if !after.hasCause("coordinator-lost") {
		t.Errorf("generation %d: causes %+v, want coordinator-lost", *after.Generation, after.Causes)
	}
	for _, w := range after.Workers {
		if len(w.Reported) > 0 {
			t.Errorf("%s reports %v after the outage", w.Client, w.Reported)
		}
	}
	if len(after.Workers) != len(workers) {
		t.Errorf("%d workers after the outage, want %d", len(after.Workers), len(workers))
	}
}

// checkWatch: from its first round on, the watch has printed what is in the log: each round once, in order, and the same.
func checkWatch(t *testing.T, watched, rounds []Round, first int32) {
	t.Helper()
	// What was told before its time says so, and is told again: the last word counts.
	watched = slices.DeleteFunc(slices.Clone(watched), func(r Round) bool { return r.Provisional })
	if len(watched) == 0 || *watched[0].Generation > first {
		t.Fatalf("the watch began after generation %d: %+v", first, watched)
	}
	from := slices.IndexFunc(rounds, func(r Round) bool { return r.Offset == watched[0].Offset })
	if from < 0 {
		t.Fatalf("the watch began at offset %d, which `rounds` does not know", watched[0].Offset)
	}
	list := func(rounds []Round) (out []string) {
		for _, r := range rounds {
			out = append(out, fmt.Sprintf("generation %d at offset %d", *r.Generation, r.Offset))
		}
		return out
	}
	if diff := cmp.Diff(list(rounds[from:]), list(watched)); diff != "" {
		t.Fatal(diff)
	}
	// An episode's story stands on its last round, and the shadow leader follows later: both were young when watch told them.
	young := cmpopts.IgnoreFields(Round{}, "Story", "Shadow", "Cost", "Gaps", "EpisodeCost")
	for i, r := range watched {
		if diff := cmp.Diff(rounds[from+i], r, young); diff != "" {
			t.Errorf("generation %d differs between `rounds` and `watch`:\n%s", *r.Generation, diff)
		}
	}
}

// checkInvisible: on the whole broker nobody but workers and their connectors ever joined a group or committed an offset.
func checkInvisible(t *testing.T, rig *Rig) {
	t.Helper()
	log := rig.BrokerLog(t)
	members := newMember.FindAllStringSubmatch(log, -1)
	if len(members) == 0 {
		t.Fatal("the broker's log names no new member: this test looks for the wrong words")
	}
	for _, m := range members {
		if !strings.HasPrefix(m[1], "worker-") && !strings.HasPrefix(m[1], "connector-consumer-") {
			t.Errorf("a member that is no worker's: %s", m[0])
		}
	}
	for _, group := range Groups(t, rig) {
		if !rig.owns(group) {
			t.Errorf("group %s is neither the workers' nor a connector's", group)
		}
	}
	for group, n := range Commits(t, rig) {
		if !rig.owns(group) {
			t.Errorf("%d offset commits of %s, which is neither the workers' nor a connector's", n, group)
		}
	}
}

// How a broker logs that somebody joins a group for the first time.
var newMember = regexp.MustCompile(`Created a new member id (\S+) and`)
