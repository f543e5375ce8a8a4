//go:build kafka && unix

package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Deed is what a command that does something to a group prints with -o json. A field that is not here is no matter of ours.
type Deed struct {
	Action, Target, State, Answer string
	Preview                       *struct {
		Outcomes []struct {
			Name   string
			Exact  bool
			Doubts []string
		}
	}
	Rounds      []Round
	Differences []struct{ Text string }
	Unsettled   string
	Failed      []struct{ Connector string } // units that have failed since
}

// Texts are its differences, a line each.
func (d Deed) Texts() string {
	var out []string
	for _, x := range d.Differences {
		out = append(out, x.Text)
	}
	return strings.Join(out, "\n")
}

// Hand does things to one group with regroup's command line, and keeps its audit log.
type Hand struct {
	rig   *Rig
	group string
	state string // XDG_STATE_HOME
	env   []string
}

// Hand is one for the group of a test.
func (r *Rig) Hand(t testing.TB) *Hand {
	t.Helper()
	return &Hand{rig: r, group: r.GroupOf(t), state: t.TempDir()}
}

// Run runs regroup on the group, to its end.
func (h *Hand) Run(t testing.TB, args ...string) Output {
	t.Helper()
	args = append(args, "-g", h.group, "-b", h.rig.Addr)
	cmd := command(t, args)
	cmd.Env = append(append(cmd.Env, "XDG_STATE_HOME="+h.state), h.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	p, err := launch(fmt.Sprint("regroup ", args), cmd, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	Until(t, p.name+" to end", func() (bool, string) { return p.ended(), "it runs on" })
	return Output{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// Do does something, and gives what came of it.
func (h *Hand) Do(t testing.TB, args ...string) Deed {
	t.Helper()
	out := h.Run(t, append(args, "--yes", "-o", "json")...)
	var d Deed
	err := json.Unmarshal([]byte(out.Stdout), &d)
	if bad := len(d.Failed) > 0; err != nil || bad && out.Code != 1 || !bad && out.Code != 0 {
		t.Fatalf("regroup %v: exit code %d, %v\n%s\n%s", args, out.Code, err, out.Stdout, out.Stderr)
	}
	t.Logf("regroup %v: %s, %d rounds", args, d.Answer, len(d.Rounds))
	return d
}

// AuditLine is a line of the audit log.
type AuditLine struct{ At, ID, Who, Group, Verb, Target, Answer string }

// Audit is the whole audit log.
func (h *Hand) Audit(t testing.TB) []AuditLine {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(h.state, "regroup", "audit.log"))
	if err != nil {
		t.Fatal(err)
	}
	var out []AuditLine
	for line := range strings.Lines(string(raw)) {
		var l AuditLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("audit log: %s: %v", line, err)
		}
		out = append(out, l)
	}
	return out
}

// OnRecord holds the audit log to what was done to the hand's group, in order, by somebody who is named.
func (h *Hand) OnRecord(t testing.TB, want ...string) {
	t.Helper()
	var verbs []string
	for _, l := range h.Audit(t) {
		if l.Answer != "" {
			verbs = append(verbs, l.Verb)
		}
		if l.Group != h.group || !strings.Contains(l.Who, "@") {
			t.Errorf("audit line %+v", l)
		}
	}
	if !slices.Equal(verbs, want) {
		t.Errorf("on record: %q; want %q", verbs, want)
	}
}

// Logs is what workers printed that regroup started again, by the worker's port.
func (h *Hand) Logs(t testing.TB) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.state, "regroup", "workers", "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
	}
	return b.String()
}

// Sweep ends the processes that regroup started from a worker's properties file: they outlive it on purpose, and are known by
// the path, which is this test's alone.
func Sweep(t testing.TB, properties string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		raw, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || !bytes.Contains(raw, []byte("\x00"+properties+"\x00")) || !bytes.HasPrefix(raw, []byte("java\x00")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d: %v", pid, err)
		}
	}
}
