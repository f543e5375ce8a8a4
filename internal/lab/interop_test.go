//go:build kafka && unix

package lab_test

import (
	"os"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/group"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/worker"
	"regroup/internal/observe"
	"regroup/test"
)

func TestMain(m *testing.M) { os.Exit(test.Main(m)) }

// A simulated worker takes its share from a real one, leads when that goes, and gives it its share again when it is back:
// real Connect runs what our leader hands out.
func TestWithRealWorkers(t *testing.T) {
	t.Parallel()
	for _, protocol := range []worker.Protocol{worker.Sessioned, worker.Eager} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			rig := test.Shared(t)
			theirs := rig.Worker(t, 1, test.WorkerOptions{Protocol: string(protocol)})
			name := "sink-" + string(protocol)
			theirs.Put(t, name, test.FileSink(name, 4))
			theirs.WaitRunning(t, map[string]int{name: 4})

			ours, err := worker.Start(t.Context(), worker.Options{
				Name: "simulated", Group: theirs.Group, Brokers: []string{rig.Addr},
				Net: broker.Loopback(), Protocol: protocol, MaxDelay: 10 * time.Second,
				Topics: worker.Topics{Config: theirs.Group + "-configs", Status: theirs.Group + "-status", Offset: theirs.Group + "-offsets"},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := ours.Kill(); err != nil {
					t.Error(err)
				}
			}()
			dial := func(extra ...kgo.Opt) (*kgo.Client, error) {
				return kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(rig.Addr)}, extra...)...)
			}
			// running waits until all units run, under that leader, and every worker named has two or more of them.
			running := func(leader string, workers ...string) {
				t.Helper()
				test.Until(t, "all units to run under "+leader, func() (bool, string) {
					s, err := observe.Once(t.Context(), observe.Options{Group: theirs.Group, Dial: dial})
					if err != nil || s.Round() == nil {
						return false, "no round"
					}
					share, now := map[string]int{}, ""
					for _, u := range s.Units {
						now += u.Unit.String() + " " + u.State.String() + "; "
						if u.State == group.UnitRunning && u.Worker >= 0 {
							share[s.Workers[u.Worker].URL]++
						}
					}
					ok, total := s.Round().LeaderURL == leader, 0
					for _, url := range workers {
						ok = ok && share[url] >= 2
						total += share[url]
					}
					return ok && total == 5, now
				})
			}
			running(theirs.URL, theirs.URL, ours.URL())
			theirs.Stop(t)
			running(ours.URL(), ours.URL())
			theirs.Restart(t)
			running(ours.URL(), theirs.URL, ours.URL())
		})
	}
}
