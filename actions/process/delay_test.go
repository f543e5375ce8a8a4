//go:build unix

package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/observe/observetest"
)

// A delay that the group never showed is read where one of its workers runs; whose it is decides how certain that is.
func TestDelayOfALocalWorker(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/captures/lifecycle-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	// worker says the delay that a process of this machine was started with stands for that worker of the capture.
	for _, c := range []struct {
		name, setting string
		leads         bool
		wait          time.Duration // that the killed worker's units are foreseen to wait
		doubt         string
	}{
		{"the leader's", "scheduled.rebalance.max.delay.ms=45000\n", true, 45 * time.Second, ""},
		{"another's", "scheduled.rebalance.max.delay.ms=45000\n", false, 45 * time.Second, "the leader's own was not seen yet"},
		{"not in its file: Connect's default", "", true, 5 * time.Minute, ""},
		{"no delay", "scheduled.rebalance.max.delay.ms=0\n", true, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := observetest.Read(t, string(capture), "13+2s")
			s.Past = false
			file := filepath.Join(t.TempDir(), "worker.properties")
			if err := os.WriteFile(file, []byte("group.id="+s.Group+"\n"+c.setting), 0o600); err != nil {
				t.Fatal(err)
			}
			_, url := listening(t, connectRoot, mains[0], file)
			victim := ""
			for i := range s.Workers {
				w := &s.Workers[i]
				w.Host = "203.0.113.7"
				if w.Name == "worker-2" {
					victim = w.ID
				}
				if w.Leader == c.leads && w.Name != "worker-2" {
					w.Host, w.URL = "127.0.0.1", url
				}
			}
			k := &Workers{Group: s.Group, Reachers: []Reacher{Local{}}}
			p, err := k.Foresee(t.Context(), s, foresight.Crash{Worker: victim})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Outcomes) != 1 {
				t.Fatalf("%d outcomes, though the delay is known", len(p.Outcomes))
			}
			o := p.Outcomes[0]
			wait := o.Rounds[len(o.Rounds)-1].In - o.Rounds[0].In
			if wait != c.wait {
				t.Errorf("they wait %s, want %s", wait, c.wait)
			}
			if doubts := strings.Join(o.Caveats, "; "); !strings.Contains(doubts, c.doubt) || c.doubt == "" && doubts != "" {
				t.Errorf("doubts %q, want %q", doubts, c.doubt)
			}
		})
	}
	t.Run("nobody here", func(t *testing.T) {
		s := observetest.Read(t, string(capture), "13+2s")
		s.Past = false
		var w group.Worker
		for i := range s.Workers {
			if s.Workers[i].Host = "203.0.113.7"; s.Workers[i].Name == "worker-2" {
				w = s.Workers[i]
			}
		}
		p, err := (&Workers{Group: s.Group, Reachers: []Reacher{Local{}}}).Foresee(t.Context(), s, foresight.Crash{Worker: w.ID})
		if err != nil || len(p.Outcomes) != 2 || !strings.Contains(strings.Join(p.Outcomes[0].Caveats, ""), "is assumed") {
			t.Errorf("%v, %+v", err, p)
		}
	})
}
