//go:build kafka && unix

package test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is a child of the test binary in a process group of its own: a Ctrl-C on the terminal reaches the test binary
// alone, which then ends its children in order.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // of Wait, once done is closed
}

// launch starts cmd with its output appended to the file log ("" leaves cmd's own).
func launch(name string, cmd *exec.Cmd, log string) (*process, error) {
	if log != "" {
		f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		defer f.Close()
		cmd.Stdout, cmd.Stderr = f, f
	}
	cmd.SysProcAttr = processAttributes()
	if err := onLauncher(cmd.Start); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = cmd.Wait()
	}()
	return p, nil
}

// The kernel ends a child by its parent-death signal when the *thread* that started it ends, so one thread that never ends
// starts them all.
var launcher = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

func onLauncher(f func() error) error {
	result := make(chan error)
	launcher() <- func() { result <- f() }
	return <-result
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// signal does nothing to a process that has ended: its pid may belong to another by now.
func (p *process) signal(s os.Signal) error {
	if p.ended() {
		return nil
	}
	return p.cmd.Process.Signal(s)
}

// kill ends it as a crash does.
func (p *process) kill() {
	_ = p.signal(syscall.SIGKILL) // it has ended already, or ends now
	<-p.done
}

// stop asks it to end, and waits.
func (p *process) stop(t testing.TB, s os.Signal) {
	t.Helper()
	if err := p.signal(s); err != nil {
		t.Fatalf("%s: %v: %v", p.name, s, err)
	}
	select {
	case <-p.done:
	case <-time.After(patience):
		p.kill()
		t.Fatalf("%s has not ended %v after %v", p.name, patience, s)
	}
}
