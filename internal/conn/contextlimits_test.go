//go:build unix

package conn_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"regroup/internal/conn"
)

// What lies in the place of the file of contexts is neither waited for nor read without end.
func TestNoContextFile(t *testing.T) {
	folder := t.TempDir()
	pipe, large := filepath.Join(folder, "pipe"), filepath.Join(folder, "large")
	must(t, syscall.Mkfifo(pipe, 0o600))
	must(t, os.WriteFile(large, nil, 0o600))
	must(t, os.Truncate(large, 1<<40))
	for path, want := range map[string]string{
		pipe: "it is a pipe, and no file", large: "larger than 4 MB: it is no file of contexts", folder: "is a directory",
	} {
		if _, err := conn.OpenContexts(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
