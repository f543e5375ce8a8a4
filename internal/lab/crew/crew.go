// Package crew starts goroutines that end together: a panic in one becomes an error with its stack and ends the others. It
// knows nothing of what they do.
package crew

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Crew is a set of goroutines under one context.
type Crew struct {
	ctx    context.Context //nolint:containedctx // it ends with the crew, and so does the context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	mu     sync.Mutex
	ended  bool
	err    error
}

// New makes a crew of nobody.
func New(ctx context.Context) *Crew {
	c := &Crew{}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c
}

// Context ends when the crew does.
func (c *Crew) Context() context.Context { return c.ctx }

// Go starts one; name is for the error of a panic. It is false after Stop: nothing starts then.
func (c *Crew) Go(name string, f func(context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		defer func() {
			if r := recover(); r != nil {
				c.fail(fmt.Errorf("%s: panic: %v\n%s", name, r, debug.Stack()))
			}
		}()
		f(c.ctx)
	}()
	return true
}

func (c *Crew) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	c.cancel()
}

// Cancel tells everyone to end, and waits for nobody.
func (c *Crew) Cancel() { c.cancel() }

// Stop tells everyone to end, waits for them, and gives the first panic.
func (c *Crew) Stop() error {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.cancel()
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Err is the first panic so far.
func (c *Crew) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
