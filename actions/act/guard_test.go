package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
)

// What a guard says of an action, and whether an answer to its question lets the action be done.
//
//	guard evict worker-3 production=prod-eu interactive
//	worker-3
//
// The input is the answer: "yes", "no", or what was typed.
func TestGuard(t *testing.T) {
	datadriven.RunTest(t, "testdata/guard", func(t *testing.T, d *datadriven.TestData) string {
		var g Guard
		x := Action{Verb: d.CmdArgs[0].Key, Target: d.CmdArgs[1].Key, Destructive: d.Cmd == "guard"}
		for _, arg := range d.CmdArgs[2:] {
			switch arg.Key {
			case "read-only":
				g.ReadOnly = "--read-only is given"
			case "production":
				g.Production = arg.Vals[0]
			case "interactive":
				g.Interactive = true
			case "yes":
				g.Yes = true
			case "typed":
				g.Typed = arg.Vals[0]
			default:
				t.Fatalf("no argument %q", arg.Key)
			}
		}
		done := false
		x.Do = func(context.Context, func(string)) (string, error) {
			done = true
			return "", nil
		}
		var b strings.Builder
		if q := g.Question(x); q.Needed {
			fmt.Fprintf(&b, "asks: %s\n", q.Text)
		}
		answer := strings.TrimSpace(d.Input)
		typed := answer
		if typed == "yes" || typed == "no" {
			typed = ""
		}
		c, err := g.Consent(x, answer == "yes", typed)
		if err != nil {
			fmt.Fprintln(&b, err)
		}
		// Whatever a caller makes of the answer: without consent nothing is done.
		_, err = (&Actor{Guard: g}).Do(t.Context(), x, c)
		if done != (err == nil) {
			t.Errorf("done is %v, and the error is %v", done, err)
		}
		if done {
			b.WriteString("done\n")
		} else {
			b.WriteString("not done\n")
		}
		return b.String()
	})
}

// A consent to one action is none to another.
func TestConsentIsForOneAction(t *testing.T) {
	g := Guard{Yes: true}
	done := false
	do := func(context.Context, func(string)) (string, error) { done = true; return "", nil }
	c, err := g.Consent(Action{Verb: "pause", Target: "sink-a"}, true, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&Actor{Guard: g}).Do(t.Context(), Action{Verb: "delete", Target: "sink-a", Destructive: true, Do: do}, c)
	var refused *Refused
	if !errors.As(err, &refused) || done {
		t.Fatalf("done %v, error %v", done, err)
	}
}

// An action leaves two facts and two lines, one when it begins and one with its answer, also when it fails or breaks off.
func TestAudit(t *testing.T) {
	for _, c := range []struct {
		name, answer, want string
		do                 func() (string, error)
	}{
		{name: "done", do: func() (string, error) { return "", nil }, want: "ok"},
		{name: "with an answer", do: func() (string, error) { return "evicted worker-3-1", nil }, want: "evicted worker-3-1"},
		{name: "failed", do: func() (string, error) { return "", errors.New("no such member") }, want: "no such member"},
		{name: "panic", do: func() (string, error) { panic("a bug") }, want: "broke off: a bug"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state", "regroup", "audit.log")
			var facts []group.Action
			now := time.Date(2026, 11, 29, 17, 0, 0, 0, time.UTC)
			a := &Actor{
				Group: "connect-a", Who: "ann@host", Audit: NewAudit(path), Guard: Guard{Yes: true},
				Emit:  func(f group.Action) { facts = append(facts, f) },
				Clock: func() time.Time { now = now.Add(time.Second); return now },
			}
			x := Action{Verb: "evict", Target: "worker \"3\"\n", Do: func(context.Context, func(string)) (string, error) { return c.do() }}
			consent, err := a.Guard.Consent(x, true, "")
			if err != nil {
				t.Fatal(err)
			}
			func() {
				defer func() { _ = recover() }()
				_, _ = a.Do(t.Context(), x, consent)
			}()
			if len(facts) != 2 || facts[0].ID != facts[1].ID || facts[0].Answer != "" || facts[1].Answer != c.want {
				t.Fatalf("facts %+v", facts)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
			if len(lines) != 2 {
				t.Fatalf("%d lines:\n%s", len(lines), raw)
			}
			for i, line := range lines {
				var got map[string]string
				if err := json.Unmarshal([]byte(line), &got); err != nil {
					t.Fatal(err)
				}
				want := map[string]string{
					"at": group.FormatTime(facts[i].At), "id": facts[0].ID, "who": "ann@host", "group": "connect-a",
					"verb": "evict", "target": "worker \"3\"\n", "answer": facts[i].Answer,
				}
				for k, v := range want {
					if got[k] != v {
						t.Errorf("line %d: %s is %q, want %q", i+1, k, got[k], v)
					}
				}
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

// What cannot be put on record is not done.
func TestNoActionWithoutRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done := false
	a := &Actor{Audit: NewAudit(filepath.Join(file, "audit.log")), Guard: Guard{Yes: true}}
	x := Action{Verb: "evict", Target: "w", Do: func(context.Context, func(string)) (string, error) { done = true; return "", nil }}
	c, err := a.Guard.Consent(x, true, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Do(t.Context(), x, c); err == nil || done {
		t.Fatalf("done %v, error %v", done, err)
	}
}
