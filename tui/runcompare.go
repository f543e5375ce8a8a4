package tui

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	lab "regroup/internal/lab/compare"
	"regroup/tui/compare"
	"regroup/tui/keys"
	"regroup/tui/ui/theme"
)

// CompareOptions say what RunCompare plays, and where.
type CompareOptions struct {
	Comparison *lab.Comparison
	Theme      theme.Kind
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
	sh.program = tea.NewProgram(compare.New(compare.Options{Comparison: opt.Comparison, Theme: opt.Theme, ASCII: opt.ASCII, Keys: opt.Keys}), sh.programOptions()...)
	sh.spawn("hangup", sh.awaitHangup)
	_, err := sh.program.Run()
	return sh.outcome(err)
}
