package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	lab "regroup/internal/lab/compare"
	"regroup/internal/observe"
	"regroup/tui/compare"
	"regroup/tui/keys"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
)

// ErrHangup is what Run returns after SIGHUP: the terminal is gone.
var ErrHangup = errors.New("the terminal hung up")

// Run shows the screen until the person quits, ctx ends or something fails. It never waits for a source. The terminal is
// left as it was found, whatever happens: a panic in any goroutine becomes an error with its stack.
func Run(ctx context.Context, opt Options) error {
	if opt.Source == nil {
		return errors.New("screen: no source of states was given")
	}
	if err := keys.Check(opt.Keys); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sh := &shell{ctx: ctx, cancel: cancel, opt: opt}
	m := newModel(opt)
	m.host, sh.drew = sh, m.drew
	sh.program = tea.NewProgram(m, sh.programOptions()...)
	sh.spawn("hangup", sh.awaitHangup)
	if opt.Tour != nil {
		sh.spawn("tour", sh.playTour)
	}
	_, err := sh.program.Run()
	out := sh.outcome(err)
	cancel(nil)
	sh.awaitActs()
	return out
}

// shell is the world around the model: the program, and the goroutines that feed it.
type shell struct {
	ctx     context.Context //nolint:containedctx // Update opens groups, and has no context to hand: this one is Run's
	cancel  context.CancelCauseFunc
	opt     Options
	program *tea.Program

	mu       sync.Mutex
	run      int
	endGroup context.CancelFunc
	endFleet context.CancelFunc

	drew func() time.Duration // how long the newest frame took

	acts sync.WaitGroup // what is being done: it ends in order, within a limit
}

func (sh *shell) programOptions() []tea.ProgramOption {
	out := []tea.ProgramOption{tea.WithContext(sh.ctx), tea.WithFPS(ui.FramesPerSecond), tea.WithoutSignalHandler()}
	if sh.opt.Input != nil {
		out = append(out, tea.WithInput(sh.opt.Input))
	}
	if sh.opt.Output != nil {
		out = append(out, tea.WithOutput(sh.opt.Output))
	}
	if sh.opt.Environ != nil {
		out = append(out, tea.WithEnvironment(sh.opt.Environ))
	}
	return out
}

// spawn runs f in a goroutine of its own. An error or a panic ends the program, by its context and never by Kill, which may
// leave the terminal raw. The end of the context itself is no error.
func (sh *shell) spawn(name string, f func(context.Context) error) { sh.spawnIn(sh.ctx, name, f) }

func (sh *shell) spawnIn(ctx context.Context, name string, f func(context.Context) error) {
	go func() {
		defer func() {
			if p := recover(); p != nil {
				sh.cancel(fmt.Errorf("screen: %s panicked: %v\n%s", name, p, debug.Stack()))
			}
		}()
		if err := f(ctx); err != nil && ctx.Err() == nil {
			sh.cancel(fmt.Errorf("%s: %w", name, err))
		}
	}()
}

// watch begins to watch a group and lets go of the one before.
func (sh *shell) watch(name string) int {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.endGroup != nil {
		sh.endGroup()
	}
	ctx, end := context.WithCancel(sh.ctx)
	sh.endGroup = end
	sh.run++
	run, box := sh.run, newMailbox[group.State]()
	sh.spawnIn(ctx, "screen", func(ctx context.Context) error {
		look := examiner{replay: sh.opt.Replay}
		box.pump(ctx, sh.drew, func(s *group.State) {
			s.Prepare()
			sh.program.Send(stateMsg{run, s, look.look(s)})
		})
		return nil
	})
	sh.spawnIn(ctx, "group "+ui.Printable(name), func(ctx context.Context) error { return sh.opt.Source(ctx, name, box.put) })
	return run
}

// act runs what somebody wants done, whichever group is open meanwhile.
func (sh *shell) act(what string, f func(ctx context.Context, send func(tea.Msg))) context.CancelFunc {
	ctx, end := context.WithCancel(sh.ctx)
	sh.acts.Add(1)
	sh.spawnIn(ctx, what, func(ctx context.Context) error {
		defer sh.acts.Done()
		defer end()
		f(ctx, sh.program.Send)
		return nil
	})
	return end
}

// awaitActs lets what is being done end: a frozen worker goes on, and what came of it is put on record.
func (sh *shell) awaitActs() {
	done := make(chan struct{})
	go func() { // waits and closes alone: nothing in it can panic
		sh.acts.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(actsTimeout):
	}
}

// actsTimeout bounds how long what is being done may take to end once the screen is left.
const actsTimeout = 5 * time.Second

// list watches all groups while their list is on the screen: of a group that is open, that would be done twice.
func (sh *shell) list(on bool) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.endFleet != nil {
		sh.endFleet()
		sh.endFleet = nil
	}
	if !on || sh.opt.Fleet == nil {
		return
	}
	ctx, end := context.WithCancel(sh.ctx)
	sh.endFleet = end
	box := newMailbox[observe.Fleet]()
	sh.spawnIn(ctx, "screen", func(ctx context.Context) error {
		box.pump(ctx, sh.drew, func(f *observe.Fleet) { sh.program.Send(fleetMsg{f}) })
		return nil
	})
	sh.spawnIn(ctx, "fleet", func(ctx context.Context) error { return sh.opt.Fleet(ctx, box.put) })
}

// awaitHangup ends the program when it is told to from outside. Bubble Tea would take that for quitting, and its exit code
// would not tell; SIGHUP it leaves to us altogether.
func (sh *shell) awaitHangup(ctx context.Context) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	select {
	case s := <-signals:
		if s == syscall.SIGHUP {
			sh.cancel(ErrHangup)
		} else {
			sh.cancel(fmt.Errorf("ended by a signal: %s", s))
		}
	case <-ctx.Done():
	}
	return nil
}

// outcome is what Run says: nothing after quitting, the cause where we ended it ourselves, else Bubble Tea's error.
func (sh *shell) outcome(err error) error {
	cause := context.Cause(sh.ctx)
	switch {
	case cause != nil && cause != context.Canceled && cause != context.DeadlineExceeded: //nolint:errorlint // a signal's cause says of itself that it is Canceled
		return cause
	case err == nil || errors.Is(err, context.Canceled):
		return nil
	}
	return fmt.Errorf("screen: %w", err)
}

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

// CompareOptions say what RunCompare plays, and where.
type CompareOptions struct {
	Comparison *lab.Comparison
	Theme      theme.Kind
	Themes     theme.Themes // the person's own
	ASCII      bool
	Keys       map[string][]string // the person's own
	Input      io.Reader
	Output     io.Writer
	Environ    []string // nil: the process's own
}

// RunCompare plays a comparison: the groups of all modes go on together, until the person quits or ctx ends.
func RunCompare(ctx context.Context, opt CompareOptions) error {
	if opt.Comparison == nil {
		return errors.New("screen: no comparison was given")
	}
	if err := keys.Check(opt.Keys); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sh := &shell{ctx: ctx, cancel: cancel, opt: Options{Input: opt.Input, Output: opt.Output, Environ: opt.Environ}}
	sh.program = tea.NewProgram(compare.New(compare.Options{Comparison: opt.Comparison, Theme: opt.Theme, Themes: opt.Themes, ASCII: opt.ASCII, Keys: opt.Keys}), sh.programOptions()...)
	sh.spawn("hangup", sh.awaitHangup)
	_, err := sh.program.Run()
	return sh.outcome(err)
}
