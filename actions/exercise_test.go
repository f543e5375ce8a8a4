package actions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"
	"regroup/actions/exercise"
	"regroup/actions/ghost"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/worker"
)

func (f *field) runner() *exercise.Runner {
	return &exercise.Runner{
		Workers: f.workers, Connectors: f, Ghost: ghost.Ghost{Demo: true, URL: "http://ghost.invalid:8083/"},
		Actor: &act.Actor{
			Group: f.workers.Group, Who: "ann@host", Guard: act.Guard{Yes: true},
			Audit: act.NewAudit(filepath.Join(f.t.TempDir(), "audit.log")),
		},
	}
}

// exercise runs one to its end.
func (f *field) exercise(ctx context.Context, t *exercise.Runner, ex exercise.Exercise) (*exercise.Report, error) {
	f.t.Helper()
	var report exercise.Report
	x := t.Action(ex, &report)
	c, err := t.Actor.Guard.Consent(x, true, "")
	f.must(err)
	_, err = t.Actor.Do(ctx, x, c)
	return &report, err
}

// Every exercise that comes with regroup goes as its dry run said: as many rounds, units stopped, and stops under eager; and
// each step as its own preview said, unit by unit.
func TestExercises(t *testing.T) {
	choices := map[string]exercise.Choice{
		"config-edit":  {Connector: "sink-b", Set: map[string]string{"file": "elsewhere"}},
		"tasks-change": {Connector: "sink-a", Tasks: 6},
		"create":       {Connector: "sink-d", Set: sink("sink-d", 3)},
		"delete":       {Connector: "sink-c"},
		"scale-in":     {Workers: 2},
		// Longer than a heartbeat: the others have a round without it, as with a worker that takes a while to start.
		"rolling-restart": {Pause: 5 * time.Second},
	}
	for _, b := range exercise.Builtins() {
		if b.Name == "join" || b.Name == "scale-out" {
			continue // they start processes: see the tests on a real broker
		}
		for _, protocol := range []worker.Protocol{worker.Sessioned, worker.Eager} {
			if b.Name == "downgrade" && protocol == worker.Eager {
				continue
			}
			t.Run(b.Name+"/"+string(protocol), func(t *testing.T) {
				onField(t, lab.Options{Protocol: protocol}, func(f *field) {
					tr := f.runner()
					s := f.rest()
					ex, err := b.Exercise(s, choices[b.Name])
					f.must(err)
					foreseen, err := tr.Foresee(f.t.Context(), s, ex)
					f.must(err)
					report, err := f.exercise(f.t.Context(), tr, ex)
					f.must(err)
					var rounds exercise.Sum
					for _, r := range act.Since(f.watch.State(), report.From) {
						rounds.Rounds++
						rounds.Started += r.Started
						rounds.Stopped += r.Stopped
						rounds.Restarted += r.Round.Restarted
						rounds.Dropped += r.Round.Dropped
						rounds.Moved += r.Moved
						rounds.EagerStops += r.EagerWouldStop
						if r.Cost != nil {
							rounds.Units += r.Cost.Units
							rounds.Low, rounds.High = rounds.Low+r.Cost.Low, rounds.High+r.Cost.High
							rounds.LongestLow, rounds.LongestHigh = max(rounds.LongestLow, r.Cost.LongestLow), max(rounds.LongestHigh, r.Cost.LongestHigh)
							rounds.Estimated = rounds.Estimated || r.Cost.Estimated
						}
					}
					if report.Total != rounds {
						t.Errorf("the table sums up to %+v, its rounds to %+v", report.Total, rounds)
					}
					for i, step := range report.Steps {
						if step.State != exercise.StepDone {
							t.Errorf("%s: %s: %s", step.Do, step.State, step.Answer)
						}
						for _, d := range step.Differences {
							t.Errorf("%s: %s", step.Do, d)
						}
						if b.Name == "flap" { // each eviction takes one round or two
							if n := step.Sum.Rounds; n < 3 || n > 6 || protocol == worker.Sessioned && step.Sum.Stopped > 0 {
								t.Errorf("%+v", step.Sum)
							}
							continue
						}
						for _, d := range step.Deviations {
							t.Errorf("%s: out of range: %s", step.Do, d)
						}
						if p := step.Predicted; p == nil || *p != foreseen.Steps[i].Sum {
							t.Errorf("%s: predicted %+v, the dry run said %+v", step.Do, p, foreseen.Steps[i].Sum)
						}
					}
				})
			})
		}
	}
}

