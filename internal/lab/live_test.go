package lab_test

import (
	"context"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/observe"
)

// On real sockets: a shop's connectors are up, and the observer says so.
func TestOnLoopback(t *testing.T) {
	l := start(t, lab.Options{Workers: 4, Connectors: lab.Shop(24), Delay: 30 * time.Second, InitialDelay: 300 * time.Millisecond})
	defer closeLab(t, l)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := l.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	s := until(ctx, t, l, func(s *group.State) bool {
		return s.Tasks == 24 && !slices.ContainsFunc(s.Units, func(u group.UnitState) bool { return u.State != group.UnitRunning })
	})
	if r := s.Round(); r.Workers != 4 || s.Connectors != 5 || !r.Settled || r.Unassigned+r.Delayed+r.Duplicated > 0 {
		t.Errorf("%d workers, %d connectors, round %+v", r.Workers, s.Connectors, r)
	}
}

// Closing in the middle of everything leaves nothing behind: no goroutine, no listener.
func TestCloseWhileRebalancing(t *testing.T) {
	before := runtime.NumGoroutine()
	l := start(t, lab.Options{Workers: 3, Connectors: lab.Shop(6), Delay: time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := l.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	if err := l.Freeze("worker-2"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Add(ctx, lab.WorkerOptions{}); err != nil {
		t.Fatal(err)
	}
	// The newcomer waits for the frozen worker.
	until(ctx, t, l, func(s *group.State) bool { return s.Phase == "PreparingRebalance" })
	addresses := l.Brokers()
	for _, w := range l.Workers() {
		addresses = append(addresses, strings.TrimSuffix(strings.TrimPrefix(w.URL, "http://"), "/"))
	}
	closeLab(t, l)
	for _, a := range addresses {
		if c, err := net.Dial("tcp", a); err == nil {
			c.Close()
			t.Errorf("something still listens at %s", a)
		}
	}
	for runtime.NumGoroutine() > before {
		if ctx.Err() != nil {
			b := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), b[:runtime.Stack(b, true)])
		}
		runtime.Gosched()
	}
}

// until observes until the State is as wanted.
func until(ctx context.Context, t *testing.T, l *lab.Lab, wanted func(*group.State) bool) *group.State {
	t.Helper()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var last *group.State
	err := observe.Live(inner, observe.Options{Group: l.Group(), Dial: l.Dial}, func(s *group.State) {
		if inner.Err() != nil {
			return
		}
		if last = s; wanted(s) {
			cancel()
		}
	})
	if err != nil || ctx.Err() != nil {
		t.Fatalf("%v %v: last seen %+v", err, ctx.Err(), last)
	}
	return last
}
