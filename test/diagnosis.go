//go:build kafka && unix

package test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Diagnosis is what `doctor -o json` prints. A field that is not here is no matter of ours.
type Diagnosis struct {
	Verdict  string
	Findings []Finding
}

// Finding is one of a diagnosis.
type Finding struct {
	ID, Severity, Certainty, Title, Next string
	Evidence                             []struct{ Text string }
	Units                                []Unit
	Workers                              []string // member ids
}

func (d Diagnosis) find(id string) *Finding {
	for i := range d.Findings {
		if d.Findings[i].ID == id {
			return &d.Findings[i]
		}
	}
	return nil
}

func (f *Finding) at(worker *Worker) bool {
	return slices.ContainsFunc(f.Workers, func(id string) bool { return strings.HasPrefix(id, worker.Client+"-") })
}

// says looks for words in its evidence.
func (f *Finding) says(words string) bool {
	return slices.ContainsFunc(f.Evidence, func(e struct{ Text string }) bool { return strings.Contains(e.Text, words) })
}

func examine(t testing.TB, rig *Rig, group string, args ...string) Diagnosis {
	t.Helper()
	out := Regroup(t, append([]string{"doctor", group, "-b", rig.Addr, "-o", "json"}, args...)...)
	var d Diagnosis
	if err := json.Unmarshal([]byte(out.Stdout), &d); err != nil {
		t.Fatalf("regroup doctor: exit code %d, %v\n%s\n%s", out.Code, err, out.Stdout, out.Stderr)
	}
	if want := map[string]int{"healthy": 0, "findings": 1}[d.Verdict]; out.Code != want {
		t.Errorf("regroup doctor: %s with exit code %d", d.Verdict, out.Code)
	}
	return d
}

func waitFinding(t testing.TB, rig *Rig, group, id string, args ...string) (f *Finding) {
	t.Helper()
	Until(t, "the doctor to find "+id, func() (bool, string) {
		d := examine(t, rig, group, args...)
		f = d.find(id)
		return f != nil, fmt.Sprintf("%+v", d)
	})
	t.Logf("%s: %s, %s, %s", id, f.Severity, f.Certainty, f.Title)
	return f
}

func waitHealthy(t testing.TB, rig *Rig, group string) {
	t.Helper()
	Until(t, "the group to be healthy", func() (bool, string) {
		d := examine(t, rig, group)
		return d.Verdict == "healthy", fmt.Sprintf("%+v", d)
	})
}

// Found is a finding as a watch tells it.
type Found struct {
	Finding
	At, Since time.Time
}

// WaitFound waits until a watch tells of a finding, and holds it to its grace: not before that, and not long after it. A grace
// below 0 is none: such a finding began long before it was one.
func WaitFound(t testing.TB, watch *Running, id string, grace time.Duration) Found {
	t.Helper()
	var found Found
	Until(t, "the watch to find "+id, func() (bool, string) {
		told := findings(t, watch)
		for _, e := range told {
			if e.ID == id && !e.Over {
				found = e.Found
				return true, ""
			}
		}
		return false, fmt.Sprintf("%+v", told)
	})
	const late = 15 * time.Second // on a busy machine
	took := "at some time"
	if !found.Since.IsZero() {
		after := found.At.Sub(found.Since)
		if took = after.Round(time.Millisecond).String() + " after it began"; grace >= 0 && (after < grace || after > grace+late) {
			t.Errorf("%s was told %s, with a grace of %v", id, took, grace)
		}
	}
	t.Logf("%s: %s, %s, %s, told %s", id, found.Severity, found.Certainty, found.Title, took)
	return found
}

// WaitOver waits until a watch has told that all findings of a kind are over.
func WaitOver(t testing.TB, watch *Running, id string) {
	t.Helper()
	Until(t, id+" to be over", func() (bool, string) {
		open, told := 0, findings(t, watch)
		for _, e := range told {
			switch {
			case e.ID != id:
			case e.Over:
				open--
			default:
				open++
			}
		}
		return open == 0, fmt.Sprintf("%+v", told)
	})
}

type findingEvent struct {
	Event string
	Over  bool
	Found
}

func findings(t testing.TB, watch *Running) (out []findingEvent) {
	t.Helper()
	if watch.Ended() {
		t.Fatal("watch ended by itself")
	}
	for _, line := range watch.Lines() {
		var e findingEvent
		if !strings.HasPrefix(line, `{"event":"finding"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}
