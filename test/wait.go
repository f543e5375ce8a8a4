//go:build kafka && unix

package test

import (
	"testing"
	"time"
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