// Interrupted, an exercise leaves the group as it is, and says what was done and what was not.
func TestInterruptedExercise(t *testing.T) {
	onField(t, lab.Options{}, func(f *field) {
		ctx, interrupt := context.WithCancel(f.t.Context())
		defer interrupt()
		tr := f.runner()
		tr.Progress = func(p exercise.Progress) {
			if p.Step == 2 {
				interrupt()
			}
		}
		report, err := f.exercise(ctx, tr, exercise.Exercise{Name: "evening", Steps: []exercise.Step{
			{Do: "evict follower"}, {Do: "stop follower"}, {Do: "delete sink-a"},
		}})
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "step 2 of 3, stop follower") {
			t.Errorf("error %v", err)
		}
		var states []string
		for _, s := range report.Steps {
			states = append(states, string(s.State))
		}
		if got := strings.Join(states, ", "); got != "done, failed, not done" && got != "done, begun, not done" && got != "done, unsettled, not done" {
			t.Errorf("steps %s", got)
		}
		b, err := json.Marshal(report)
		f.must(err)
		if !strings.Contains(string(b), `"do":"delete sink-a","state":"not done"`) {
			t.Errorf("report %s", b)
		}
		time.Sleep(time.Minute)
		if s := f.rest(); s.Connectors != 3 {
			t.Errorf("%d connectors", s.Connectors)
		}
	})
}

// A worker that is killed and started again before its session is over comes back with empty hands in the round that ends its old
// member; one that is started later comes back to a round without it. The dry run says which, and what it costs from the death on.
func TestKilledAndStartedAgain(t *testing.T) {
	for wait, rounds := range map[time.Duration][2]int{2 * time.Second: {0, 2}, 15 * time.Second: {1, 2}} {
		for _, protocol := range []worker.Protocol{worker.Sessioned, worker.Eager} {
			t.Run(fmt.Sprintf("%s/%s", wait, protocol), func(t *testing.T) {
				onField(t, lab.Options{Protocol: protocol}, func(f *field) {
					tr := f.runner()
					ex := exercise.Exercise{Name: "again", Steps: []exercise.Step{
						{Do: "kill follower", Until: "nothing"}, {Do: "start", Wait: wait},
					}}
					if wait < 10*time.Second && protocol == worker.Sessioned {
						foreseesRestart(f, wait)
					}
					report, err := f.exercise(f.t.Context(), tr, ex)
					f.must(err)
					for i, step := range report.Steps {
						want := rounds[i]
						if protocol == worker.Eager && i == 1 {
							want = 1 // no delay, and nothing to release
						}
						if step.Predicted == nil || step.Predicted.Rounds != want || step.Sum.Rounds != want {
							t.Errorf("%s: predicted %+v, came %+v, want %d rounds", step.Do, step.Predicted, step.Sum, want)
						}
						for _, d := range step.Deviations {
							t.Errorf("%s: out of range: %s", step.Do, d)
						}
					}
				})
			})
		}
	}
}

// foreseesRestart checks what the round after a death and a quick start is foreseen to be.
func foreseesRestart(f *field, wait time.Duration) {
	f.t.Helper()
	s := f.rest()
	i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return !w.Leader })
	w := s.Workers[i]
	p, err := foresight.Foresee(s, foresight.Sequence{
		{Change: foresight.Die{Worker: w.ID}, Hasty: true}, {Change: foresight.Join{Client: w.Client, URL: w.URL}, After: wait},
	})
	f.must(err)
	r := p.Outcomes[0].Rounds[0]
	restarted := slices.ContainsFunc(r.Causes, func(c group.Cause) bool { return c.Kind == group.CauseWorkerRestarted && c.Units == w.Held })
	if why := w.Client + " joins, once " + w.Name + "'s session is over"; !restarted || len(r.Delayed) != w.Held || r.Why != why {
		f.t.Errorf("foreseen: %q, %+v, %d units delayed", r.Why, r.Causes, len(r.Delayed))
	}
}

// A scenario that cannot work is refused before its first step.
func TestScenario(t *testing.T) {
	ex, err := exercise.ReadScenario(strings.NewReader(`
name: evening
about: what happens on most evenings
steps:
  - do: stop worker-2
    until: nothing
  - do: start worker-2
    wait: 5s
    limit: 5m
  - do: evict leader
    times: 3
  - do: freeze worker-1
    for: 30s
  - do: scale sink-a
    tasks: 6
  - do: edit sink-b
    set: {file: elsewhere}
`))
	if err != nil || len(ex.Steps) != 6 || ex.Steps[1].Wait != 5*time.Second || ex.Steps[5].Set["file"] != "elsewhere" {
		t.Fatalf("%+v, %v", ex, err)
	}
	for text, want := range map[string]string{
		"":                                     "it has no steps",
		"steps: [{do: explode}]":               `there is no "explode"`,
		"steps: [{do: scale a}]":               "to how many tasks?",
		"steps: [{do: delete}]":                "which connector?",
		"steps: [{did: stop a}]":               "field did not found",
		"steps: [{do: stop, until: tomorrow}]": `until "tomorrow"`,
		"steps: [{do: stop, wait: -5s}]":       "a negative number",
	} {
		if _, err := exercise.ReadScenario(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
