//go:build unix

package tui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"regroup/group"
	"regroup/tui/keys"
)

// brokenEnv names the environment variable by which these tests run their own binary as a program in which something panics.
const brokenEnv = "REGROUP_TEST_PANIC"

func TestMain(m *testing.M) {
	if what := os.Getenv(brokenEnv); what != "" {
		os.Exit(runBroken(what))
	}
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// runBroken shows a State, and breaks: in the source once the screen is up, or when a key is pressed.
func runBroken(what string) int {
	quiet := make(chan struct{})
	opt := Options{Group: "broken", NoProbe: true, Source: func(_ context.Context, name string, publish func(*group.State)) error {
		publish(&group.State{Group: name, Now: noon, At: -1, Verdict: group.Verdict{Word: "SETTLED"}})
		<-quiet
		panic("the source is broken")
	}}
	switch what {
	case "source":
		handlers[keys.DoTheme] = func(*model) tea.Cmd { close(quiet); return nil }
	case "command":
		handlers[keys.DoTheme] = func(*model) tea.Cmd { return func() tea.Msg { panic("the command is broken") } }
	case "update":
		handlers[keys.DoTheme] = func(*model) tea.Cmd { panic("update is broken") }
	}
	if err := Run(context.Background(), opt); err != nil {
		fmt.Fprintln(os.Stderr, "regroup:", err)
		return 2
	}
	return 0
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// program builds the real program, once.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "regroup-pty"); built.err != nil { //nolint:usetesting // several tests share it
			return
		}
		cmd := exec.Command("go", "build", "-o", filepath.Join(built.dir, "regroup"), "regroup")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "regroup")
}

// tty is a shell in a pseudo terminal: the program is run in it as a person runs it.
type tty struct {
	t    *testing.T
	file *os.File
	cmd  *exec.Cmd

	mu  sync.Mutex
	out bytes.Buffer
}

func newTTY(t *testing.T) *tty {
	t.Helper()
	sh, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash: job control needs a shell that has it")
	}
	cmd := exec.Command(sh, "--norc", "--noprofile", "--noediting", "-i")
	cmd.Env = append(os.Environ(), "PS1=ready> ", "TERM=xterm-256color", "TZ=UTC", "LC_ALL=C.UTF-8", "HISTFILE=")
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		t.Fatal(err)
	}
	y := &tty{t: t, file: file, cmd: cmd}
	go func() { // ends when the shell does
		buf := make([]byte, 1<<16)
		for {
			n, err := file.Read(buf)
			y.mu.Lock()
			y.out.Write(buf[:n])
			y.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGHUP)
		_ = file.Close()
		_ = cmd.Wait()
	})
	y.await("", "ready> ")
	return y
}

func (y *tty) seen() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.out.String()
}

// mark is where the output stands now.
func (y *tty) mark() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.out.Len()
}

// patience is how long anything may take before a test gives up: far more than it needs.
const patience = 20 * time.Second

// await waits for text that was not there yet when what was done.
func (y *tty) await(what, text string) { y.t.Helper(); y.awaitFrom(0, what, text) }

func (y *tty) awaitFrom(from int, what, text string) {
	y.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		y.mu.Lock()
		i := bytes.Index(y.out.Bytes()[from:], []byte(text))
		y.mu.Unlock()
		if i >= 0 {
			return
		}
		if time.Now().After(end) {
			y.t.Fatalf("%s: no %q in %q", what, text, tail(y.seen()))
		}
	}
}

// awaitEnd waits until a line has ended and the shell is ready again, and gives the exit code.
func (y *tty) awaitEnd(from int, what string) int {
	y.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		y.mu.Lock()
		m := exitCode.FindStringSubmatch(string(y.out.Bytes()[max(from, y.out.Len()-4000):]))
		y.mu.Unlock()
		if m != nil {
			code, err := strconv.Atoi(m[1])
			if err != nil {
				y.t.Fatal(err)
			}
			return code
		}
	}
	y.t.Fatalf("%s does not end: %q", what, tail(y.seen()))
	return -1
}

func tail(s string) string { return s[max(0, len(s)-3000):] }

func (y *tty) send(text string) {
	y.t.Helper()
	if _, err := y.file.WriteString(text); err != nil {
		y.t.Fatal(err)
	}
}

// run runs a line in the shell and gives what it printed.
func (y *tty) run(line string) string {
	y.t.Helper()
	from := y.mark()
	y.send(line + "; echo end=$?\r")
	y.awaitEnd(from, line)
	out := y.seen()[from:]
	return out[strings.Index(out, "\n")+1:]
}

func (y *tty) stty() string {
	y.t.Helper()
	return y.run("stty -a")
}

func (y *tty) resize(cols, rows uint16) {
	y.t.Helper()
	if err := pty.Setsize(y.file, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		y.t.Fatal(err)
	}
}

var (
	exitCode = regexp.MustCompile(`end=(\d+)\r?\n(?s:.*)ready> `)
	children = regexp.MustCompile(`child=(\d+)`)
)

