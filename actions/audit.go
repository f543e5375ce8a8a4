package actions

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"regroup/group"
)

// Audit is the log of what was done: a file of JSON lines that is only ever appended to, one line when an action begins (its
// answer is empty) and one when it has ended.
type Audit struct {
	path string
	mu   sync.Mutex
}

// AuditFile is where the log lies: $XDG_STATE_HOME/regroup/audit.log, or what stands for it; "" when there is no home.
func AuditFile(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "regroup", "audit.log")
	}
	if dir := getenv("HOME"); dir != "" {
		return filepath.Join(dir, ".local", "state", "regroup", "audit.log")
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "regroup", "audit.log")
	}
	return ""
}

// NewAudit is a log at that path; nothing is opened before the first line. nil for no path.
func NewAudit(path string) *Audit {
	if path == "" {
		return nil
	}
	return &Audit{path: path}
}

type auditLine struct {
	At     string `json:"at"`
	ID     string `json:"id"`
	Who    string `json:"who"`
	Group  string `json:"group"`
	Verb   string `json:"verb"`
	Target string `json:"target"`
	Answer string `json:"answer"` // "" at the beginning
}

// Write appends a line. Lines of several processes do not mix: each is one write to a file opened for appending.
func (a *Audit) Write(name string, f group.Action) error {
	line, err := json.Marshal(auditLine{group.FormatTime(f.At), f.ID, f.Who, name, f.Verb, f.Target, f.Answer})
	if err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	file, err := os.OpenFile(a.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		file.Close()
		return fmt.Errorf("audit log: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	return nil
}
