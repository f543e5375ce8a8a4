//go:build kafka && unix

package observe_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/test"
)

// TestMain ends the broker that the test shares.
func TestMain(m *testing.M) { os.Exit(test.Main(m)) }

// What a round cost is measured, and the measure is held against this test's own clock: a crash to within a heartbeat
// interval a unit, a polite stop and a revocation to within 5 %.
func TestCostOfRealWorkers(t *testing.T) { //nolint:tparallel // its parts follow one another
	t.Parallel()
	rig := test.Shared(t)
	workers := rig.Workers(t, 3, test.WorkerOptions{
		Delay: 10 * time.Second,
		Extra: map[string]string{"task.shutdown.graceful.timeout.ms": "60000"},
	}) // a busy machine may take its time
	name := rig.GroupOf(t)
	tasks := map[string]int{"sink-a": 4, "sink-b": 5}
	for connector, n := range tasks {
		workers[0].Put(t, connector, test.FileSink(connector, n))
	}
	workers[0].WaitRunning(t, tasks)

	seen := watchGroup(t, rig, name)
	seen.until(t, "what runs now", func(s *group.State) bool { return len(s.Units) == 11 && allRun(s) })
	seen.until(t, "every worker's REST", func(s *group.State) bool { return len(s.REST()) == 3 })

	t.Run("a crash", func(t *testing.T) {
		killed := time.Now()
		workers[2].Kill(t)
		s := seen.until(t, "all running elsewhere", func(s *group.State) bool { return movedFrom(s, 2) && allRun(s) })
		cost, ok := s.EpisodeCost(s.Round())
		if !ok {
			t.Fatal("the crash cost nothing")
		}
		truth := downSince(s, killed)
		t.Logf("the clock says %.2f unit-s, regroup %.2f to %.2f over %d units", truth.Seconds(), cost.Low.Seconds(), cost.High.Seconds(), cost.Units)
		if truth < cost.Low || truth > cost.High {
			t.Errorf("%v is not within %v to %v", truth, cost.Low, cost.High)
		}
		if widest := time.Duration(cost.Units) * 3 * time.Second; cost.High-cost.Low > widest {
			t.Errorf("the range is %v wide, more than a heartbeat interval for each of %d units", cost.High-cost.Low, cost.Units)
		}
	})
	t.Run("a revocation", func(t *testing.T) {
		before := time.Now()
		workers[2].Restart(t)
		s := seen.until(t, "work on all three again", func(s *group.State) bool { return holding(s) == 3 && allRun(s) })
		compareExact(t, s, before)
	})
	t.Run("a polite stop", func(t *testing.T) {
		before := time.Now()
		workers[2].Stop(t)
		s := seen.until(t, "all running elsewhere", func(s *group.State) bool { return movedFrom(s, 2) && allRun(s) })
		compareExact(t, s, before)
	})
}

// watched is the newest State of a group under observation.
type watched struct{ state atomic.Pointer[group.State] }

func watchGroup(t *testing.T, rig *test.Rig, name string) *watched {
	t.Helper()
	w := &watched{}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	dial := func(extra ...kgo.Opt) (*kgo.Client, error) {
		return kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(rig.Addr), kgo.DisableClientMetrics()}, extra...)...)
	}
	go func() {
		done <- observe.Live(ctx, observe.Options{Group: name, Dial: dial, REST: &observe.REST{}}, func(s *group.State) { w.state.Store(s) })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *watched) until(t *testing.T, what string, ok func(*group.State) bool) *group.State {
	t.Helper()
	var last *group.State
	test.Until(t, what, func() (bool, string) {
		last = w.state.Load()
		if last == nil {
			return false, "nothing seen yet"
		}
		return ok(last), fmt.Sprintf("%s: %s", last.Verdict.Word, last.Verdict.Sentence)
	})
	return last
}

// allRun says whether every unit runs where it should. A worker that had to cancel a task on a busy machine never says that it
// stopped it: such a unit runs, and is suspected to run twice.
func allRun(s *group.State) bool {
	for i := range s.Units {
		if k := s.Units[i].State; k != group.UnitRunning && k != group.UnitDuplicated {
			return false
		}
	}
	return len(s.Units) > 0 && s.Round().Settled
}

func holding(s *group.State) int {
	n := 0
	for _, w := range s.Workers {
		if !w.Gone && w.Held > 0 {
			n++
		}
	}
	return n
}

func movedFrom(s *group.State, left int) bool {
	return holding(s) == left && s.Round().Workers == left
}

// downSince sums, over the units that started since a moment, how long after it they ran first.
func downSince(s *group.State, from time.Time) time.Duration {
	var sum time.Duration
	for i := range s.Units {
		for _, c := range s.Claims(i) {
			if c.State == decode.Running && c.At.After(from) {
				sum += c.At.Sub(from)
				break
			}
		}
	}
	return sum
}

// compareExact holds a cost that is no range against what each unit's own records say: stopped at, running again at.
func compareExact(t *testing.T, s *group.State, from time.Time) {
	t.Helper()
	cost, ok := s.EpisodeCost(s.Round())
	if !ok {
		t.Fatal("nothing was stopped")
	}
	if !cost.Exact() || cost.Crash || cost.Estimated || cost.Growing {
		t.Errorf("the cost is %+v, and not one measured number", cost)
	}
	truth, units := time.Duration(0), 0
	for i := range s.Units {
		if down := stoppedFor(s.Claims(i), from); down > 0 {
			truth += down
			units++
		}
	}
	t.Logf("records say %.3f unit-s over %d units, regroup %.3f over %d", truth.Seconds(), units, cost.Low.Seconds(), cost.Units)
	if d := (cost.Low - truth).Abs(); d > truth/20 || units != cost.Units {
		t.Errorf("%v over %d units is not within 5 %% of %v over %d", cost.Low, cost.Units, truth, units)
	}
}

// stoppedFor is how long a unit was down, by its newest UNASSIGNED since a moment and the RUNNING after it.
func stoppedFor(claims []group.Claim, from time.Time) time.Duration {
	var stopped time.Time
	for _, c := range claims {
		if c.State == decode.Unassigned && c.At.After(from) {
			stopped = c.At
		}
	}
	if stopped.IsZero() {
		return 0
	}
	for _, c := range claims {
		if c.State == decode.Running && c.At.After(stopped) {
			return c.At.Sub(stopped)
		}
	}
	return 0
}
