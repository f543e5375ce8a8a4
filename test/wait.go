//go:build kafka && unix

package test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience bounds every wait for something that a sound Kafka does: long enough for a busy machine with two cores. It is
// no measurement; nothing here fails for being slow below it.
const patience = 2 * time.Minute

// Until waits for a condition, and ends the test where it does not come true. check's text says how far it is.
func Until(t testing.TB, what string, check func() (ok bool, now string)) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		begun := time.Now()
		ok, now := check()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s: %s", patience, what, now)
		}
		// What takes long to look at leaves time to what it waits for: the two share the processor.
		time.Sleep(min(max(100*time.Millisecond, 2*time.Since(begun)), time.Second))
	}
}

// WaitHeld waits until the last joins of these workers share a generation and together hold units, each once.
func WaitHeld(t testing.TB, workers []*Worker, units []Unit) int32 {
	t.Helper()
	var generation int32
	Until(t, "all units to be held", func() (bool, string) {
		var held []Unit
		for i, w := range workers {
			joins := w.Joined(t)
			if len(joins) == 0 {
				return false, w.Client + " has not joined"
			}
			last := joins[len(joins)-1]
			if i > 0 && last.Generation != generation {
				return false, fmt.Sprintf("generations %d and %d", generation, last.Generation)
			}
			generation = last.Generation
			if len(last.Revoked) > 0 || last.DelayMs > 0 {
				return false, fmt.Sprintf("generation %d revokes %d units, delay %d ms", generation, len(last.Revoked), last.DelayMs)
			}
			held = append(held, last.Held...)
		}
		sortUnits(held)
		return slices.Equal(held, units), cmp.Diff(units, held)
	})
	return generation
}