// session runs a program that shows "shown" once it is up, does something to it, and holds the terminal to what it was
// before. It gives the exit code and what came after.
func session(t *testing.T, line, shown string, do func(y *tty, pid int)) (int, string) {
	t.Helper()
	y := newTTY(t)
	before := y.stty()
	from := y.mark()
	// An own shell tells the program's process before it becomes the program.
	y.send("bash -c 'echo child=$$; exec " + line + "'; echo end=$?\r")
	y.awaitFrom(from, line, "\nchild=")
	y.awaitFrom(from, line, shown)
	pid, err := strconv.Atoi(children.FindStringSubmatch(strings.ReplaceAll(y.seen()[from:], "child=$$", ""))[1])
	if err != nil {
		t.Fatal(err)
	}
	do(y, pid)
	code := y.awaitEnd(from, line)
	out := y.seen()[from:]
	restored(t, out)
	if after := y.stty(); after != before {
		t.Errorf("the terminal is not as before:\n%s\nwas\n%s", after, before)
	}
	return code, out
}

// restored holds the end of a session to the main screen, a cursor that is seen, and a mouse that is the terminal's own.
func restored(t *testing.T, out string) {
	t.Helper()
	for _, mode := range []struct{ name, on, off string }{
		{"the alternate screen", "\x1b[?1049h", "\x1b[?1049l"},
		{"a hidden cursor", "\x1b[?25l", "\x1b[?25h"},
		{"bracketed paste", "\x1b[?2004h", "\x1b[?2004l"},
		{"the mouse", "\x1b[?1002h", "\x1b[?1002l"},
	} {
		if on, off := strings.LastIndex(out, mode.on), strings.LastIndex(out, mode.off); on > off {
			t.Errorf("%s is left on", mode.name)
		}
	}
}

func captureFile(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "testdata", "captures", "lifecycle-4.3.1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func replay(t *testing.T) string { return program(t) + " replay " + captureFile(t) + " --at 22+2s" }

// TestTerminalResizedInEveryView through every kind of size and back, and quit.
func TestTerminalResizedInEveryView(t *testing.T) {
	code, _ := session(t, replay(t), "DELAYED", func(y *tty, _ int) {
		for _, v := range tabs {
			y.resize(120, 36)
			from := y.mark()
			y.send(v.key)
			if v.id != keys.Live {
				y.awaitFrom(from, "key "+v.key, string(v.id))
			}
			from = y.mark()
			y.resize(300, 100)
			y.awaitFrom(from, string(v.id)+" at 300x100", "connect-rig")
			from = y.mark()
			y.resize(20, 5)
			y.awaitFrom(from, string(v.id)+" at 20x5", "needs 60x15")
			y.resize(0, 0)
			y.resize(120, 36)
			y.awaitFrom(from, string(v.id)+" at 120x36", "connect-rig")
		}
		y.send("m") // with the mouse on there is one thing more to be put back
		y.await("m", "\x1b[?1002h")
		y.send("q")
	})
	if code != 0 {
		t.Errorf("quitting gives exit code %d", code)
	}
}

// TestTerminalAfterASignal: the screen is left in order, and the exit code says that it was not by quitting.
func TestTerminalAfterASignal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			code, out := session(t, replay(t), "DELAYED", func(_ *tty, pid int) {
				if err := syscall.Kill(pid, s); err != nil {
					t.Fatal(err)
				}
			})
			if code != 2 {
				t.Errorf("exit code %d, want 2: %q", code, tail(out))
			}
		})
	}
}

// TestTerminalWhileSuspended: ctrl-z gives the terminal back to the shell, fg takes it again.
func TestTerminalWhileSuspended(t *testing.T) {
	y := newTTY(t)
	before := y.stty()
	from := y.mark()
	y.send(replay(t) + "\r")
	y.awaitFrom(from, "start", "DELAYED")
	y.send("\x1a")
	y.awaitFrom(from, "ctrl-z", "Stopped")
	y.awaitFrom(from+strings.Index(y.seen()[from:], "Stopped"), "ctrl-z", "ready> ")
	restored(t, y.seen()[from:])
	if during := y.stty(); during != before {
		t.Errorf("while it is stopped the terminal is not the shell's:\n%s\nwas\n%s", during, before)
	}
	from = y.mark()
	y.send("fg; echo end=$?\r")
	y.awaitFrom(from, "fg", "\x1b[?1049h")
	y.awaitFrom(from, "fg", "DELAYED")
	y.send("q")
	if code := y.awaitEnd(from, "q"); code != 0 {
		t.Errorf("quitting gives exit code %d", code)
	}
	restored(t, y.seen()[from:])
	if after := y.stty(); after != before {
		t.Errorf("the terminal is not as before:\n%s\nwas\n%s", after, before)
	}
}

// TestTerminalAfterAPanic, wherever it is: in a source's goroutine, in a command, in Update.
func TestTerminalAfterAPanic(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"source", "command", "update"} {
		t.Run(what, func(t *testing.T) {
			code, out := session(t, "env "+brokenEnv+"="+what+" "+self, "SETTLED", func(y *tty, _ int) { y.send("t") })
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			if !strings.Contains(out, "broken") {
				t.Errorf("nothing says what happened: %q", tail(out))
			}
		})
	}
}

// TestTerminalWithTheDemo: an embedded broker and workers end with the screen.
func TestTerminalWithTheDemo(t *testing.T) {
	code, _ := session(t, program(t)+" demo --workers 2 --tasks 4", "SETTLED", func(y *tty, _ int) { y.send("q") })
	if code != 0 {
		t.Errorf("quitting the demo gives exit code %d", code)
	}
}
