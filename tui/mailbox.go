package tui

import (
	"context"
	"sync/atomic"
	"time"

	"regroup/tui/ui"
)

// mailbox holds the newest value alone. put never blocks, whatever the reader does, and what was put last is never lost.
type mailbox[T any] struct {
	newest atomic.Pointer[T]
	wake   chan struct{}
}

func newMailbox[T any]() *mailbox[T] { return &mailbox[T]{wake: make(chan struct{}, 1)} }

func (b *mailbox[T]) put(v *T) {
	b.newest.Store(v)
	select {
	case b.wake <- struct{}{}:
	default: // it is awake already, and will find the newer value
	}
}

// restAfter is how long nothing is handed on after something was, in times of what that took: in a storm of rounds the screen is
// drawn less often, and never costs more than a thirteenth of a core.
const restAfter = 12

// pump hands on what is put, no more often than the screen is drawn, until ctx ends. drawing says how long drawing it took, as
// far as send did not wait for it.
func (b *mailbox[T]) pump(ctx context.Context, drawing func() time.Duration, send func(*T)) {
	var sent *T
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		var took time.Duration
		if v := b.newest.Load(); v != sent {
			begun := time.Now()
			send(v)
			sent, took = v, time.Since(begun)
		}
		timer := time.NewTimer(max(time.Second/ui.FramesPerSecond, restAfter*(took+drawing())))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
