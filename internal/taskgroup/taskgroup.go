// Package taskgroup starts goroutines that end together: an error or a panic in one ends the others. It knows nothing of what they do.
package taskgroup

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Group is a set of goroutines under one context.
type Group struct {
	ctx    context.Context //nolint:containedctx // it ends with the group, and so does the context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	mu     sync.Mutex
	ended  bool
	err    error
}

// New makes an empty group. Its context ends when the group does.
func New(ctx context.Context) (*Group, context.Context) {
	c := &Group{}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c, c.ctx
}

// Go starts one; name is for the error of a panic. It is false after Stop: nothing starts then.
func (c *Group) Go(name string, f func(context.Context) error) bool {
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
				c.Fail(Caught(name, r))
			}
		}()
		if err := f(c.ctx); err != nil {
			c.Fail(err)
		}
	}()
	return true
}

// Run starts one that cannot fail but by a panic.
func (c *Group) Run(name string, f func(context.Context)) bool {
	return c.Go(name, func(ctx context.Context) error {
		f(ctx)
		return nil
	})
}

// PanicError is a panic on its way to whoever ends the program: nobody takes it for trouble that passes.
type PanicError struct{ error }

// Caught is what was recovered, as an error with its stack. One that comes from a group within has its own.
func Caught(name string, r any) error {
	if p, ok := r.(*PanicError); ok {
		return p
	}
	return &PanicError{fmt.Errorf("%s: panic: %v\n%s", name, r, debug.Stack())}
}

// Fail ends all with an error, unless there is one already.
func (c *Group) Fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	c.cancel()
}

// Cancel tells everyone to end, and waits for nobody.
func (c *Group) Cancel() { c.cancel() }

// Wait returns when all have ended, with the first error.
func (c *Group) Wait() error {
	c.wg.Wait()
	c.cancel()
	return c.Err()
}

// Stop tells everyone to end, waits for them, and gives the first error.
func (c *Group) Stop() error {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.cancel()
	return c.Wait()
}

// Err is the first error so far.
func (c *Group) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
