//go:build kafka && unix && !linux

package test

import "syscall"

// Only Linux can tie a child's life to its parent's: elsewhere a test binary that is killed hard leaves its children behind.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
