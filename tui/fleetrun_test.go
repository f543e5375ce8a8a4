package tui

import (
	"context"
	"io"
	"testing"
	"time"

	"regroup/group"
	"regroup/internal/observe"
)

// TestTheFleetIsWatchedWhileItIsLookedAt: opening a group ends it, and going back begins it again.
func TestTheFleetIsWatchedWhileItIsLookedAt(t *testing.T) {
	term := newTerminal()
	opt := term.options()
	opt.Group = ""
	opt.Source = func(ctx context.Context, name string, publish func(*group.State)) error {
		publish(&group.State{Group: name, Now: noon, At: -1})
		<-ctx.Done()
		return nil
	}
	begun, over := make(chan struct{}), make(chan struct{})
	opt.Fleet = func(ctx context.Context, publish func(*observe.Fleet)) error {
		publish(&observe.Fleet{Now: noon, Groups: []observe.FleetGroup{{Group: "connect-rig", Generation: -1}}})
		begun <- struct{}{}
		<-ctx.Done()
		over <- struct{}{}
		return nil
	}
	await := func(what string, c <-chan struct{}) {
		t.Helper()
		select {
		case <-c:
		case <-time.After(20 * time.Second):
			t.Fatalf("the fleet does not %s", what)
		}
	}
	press := func(key string) {
		t.Helper()
		if _, err := io.WriteString(term.keys, key); err != nil {
			t.Fatal(err)
		}
	}
	done := started(t, t.Context(), opt)
	await("begin", begun)
	for opened := false; !opened; { // enter opens what is listed, once it is
		press("\r")
		select {
		case <-over:
			opened = true
		case <-time.After(50 * time.Millisecond):
		case err := <-done:
			t.Fatalf("the program ended: %v", err)
		}
	}
	press("0")
	await("begin again", begun)
	press("q")
	await("end when one quits", over)
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}
