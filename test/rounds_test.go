//go:build kafka && unix

package test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Rounds is what `regroup rounds GROUP -o json` says.
func Rounds(t testing.TB, rig *Rig, group string) []Round {
	t.Helper()
	out := Regroup(t, "rounds", group, "-b", rig.Addr, "-o", "json")
	if out.Code != 0 {
		t.Fatalf("regroup rounds: exit code %d: %s", out.Code, out.Stderr)
	}
	rounds, err := ParseRounds(out.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	return rounds
}

// Events are the rounds that a watch has printed so far.
func Events(t testing.TB, watch *Running) []Round {
	t.Helper()
	rounds, err := ParseEvents(watch.Lines())
	if err != nil {
		t.Fatal(err)
	}
	return rounds
}

// WaitRound waits until a watch has printed a generation, and not before its time.
func WaitRound(t testing.TB, watch *Running, generation int32) {
	t.Helper()
	Until(t, fmt.Sprintf("generation %d in the watch", generation), func() (bool, string) {
		if watch.Ended() {
			t.Fatal("watch ended by itself")
		}
		rounds := Events(t, watch)
		for _, r := range rounds {
			if r.Generation != nil && *r.Generation == generation && !r.Provisional {
				return true, ""
			}
		}
		return false, fmt.Sprintf("%d rounds, lines %q", len(rounds), watch.Lines())
	})
}

// WaitSource waits until a watch has said this of one of its sources.
func WaitSource(t testing.TB, watch *Running, source, state string) {
	t.Helper()
	Until(t, "the "+source+" source to be "+state, func() (bool, string) {
		for _, line := range watch.Lines() {
			var e struct{ Event, Source, State string }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			if e.Event == "source" && e.Source == source && e.State == state {
				return true, ""
			}
		}
		return false, fmt.Sprintf("lines %q", watch.Lines())
	})
}

// CheckRounds compares rounds with what each worker logged: every generation that a worker joined is there, with that worker
// in it, and what it held, what it was told to stop and the delay are what its own log says.
func CheckRounds(t testing.TB, rounds []Round, workers []*Worker) {
	t.Helper()
	byGeneration := map[int32]Round{}
	for _, r := range rounds {
		if r.Generation == nil {
			t.Errorf("a round without a generation: %+v", r)
			continue
		}
		if _, twice := byGeneration[*r.Generation]; twice {
			t.Errorf("generation %d twice", *r.Generation)
		}
		byGeneration[*r.Generation] = r
	}
	for _, w := range workers {
		joins := w.Joined(t)
		if len(joins) == 0 {
			t.Errorf("%s has joined nothing", w.Client)
		}
		for _, j := range joins {
			r, ok := byGeneration[j.Generation]
			if !ok {
				t.Errorf("%s joined generation %d, which is not in `rounds`", w.Client, j.Generation)
				continue
			}
			checkJoin(t, r, w, j)
		}
	}
}

func checkJoin(t testing.TB, r Round, w *Worker, j Join) {
	t.Helper()
	for _, m := range r.Workers {
		if m.Error != "" {
			t.Errorf("generation %d: %s: %s", *r.Generation, m.Client, m.Error)
		}
		if m.Client != w.Client || m.URL != w.URL {
			continue
		}
		got := Join{
			Generation: *r.Generation, Error: r.Error, Leader: *r.Leader, LeaderURL: *r.LeaderURL, Offset: *r.ConfigOffset,
			Held: m.Held, Revoked: m.Revoked, DelayMs: r.DelayMs,
		}
		if diff := cmp.Diff(j, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("generation %d of %s: its log (-) and `rounds` (+) differ:\n%s", j.Generation, w.Client, diff)
		}
		return
	}
	t.Errorf("generation %d: %s joined it and is not in `rounds`: %+v", j.Generation, w.Client, r.Workers)
}
