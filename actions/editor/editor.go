// Package editor lets somebody edit a text in the editor of their choice, which has the terminal meanwhile. It knows nothing
// of what the text is.
package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"regroup/decode"
)

// Editor is an editor and the terminal that it gets.
type Editor struct {
	Command string // with its arguments
	Shield  *Shield
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
}

// Command returns the editor that the environment names.
func Command(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v
		}
	}
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	return "vi"
}

// Name returns the command without its arguments.
func (e *Editor) Name() string {
	if f := strings.Fields(e.Command); len(f) > 0 {
		return f[0]
	}
	return e.Command
}

// File is a text on its way through an editor, readable for nobody else.
type File struct{ Path string }

// NewFile writes a text into a temporary file.
func NewFile(text string) (File, error) {
	f, err := os.CreateTemp("", "regroup-*.yaml") // made with mode 0600
	if err != nil {
		return File{}, fmt.Errorf("edit: %w", err)
	}
	_, err = f.WriteString(text)
	return File{f.Name()}, errors.Join(err, f.Close())
}

// Write replaces the text.
func (f File) Write(text string) error { return os.WriteFile(f.Path, []byte(text), 0o600) }

// Remove deletes the file.
func (f File) Remove() error { return os.Remove(f.Path) }

// Open runs the editor on a file, and returns what is in it then.
func (e *Editor) Open(ctx context.Context, f File) (string, error) {
	e.Shield.up.Store(true)
	defer e.Shield.up.Store(false)
	terms := make(chan os.Signal, 1)
	signal.Notify(terms, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(terms)
	line := []string{"sh", "-c", e.Command + ` "$@"`, e.Command, f.Path} // as git does it: an editor may have arguments, in quotes
	if runtime.GOOS == "windows" {
		line = append(strings.Fields(e.Command), f.Path)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), line[0], line[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.In, e.Out, e.Err
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("editor %s: %w; nothing was written; your text is in %s", decode.Printable(e.Command), err, f.Path)
	}
	select {
	case <-terms: // no key of the editor's: it was the program that was to end
		e.Shield.cancel()
		return "", EndedError(f)
	default:
	}
	raw, err := os.ReadFile(f.Path)
	if err != nil {
		return "", fmt.Errorf("edit: %w", err)
	}
	return string(raw), nil
}

// EndedError is the error of an editor during which the program was told to end.
type EndedError struct{ Path string }

func (e EndedError) Error() string {
	return "ended by a signal while the editor was open; nothing was written; your text is in " + e.Path
}

// Shield keeps Ctrl-C from ending this program while an editor has the terminal: there the key is the editor's.
type Shield struct {
	up     atomic.Bool
	cancel context.CancelFunc
}

// Shielded returns a context that ends with its parent, except while the shield is up.
func Shielded(parent context.Context) (context.Context, *Shield) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	s := &Shield{cancel: func() { cancel(nil) }}
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

// End ends the context.
func (s *Shield) End() { s.cancel() }
