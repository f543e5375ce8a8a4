package tui

import (
	"context"
	"sync/atomic"
	"time"
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

// framesPerSecond bounds how often the screen is drawn: by the renderer, and by what reaches the program at all, for Bubble
// Tea draws a view after every message.
const framesPerSecond = 30

// pump hands on what is put, no more often than the screen is drawn, until ctx ends.
func (b *mailbox[T]) pump(ctx context.Context, send func(*T)) {
	const rest = time.Second / framesPerSecond
	var sent *T
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		if v := b.newest.Load(); v != sent {
			send(v)
			sent = v
		}
		timer := time.NewTimer(rest)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
