// Package labtest starts a lab for a test, and ends it with the test. It knows package lab alone.
package labtest

import (
	"context"
	"testing"
	"time"

	"regroup/internal/lab"
)

// Options are of a small group whose times are short.
func Options() lab.Options {
	return lab.Options{
		Group: "connect-lab", Workers: 2, Seed: 1, Delay: 2 * time.Second, InitialDelay: 100 * time.Millisecond,
		Heartbeat: 100 * time.Millisecond, MinSession: 100 * time.Millisecond, Session: 5 * time.Second,
	}
}

// Start is a group of simulated workers that runs.
func Start(t testing.TB, connectors ...lab.Connector) *lab.Lab {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	opt := Options()
	opt.Connectors = connectors
	l, err := lab.Start(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	return l
}
