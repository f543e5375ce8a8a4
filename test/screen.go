//go:build kafka && unix

package test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Screen is a regroup on a terminal of its own: keys go in, and what a person sees comes out.
type Screen struct {
	file    *os.File
	term    *vt.SafeEmulator
	process *process
}

// The size of the terminal.
const screenColumns, screenRows = 120, 36

// Screen starts regroup with the hand's audit log and environment on a terminal, on the hand's group unless args say otherwise.
func (h *Hand) Screen(t testing.TB, args ...string) *Screen {
	t.Helper()
	if len(args) == 0 {
		args = []string{h.group, "-b", h.rig.Addr}
	}
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	if err := pty.Setsize(theirs, &pty.Winsize{Cols: screenColumns, Rows: screenRows}); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, args)
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C.UTF-8", "XDG_STATE_HOME="+h.state), h.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	s := &Screen{file: ours, term: vt.NewSafeEmulator(screenColumns, screenRows)}
	if s.process, err = launch(fmt.Sprint("regroup ", args), cmd, ""); err != nil {
		t.Fatal(err)
	}
	var copies sync.WaitGroup
	copies.Go(func() { _, _ = io.Copy(s.term, ours) })
	copies.Go(func() { _, _ = io.Copy(ours, s.term) }) // answers to what the program asks its terminal
	t.Cleanup(func() {
		s.process.kill()
		if t.Failed() {
			t.Logf("the screen at the end:\n%s", s.Text())
		}
		_ = ours.Close()
		_ = s.term.InputPipe().(io.Closer).Close() // the emulator's own Close and Read are not for two goroutines at once
		copies.Wait()
		_ = s.term.Close()
	})
	return s
}

// Text is what is on the screen. The emulator's String is not guarded against what is being written, its Render is.
func (s *Screen) Text() string { return ansi.Strip(s.term.Render()) }

// screenKeys are what a terminal sends for keys that are no letters.
var screenKeys = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"ctrl-u": "\x15", "ctrl-f": "\x06", "ctrl-d": "\x04", "ctrl-e": "\x05",
}

// Press types what is no key's name as it is.
func (s *Screen) Press(t testing.TB, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if code, ok := screenKeys[k]; ok {
			k = code
		}
		if _, err := s.file.WriteString(k); err != nil {
			t.Fatal(err)
		}
	}
}

// Await waits until all of these are on the screen.
func (s *Screen) Await(t testing.TB, texts ...string) {
	t.Helper()
	Until(t, fmt.Sprintf("%q on the screen", texts), func() (bool, string) {
		seen := s.Text()
		for _, text := range texts {
			if !strings.Contains(seen, text) {
				return false, fmt.Sprintf("no %q; %s", text, s.ended())
			}
		}
		return true, ""
	})
}

// AwaitGone waits until a text is not on the screen.
func (s *Screen) AwaitGone(t testing.TB, text string) {
	t.Helper()
	Until(t, fmt.Sprintf("%q to go from the screen", text), func() (bool, string) { return !strings.Contains(s.Text(), text), s.ended() })
}

func (s *Screen) ended() string {
	if s.process.ended() {
		return "it has ended"
	}
	return "it runs"
}

// Code waits until it has ended, and gives the exit code.
func (s *Screen) Code(t testing.TB) int {
	t.Helper()
	Until(t, s.process.name+" to end", func() (bool, string) { return s.process.ended(), "it runs on" })
	return s.process.cmd.ProcessState.ExitCode()
}
