//go:build kafka && unix

package test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program is the regroup binary under test, built at its first use.
var program built

type built struct {
	once sync.Once
	dir  string
	err  error
}

func (b *built) path(t testing.TB) string {
	t.Helper()
	if p := os.Getenv("REGROUP_PROGRAM"); p != "" {
		return p
	}
	b.once.Do(func() { b.err = b.build() })
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.file()
}

func (b *built) build() error {
	var err error
	if b.dir, err = os.MkdirTemp("", "regroup-bin-"); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	args := []string{"build", "-o", b.file()}
	if raceDetector {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = source("..")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, said)
	}
	return nil
}

func (b *built) file() string { return filepath.Join(b.dir, "regroup") }

func (b *built) remove() {
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}

// command is regroup with nothing of the caller's own settings in its environment.
func command(t testing.TB, args []string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program.path(t), args...)
	home := t.TempDir()
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "TZ=UTC",
		"GORACE=atexit_sleep_ms=10", // with the race detector, each command would end with a second of sleep
	}
	return cmd
}

// Output is what a finished regroup said.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// Regroup runs regroup to its end, whatever its exit code.
func Regroup(t testing.TB, args ...string) Output {
	t.Helper()
	cmd := command(t, args)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	p, err := launch(fmt.Sprint("regroup ", args), cmd, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	select { // it is timed by benchmarks: no looking again and again
	case <-p.done:
	case <-time.After(patience):
		t.Fatalf("%s has not ended after %v", p.name, patience)
	}
	return Output{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// Running is a regroup that runs on, and the lines that it has printed.
type Running struct {
	process *process
	errs    *bytes.Buffer // read it once the process has ended

	mu    sync.Mutex
	lines []string
}

// StartRegroup starts regroup and reads along. It ends with the test.
func StartRegroup(t testing.TB, args ...string) *Running {
	t.Helper()
	cmd := command(t, args)
	out, in := io.Pipe()
	r := &Running{errs: new(bytes.Buffer)}
	cmd.Stdout, cmd.Stderr = in, r.errs
	p, err := launch(fmt.Sprint("regroup ", args), cmd, "")
	if err != nil {
		t.Fatal(err)
	}
	r.process = p
	go func() {
		<-p.done
		in.Close()
	}()
	go func() {
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			r.mu.Lock()
			r.lines = append(r.lines, line[:len(line)-1])
			r.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() && r.errs.Len() > 0 {
			t.Logf("%s said on stderr\n%s", p.name, r.errs)
		}
	})
	return r
}

// Lines are the whole lines that it has printed so far.
func (r *Running) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

// Stop ends it as Ctrl-C does, and gives its exit code.
func (r *Running) Stop(t testing.TB) int {
	t.Helper()
	r.process.stop(t, syscall.SIGINT)
	return r.process.cmd.ProcessState.ExitCode()
}

// Ended says whether it has ended by itself, which a watch never should.
func (r *Running) Ended() bool { return r.process.ended() }
