package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// terminate: Windows has no polite end for a process without a window.
var terminate = os.Kill

func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// Freeze cannot be done here.
func (p *localProcess) Freeze(context.Context) (thaw func() error, err error) {
	return nil, fmt.Errorf("%s: freezing a process is not possible on Windows: %w", p, errors.ErrUnsupported)
}
