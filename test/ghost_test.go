//go:build kafka && unix

package test

import (
	"fmt"
	"testing"
)

// A ghost that is left to lead real workers decides as Connect's own leader would: they do what it tells them, and the shadow
// leader, which follows Connect's rules, agrees with each of its rounds.
func TestGhostLeadsRealWorkers(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 2, WorkerOptions{})
	units := map[string]int{"ghost-a": 4, "ghost-b": 3}
	for name, n := range units {
		workers[0].Put(t, name, FileSink(name, n))
	}
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	hand := rig.Hand(t)

	ghost := StartRegroup(t, "worker", "ghost", "-g", hand.group, "-b", rig.Addr, "--yes", "--i-know-it-holds-real-work")
	rounds := func() []Round { return Rounds(t, rig, hand.group) }
	newest := func() Round { all := rounds(); return all[len(all)-1] }
	led := func(r Round) bool {
		for _, m := range r.Workers {
			if m.Client == "ghost" && r.Leader != nil && m.Member == *r.Leader {
				return true
			}
		}
		return false
	}
	Until(t, "the ghost to be in the group", func() (bool, string) {
		r := newest()
		return len(r.Workers) == 3 && r.Settled, fmt.Sprintf("%d workers, settled %v", len(r.Workers), r.Settled)
	})
	for _, w := range workers {
		w.Stop(t)
	}
	Until(t, "the ghost to lead alone", func() (bool, string) {
		r := newest()
		return led(r) && len(r.Workers) == 1 && r.Settled, fmt.Sprintf("%+v", r)
	})
	from := len(rounds())

	for _, w := range workers {
		w.Restart(t)
	}
	Until(t, "both workers to have work from the ghost", func() (bool, string) {
		r := newest()
		ok := led(r) && len(r.Workers) == 3 && r.Settled
		for _, m := range r.Workers {
			ok = ok && len(m.Held) > 1
		}
		return ok, fmt.Sprintf("%+v", r)
	})
	all := rounds()
	for _, r := range all[from:] {
		if !led(r) || r.Shadow != "same" || r.Error != 0 {
			t.Errorf("generation %d: led by the ghost %v, shadow %s, error %d", *r.Generation, led(r), r.Shadow, r.Error)
		}
	}
	CheckRounds(t, all, workers)
	if code := ghost.Stop(t); code != 0 {
		t.Errorf("the ghost ended with code %d", code)
	}
	Until(t, "the ghost to be gone", func() (bool, string) {
		r := newest()
		return !led(r) && len(r.Workers) == 2, fmt.Sprintf("%d workers", len(r.Workers))
	})
}
