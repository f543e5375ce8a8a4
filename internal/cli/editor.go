package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"regroup/decode"
)

// editFile is a text on its way through an editor, readable for nobody else.
type editFile struct{ path string }

func newEditFile(text string) (editFile, error) {
	f, err := os.CreateTemp("", "regroup-*.yaml") // made with mode 0600
	if err != nil {
		return editFile{}, fmt.Errorf("edit: %w", err)
	}
	_, err = f.WriteString(text)
	return editFile{f.Name()}, errors.Join(err, f.Close())
}

func (e editFile) remove() error { return os.Remove(e.path) }

// open lets somebody edit the file, and gives what is in it then.
func (e editFile) open(ctx context.Context, s *shield, a *app) (string, error) {
	editor := a.editor()
	s.up.Store(true)
	defer s.up.Store(false)
	terms := make(chan os.Signal, 1)
	signal.Notify(terms, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(terms)
	line := []string{"sh", "-c", editor + ` "$@"`, editor, e.path} // as git does it: an editor may have arguments, in quotes
	if runtime.GOOS == "windows" {
		line = append(strings.Fields(editor), e.path)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), line[0], line[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out, a.err
	if !isTerminal(a.out) {
		cmd.Stdout = a.err // results are going somewhere
	}
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("editor %s: %w; nothing was written; your text is in %s", decode.Printable(editor), err, e.path)
	}
	select {
	case <-terms: // no key of the editor's: it was the program that was to end
		s.cancel()
		return "", endedError(e)
	default:
	}
	raw, err := os.ReadFile(e.path)
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	return string(raw), nil
}

// endedError is the error of an editor during which the program was told to end.
type endedError struct{ path string }

func (e endedError) Error() string {
	return "ended by a signal while the editor was open; nothing was written; your text is in " + e.path
}

// editor is the one that the user wants.
func (a *app) editor() string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := strings.TrimSpace(a.getenv(name)); v != "" {
			return v
		}
	}
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	return "vi"
}

// shield keeps Ctrl-C from ending this program while an editor has the terminal: there the key is the editor's.
type shield struct {
	up     atomic.Bool
	cancel context.CancelFunc
}

// shielded is a context that ends with its parent, except while the shield is up.
func shielded(parent context.Context) (context.Context, *shield) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	s := &shield{cancel: func() { cancel(nil) }}
	context.AfterFunc(parent, func() {
		// The parent ends once; later keys are listened for here.
		for s.up.Load() && ctx.Err() == nil {
			next, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
			<-next.Done()
			stop()
		}
		cancel(context.Cause(parent))
	})
	return ctx, s
}

func (s *shield) end() { s.cancel() }
