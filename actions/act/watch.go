package act

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
)

// Watch holds the newest State of a group, for actions that have to wait for what comes of them. It is safe for use by
// several goroutines.
type Watch struct {
	mu      sync.Mutex
	state   *group.State
	changed chan struct{}
	ended   bool
	err     error
}

// NewWatch is a Watch that somebody else feeds with Publish.
func NewWatch() *Watch { return &Watch{changed: make(chan struct{})} }

// Observe is a Watch that observes the group itself until ctx ends. stop waits until it has ended.
func Observe(ctx context.Context, opt observe.Options) (w *Watch, stop func()) {
	w = NewWatch()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := errors.New("the group is observed no more")
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("observing: panic: %v\n%s", r, debug.Stack())
			}
			w.end(err)
		}()
		if e := observe.Live(ctx, opt, w.Publish); e != nil {
			err = e
		}
	}()
	return w, func() {
		cancel()
		<-done
	}
}

// Publish takes in a newer State. It never blocks.
func (w *Watch) Publish(s *group.State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = s
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *Watch) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended, w.err = true, err
	close(w.changed)
	w.changed = make(chan struct{})
}

// State is the newest one; nil before the first.
func (w *Watch) State() *group.State {
	s, _, _, _ := w.Snapshot()
	return s
}

// Snapshot is the newest State, and what closes when there is a newer one.
func (w *Watch) Snapshot() (s *group.State, changed <-chan struct{}, ended bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state, w.changed, w.ended, w.err
}

// WaitTimeoutError is the error of a wait that took longer than it may.
type WaitTimeoutError struct {
	What  string
	Limit time.Duration
	Now   string // how things stood at the end
}

func (l *WaitTimeoutError) Error() string {
	text := fmt.Sprintf("%s: not within %s", l.What, l.Limit)
	if l.Now != "" {
		text += ": " + l.Now
	}
	return text
}

// Until waits for a State that fits, at most for limit. fits says in words what is missing, "" for nothing.
func (w *Watch) Until(ctx context.Context, what string, limit time.Duration, fits func(*group.State) string) (*group.State, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	missing := "nothing was read of the group yet"
	for {
		s, changed, ended, err := w.Snapshot()
		if s != nil {
			if missing = fits(s); missing == "" {
				return s, nil
			}
		}
		if ended {
			return s, fmt.Errorf("%s: %w", what, err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return s, fmt.Errorf("%s: %w", what, ctx.Err())
		case <-timer.C:
			return s, &WaitTimeoutError{what, limit, missing}
		}
	}
}

// Ready waits until all sources have been read to where they were when reading began. That a group is not there is an error.
func (w *Watch) Ready(ctx context.Context, limit time.Duration) (*group.State, error) {
	s, err := w.Until(ctx, "reading the group", limit, func(s *group.State) string {
		if text := s.ReadingText(); text != "" {
			return text
		}
		if r := s.Round(); (r == nil || r.Provisional) && !absent(s) {
			return "no round of it was seen"
		}
		return ""
	})
	if err == nil && absent(s) {
		err = fmt.Errorf("group %s: there is none", decode.Printable(s.Group))
	}
	return s, err
}

// absent is a group that has left no round, and that its coordinator does not know: waiting brings none.
func absent(s *group.State) bool { return s.Round() == nil && s.Phase == "Dead" }

// Sleep waits for a while, or until ctx ends: then it gives why.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
