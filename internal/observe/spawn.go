package observe

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// crew is a set of goroutines that end together. The first error or panic cancels the others.
type crew struct {
	wg     sync.WaitGroup
	cancel context.CancelFunc
	once   sync.Once
	err    error
}

func newCrew(ctx context.Context) (*crew, context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	return &crew{cancel: cancel}, ctx
}

// spawn is the only place of this package that starts a goroutine: a panic in f becomes an error that names f.
func (c *crew) spawn(name string, f func() error) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		defer func() {
			if r := recover(); r != nil {
				c.fail(caught(name, r))
			}
		}()
		if err := f(); err != nil {
			c.fail(err)
		}
	}()
}

// panicked is a panic on its way to whoever ends the program: no source takes it for trouble that passes.
type panicked struct{ error }

func caught(name string, r any) error {
	if p, ok := r.(*panicked); ok {
		return p // from a goroutine within, with its own stack
	}
	return &panicked{fmt.Errorf("%s: panic: %v\n%s", name, r, debug.Stack())}
}

func (c *crew) fail(err error) {
	c.once.Do(func() {
		c.err = err
		c.cancel()
	})
}

// wait returns when all have ended, with the first error.
func (c *crew) wait() error {
	c.wg.Wait()
	c.cancel()
	c.once.Do(func() {}) // orders the reading of err after its writing
	return c.err
}

// sleep waits for d and says whether the context still stands.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
