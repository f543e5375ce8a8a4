package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"regroup/decode"
	"regroup/internal/observe"
)

// Exit codes. They are a promise to scripts.
const (
	exitOK    = 0
	exitNo    = 1 // the command did its work, and the answer is bad: no such group, findings
	exitFault = 2 // it could not do its work, or was asked wrongly
)

// failure is an error with the exit code that it ends the program with. Other errors end it with exitFault.
type failure struct {
	error
	code int
}

func (f failure) Unwrap() error { return f.error }

// bad makes the error of a command that worked and has bad news.
func bad(format string, args ...any) error { return failure{fmt.Errorf(format, args...), exitNo} }

// silent ends the program with a code and says nothing more: the result says it all.
func silent(code int) error { return failure{errors.New(""), code} }

// misuse makes the error of a command that was asked wrongly.
func misuse(format string, args ...any) error { return failure{fmt.Errorf(format, args...), exitFault} }

// Execute runs one command line, without the program's name, and returns the exit code. It ends when ctx does.
func Execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "regroup: a bug: %v\n%s", p, debug.Stack())
			code = exitFault
		}
	}()
	a := newApp(stdin, stdout, stderr, os.Getenv)
	defer a.close()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return report(stderr, root.ExecuteContext(ctx))
}

// report says what went wrong, on one line, and chooses the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFault
	var f failure
	var kind *observe.KindError
	switch {
	case errors.As(err, &f):
		code = f.code
	case errors.As(err, &kind):
		code, err = exitNo, kind
	}
	text := err.Error()
	if text == "" {
		return code
	}
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	}
	lines := decode.PrintableLines(strings.TrimSpace(text))
	fmt.Fprintf(stderr, "regroup: %s\n", strings.Join(lines, "\n  "))
	return code
}
