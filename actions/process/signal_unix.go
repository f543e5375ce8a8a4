//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
)

const terminate = syscall.SIGTERM

// ownSession makes a child that a Ctrl-C or Ctrl-Z on our terminal does not reach.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Freeze stops the process where it stands. A helper of its own session wakes it when this program ends without having done
// so, even where it is killed: the helper waits at the other end of a pipe that closes then.
func (p *localProcess) Freeze(ctx context.Context) (thaw func() error, err error) {
	if err := p.same(ctx); err != nil {
		return nil, err
	}
	proc, err := os.FindProcess(int(p.pid))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	release, err := guardian(int(p.pid))
	if err != nil {
		return nil, fmt.Errorf("%s: not frozen, for nobody would wake it if this program were killed: %w", p, err)
	}
	wake := sync.OnceValue(func() error {
		err := proc.Signal(syscall.SIGCONT)
		if errors.Is(err, os.ErrProcessDone) {
			err = nil // nothing is left to be woken
		}
		if err != nil {
			err = fmt.Errorf("%s: it could not be woken: %w; wake it with kill -CONT %d", p, err, p.pid)
		}
		return errors.Join(err, release())
	})
	if err := proc.Signal(syscall.SIGSTOP); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", p, err), wake())
	}
	return wake, nil
}

// guardian starts the helper. Its signal to a process that goes on already does nothing.
func guardian(pid int) (release func() error, err error) {
	cmd := exec.Command("/bin/sh", "-c", `read -r _; kill -CONT "$0"`, strconv.Itoa(pid)) //nolint:noctx // it has to outlive us
	cmd.SysProcAttr = ownSession()
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() error {
		pipe.Close()
		_ = cmd.Wait() // the process it would wake may be gone: no matter
		return nil
	}, nil
}
