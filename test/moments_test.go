//go:build kafka && unix

package test

import (
	"encoding/json"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
)

// verdicts are the verdicts that a watch has told, each with the time of its line.
func verdicts(t *testing.T, watch *Running) (words []string, at []time.Time) {
	t.Helper()
	for _, line := range watch.Lines() {
		var e struct {
			Event   string
			At      time.Time
			Verdict string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("event %s: %v", line, err)
		}
		if e.Event == "state" {
			words, at = append(words, e.Verdict), append(at, e.At)
		}
	}
	return words, at
}

// A watch of one real worker says what is so at each moment: that it reads, that the worker's death is not known to the group yet, that
// units run nowhere, that no broker answers.
func TestVerdictsOfMoments(t *testing.T) {
	t.Parallel()
	rig := StartBroker(t)
	group := rig.GroupOf(t)
	Crowd(t, rig, group, 30_000)
	w := rig.Worker(t, 1, WorkerOptions{})
	units := map[string]int{"moment-1": 1, "moment-2": 1}
	for name := range units {
		w.Put(t, name, FileSource(name))
	}
	w.WaitRunning(t, units)
	watch := StartRegroup(t, "watch", group, "-b", rig.Addr, "-o", "json")
	await := func(word string) (since time.Time) {
		t.Helper()
		Until(t, "the verdict "+word, func() (bool, string) {
			words, at := verdicts(t, watch)
			if len(words) == 0 {
				return false, "no verdict"
			}
			since = at[len(at)-1]
			return words[len(words)-1] == word, strings.Join(words, ", ")
		})
		return since
	}
	await("SETTLED")
	if words, _ := verdicts(t, watch); words[0] != "READING" || slices.Contains(words, "STUCK") || slices.Contains(words, "EMPTY") {
		t.Errorf("while all was being read: %q", words)
	}

	foreseen := Regroup(t, "worker", "kill", w.Client, "-g", group, "-b", rig.Addr, "--dry-run")
	if !strings.Contains(foreseen.Stdout+foreseen.Stderr, "worker-1 is the last worker: 4 units run nowhere until a worker joins") {
		t.Errorf("kill of the only worker foresees\n%s%s", foreseen.Stdout, foreseen.Stderr)
	}

	told, _ := verdicts(t, watch)
	died := time.Now()
	w.Kill(t)
	silent := await("UNREACHABLE")
	empty := await("EMPTY")
	words, _ := verdicts(t, watch)
	if between := words[len(told):]; slices.Contains(between, "SETTLED") {
		t.Errorf("from the death to the round: %q", between)
	}
	t.Logf("killed; UNREACHABLE %.1f s later, EMPTY %.1f s later", silent.Sub(died).Seconds(), empty.Sub(died).Seconds())
	found := WaitFound(t, watch, "no-workers", 0)
	t.Logf("no-workers: %+v", found)
	if out := Regroup(t, "groups", "-b", rig.Addr); !strings.Contains(out.Stdout, "EMPTY") {
		t.Errorf("groups:\n%s", out.Stdout)
	}

	w.Restart(t)
	w.WaitRunning(t, units)
	await("SETTLED")
	if err := rig.process.signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	frozen := time.Now()
	blind := await("BLIND")
	if err := rig.process.signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	t.Logf("the broker froze; BLIND %.1f s later", blind.Sub(frozen).Seconds())
	await("SETTLED")
	if watch.Stop(t) != 0 {
		t.Error("watch ended badly")
	}

	// A quota lets the history in slowly: it is told, and nothing is said of the group before that is read.
	_, err := kadm.NewClient(rig.client(t)).AlterClientQuotas(t.Context(), []kadm.AlterClientQuotaEntry{{
		Entity: kadm.ClientQuotaEntity{{Type: "client-id"}},
		Ops:    []kadm.AlterClientQuotaOp{{Key: "consumer_byte_rate", Value: 100_000}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	Until(t, "the broker to hold to the quota", func() (bool, string) { // the controller answers before it does
		return strings.Contains(rig.BrokerLog(t), "Changing FETCH quota for default client-id"), "it does not"
	})
	slow := StartRegroup(t, "watch", group, "-b", rig.Addr, "-o", "json")
	Until(t, "a quota to be told", func() (bool, string) {
		lines := slow.Lines()
		return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "throttled by a quota") }), strings.Join(lines, "\n")
	})
	if words, _ := verdicts(t, slow); slices.ContainsFunc(words, func(w string) bool { return w != "READING" }) {
		t.Errorf("while a quota holds reading up: %q", words)
	}
	for _, l := range slow.Lines() {
		if strings.Contains(l, "throttled") {
			t.Log(l)
		}
	}
}
