package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"regroup/actions/foresight"
	"regroup/group"
)

// Action is one thing to do to a group, described and not yet done.
type Action struct {
	Verb   string // "evict", "delete", …: as it stands in events and the audit log
	Target string // what it is done to, by the name that people know it by
	// Destructive actions are asked about before they are done.
	Destructive bool
	// Harm says in a sentence what there is to lose; it stands in the question. "" where nothing is destroyed.
	Harm string
	// Change is what the action means for the group, for a preview; nil: it causes no rounds.
	Change foresight.Change
	// Do does it. The answer is for people, "" stands for "ok". tell may be called with what it is doing now.
	Do func(ctx context.Context, tell func(string)) (answer string, err error)
}

// String names the action as in "evict worker-3".
func (x Action) String() string {
	if x.Target == "" {
		return x.Verb
	}
	return x.Verb + " " + x.Target
}

// Actor does actions in somebody's name. It is safe for use by several goroutines.
type Actor struct {
	Group string
	Who   string // user@host; see Who
	Guard Guard
	Audit *Audit // nil: none is kept

	Emit  func(group.Action) // takes the facts; nil: nobody does
	Tell  func(string)       // takes what an action is doing now; nil: nobody does
	Clock func() time.Time   // nil: time.Now
}

// count tells the actions of this process apart.
var count atomic.Int64

// Do does an action that was consented to. What it did stands in the audit log and in the facts also when it failed.
func (a *Actor) Do(ctx context.Context, x Action, c Consent) (answer string, err error) {
	if err := a.Guard.check(x, c); err != nil {
		return "", err
	}
	fact := group.Action{At: a.now(), ID: a.newID(), Who: a.Who, Verb: x.Verb, Target: x.Target}
	if err := a.note(fact); err != nil {
		return "", fmt.Errorf("%s: not done, for it could not be put on record: %w", x, err)
	}
	done := false
	defer func() { // also when Do panics
		if fact.At = a.now(); !done {
			fact.Answer = "broke off: a bug"
			_ = a.note(fact) // the panic matters more
		}
	}()
	answer, err = x.Do(ctx, a.tell)
	done = true
	if answer == "" {
		answer = "ok"
	}
	fact.At, fact.Answer = a.now(), answer
	if err != nil {
		fact.Answer = err.Error()
	}
	return answer, errors.Join(err, a.note(fact))
}

func (a *Actor) note(f group.Action) error {
	if a.Emit != nil {
		a.Emit(f)
	}
	if a.Audit == nil {
		return nil
	}
	return a.Audit.Write(a.Group, f)
}

func (a *Actor) tell(text string) {
	if a.Tell != nil {
		a.Tell(text)
	}
}

func (a *Actor) now() time.Time {
	if a.Clock != nil {
		return a.Clock()
	}
	return time.Now()
}

// newID tells actions apart, also those of different processes.
func (a *Actor) newID() string {
	return strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(a.now().UnixMilli(), 36) + "-" + strconv.FormatInt(count.Add(1), 10)
}

// Who is the person that runs this process, as user@host.
func Who() string {
	name, host := "unknown", "unknown"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil && h != "" {
		host = h
	}
	return name + "@" + host
}

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
