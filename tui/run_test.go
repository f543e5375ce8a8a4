package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"regroup/group"
)

// terminal is what a program is run on here: keys go in, and what is drawn is looked at.
type terminal struct {
	in   *io.PipeReader
	keys *io.PipeWriter

	mu  sync.Mutex
	out bytes.Buffer
}

func newTerminal() *terminal {
	t := &terminal{}
	t.in, t.keys = io.Pipe()
	return t
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

func (t *terminal) drawn() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.String()
}

func (t *terminal) options() Options {
	return Options{Group: "connect-rig", Location: time.UTC, Input: t.in, Output: t, Environ: []string{"TERM=xterm-256color"}}
}

// started runs the program, and gives what Run returned.
func started(t *testing.T, ctx context.Context, opt Options) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- Run(ctx, opt) }()
	return done
}

func ended(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the program does not end")
		return nil
	}
}

// TestQuitDoesNotWaitForASource that reads something that never comes and does not look at its context.
func TestQuitDoesNotWaitForASource(t *testing.T) {
	term := newTerminal()
	opt := term.options()
	stuck := make(chan struct{})
	defer close(stuck)
	published := make(chan struct{})
	opt.Source = func(_ context.Context, name string, publish func(*group.State)) error {
		publish(&group.State{Group: name, Now: noon, At: -1})
		close(published)
		<-stuck
		return nil
	}
	done := started(t, context.Background(), opt)
	<-published
	if _, err := term.keys.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	if err := ended(t, done); err != nil {
		t.Errorf("quitting gives %v", err)
	}
	if out := term.drawn(); !strings.Contains(out, "\x1b[?1049h") || !strings.Contains(out, "\x1b[?1049l") {
		t.Errorf("the alternate screen is not entered and left: %q", out)
	}
}

// TestAPanicOfASourceRestoresTheTerminal and says where it was.
func TestAPanicOfASourceRestoresTheTerminal(t *testing.T) {
	term := newTerminal()
	opt := term.options()
	opt.Source = func(context.Context, string, func(*group.State)) error { panic("the source is broken") }
	err := ended(t, started(t, context.Background(), opt))
	if err == nil || !strings.Contains(err.Error(), "the source is broken") || !strings.Contains(err.Error(), "run_test.go") {
		t.Errorf("got %v, want the panic and its stack", err)
	}
	if out := term.drawn(); strings.Contains(out, "\x1b[?1049h") && !strings.Contains(out, "\x1b[?1049l") {
		t.Errorf("the alternate screen is not left: %q", out)
	}
}

func TestAFailedSourceEndsTheProgram(t *testing.T) {
	opt := newTerminal().options()
	broken := errors.New("the file is gone")
	opt.Source = func(context.Context, string, func(*group.State)) error { return broken }
	if err := ended(t, started(t, context.Background(), opt)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// TestASourceThatIsDoneLeavesItsPicture: the end of a recording is not the end of the program.
func TestASourceThatIsDoneLeavesItsPicture(t *testing.T) {
	opt := newTerminal().options()
	returned := make(chan struct{})
	opt.Source = func(_ context.Context, name string, publish func(*group.State)) error {
		defer close(returned)
		publish(&group.State{Group: name, Now: noon, At: -1})
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := started(t, ctx, opt)
	<-returned
	select {
	case err := <-done:
		t.Fatalf("the program ended: %v", err)
	default:
	}
	cancel()
	if err := ended(t, done); err != nil {
		t.Errorf("cancelling gives %v", err)
	}
}

func TestRunNeedsASource(t *testing.T) {
	if err := Run(context.Background(), Options{}); err == nil {
		t.Error("there must be a source")
	}
}

// TestTheLastStateIsNeverLost, however many come before it.
func TestTheLastStateIsNeverLost(t *testing.T) {
	box := newMailbox[int]()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const last = 5000
	seen, all := 0, make(chan int, 1)
	go box.pump(ctx, func() time.Duration { return 0 }, func(v *int) {
		if seen++; *v == last {
			all <- seen
		}
	})
	for i := range last + 1 {
		box.put(&i)
	}
	if n := <-all; n > last/2 {
		t.Errorf("%d of %d values were handed on; they should be coalesced", n, last)
	}
}
