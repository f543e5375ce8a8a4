//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"regroup/internal/lab"
	"regroup/internal/lab/labtest"
)

// terminal is a regroup that runs on a pseudo terminal, as somebody has it before them.
type terminal struct {
	file *os.File
	cmd  *exec.Cmd
	read chan struct{} // closed when all that it printed was read

	mu  sync.Mutex
	out bytes.Buffer
}

// onTerminal starts regroup on a terminal: this binary is it, where it is called so (TestMain).
func onTerminal(t *testing.T, home string, env []string, args ...string) *terminal {
	t.Helper()
	y := &terminal{cmd: exec.Command(thisBinary(t)), read: make(chan struct{})}
	y.cmd.Args = append([]string{"regroup"}, args...)
	y.cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LC_ALL=C.UTF-8"}, env...)
	var err error
	if y.file, err = pty.StartWithSize(y.cmd, &pty.Winsize{Cols: 200, Rows: 50}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = y.cmd.Process.Kill() // it has ended, or the test has failed
		_ = y.file.Close()
	})
	go func() { // ends with the terminal: the program alone has its other end
		defer close(y.read)
		buf := make([]byte, 1<<12)
		for {
			n, err := y.file.Read(buf)
			y.mu.Lock()
			y.out.Write(buf[:n])
			y.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return y
}

func (y *terminal) seen() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.out.String()
}

// answer waits for a question, and types an answer to it.
func (y *terminal) answer(t *testing.T, question, answer string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(y.seen(), question); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not ask %q:\n%s", question, y.seen())
		}
	}
	if _, err := y.file.WriteString(answer + "\r"); err != nil {
		t.Fatal(err)
	}
}

// end waits for the end, and gives the exit code and all that was said.
func (y *terminal) end(t *testing.T) (int, string) {
	t.Helper()
	_ = y.cmd.Wait() // the code says it
	<-y.read
	return y.cmd.ProcessState.ExitCode(), y.seen()
}

// Whoever sits at a terminal is asked before something is destroyed, and types its name in production. Nothing but a yes is one.
func TestAskingAtATerminal(t *testing.T) {
	l := labtest.Start(t, lab.Connector{Name: "life", Tasks: 1, Config: map[string]string{"topics": "a"}}, lab.Connector{Name: "other", Tasks: 1, Config: map[string]string{"topics": "a"}})
	home := t.TempDir()
	set := exec.Command(thisBinary(t))
	set.Args = []string{"regroup", "context", "set", "prod", "brokers=" + l.Brokers()[0], "production=true"}
	set.Env = []string{"HOME=" + home}
	if out, err := set.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct {
		args             []string
		question, answer string
		code             int
		says             string
	}{
		{[]string{"-b", l.Brokers()[0], "connector", "delete", "life"}, "[y/N] ", "n", 2, "delete life: refused: not agreed to"},
		{[]string{"-b", l.Brokers()[0], "connector", "delete", "life"}, "[y/N] ", "", 2, "delete life: refused: not agreed to"},
		{[]string{"-b", l.Brokers()[0], "connector", "delete", "life"}, "[y/N] ", "life", 2, "delete life: refused: not agreed to"},
		{[]string{"-b", l.Brokers()[0], "connector", "delete", "life"}, "[y/N] ", "y", 0, "as foreseen"},
		{[]string{"--context", "prod", "connector", "delete", "other"}, `type "other" to go on.`, "y", 2, `"other" was to be typed, and "y" was`},
		{[]string{"--context", "prod", "connector", "delete", "other"}, `type "other" to go on.`, "other", 0, "as foreseen"},
	} {
		y := onTerminal(t, home, nil, append(c.args, "-g", l.Group())...)
		y.answer(t, c.question, c.answer)
		if code, out := y.end(t); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%q to %v: exit code %d, want %d and %q:\n%s", c.answer, c.args, code, c.code, c.says, out)
		}
	}
}

// What is saved and is not right opens again, with what is wrong on top.
func TestEditingAtATerminal(t *testing.T) {
	l := labtest.Start(t, lab.Connector{Name: "life", Tasks: 1, Config: map[string]string{"topics": "a", "connection.password": "hunter2"}})
	dir := t.TempDir()
	script := `#!/bin/sh
n=$(ls ` + dir + `/seen.* 2>/dev/null | wc -l)
cp "$1" ` + dir + `/seen.$n
case $n in
0) sed -i 's/^tasks.max:.*/tasks.max: [1/' "$1";;
1) sed -i 's/^tasks.max:.*/tasks.max: two/' "$1";;
*) sed -i 's/^tasks.max:.*/tasks.max: 2/' "$1";;
esac
`
	editor := filepath.Join(dir, "editor")
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	y := onTerminal(t, dir, []string{"EDITOR=" + editor}, "-b", l.Brokers()[0], "-g", l.Group(), "connector", "edit", "life")
	y.answer(t, "[y/N] ", "y")
	if code, out := y.end(t); code != 0 || !strings.Contains(out, "+ tasks.max = 2") || strings.Contains(out, "hunter2") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	for i, want := range []string{"# Connector life of group connect-lab.", "# Not written: line ", "# tasks.max: Invalid value two for configuration tasks.max: Not a number of type INT"} {
		text, err := os.ReadFile(filepath.Join(dir, "seen."+string(rune('0'+i))))
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "hunter2") {
			t.Errorf("opened for time %d with %q, %v; want %q", i+1, text, err, want)
		}
	}
}

func thisBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
