package exercise

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"regroup/actions/act"
	"regroup/group"
)

// Prepared is an exercise made ready, for the screen and the command line alike: foreseen, agreed to as one action, and done.
type Prepared struct {
	Action act.Action

	runner   *Runner
	exercise Exercise
	report   Report
}

// Ways are what only those know who ask for an exercise.
type Ways struct {
	NoGhost string              // why no ghost may join; "": one may, or its step says why not
	Add     func(*Runner) error // says how workers are started; it is asked only where the exercise adds some
}

// Prepare makes an exercise ready. Nothing is done by it.
func (t *Runner) Prepare(ex Exercise, w Ways) (*Prepared, error) {
	if w.NoGhost != "" && ex.Has("ghost") {
		return nil, errors.New(w.NoGhost)
	}
	if ex.Has("add") {
		if err := w.Add(t); err != nil {
			return nil, err
		}
	}
	p := &Prepared{runner: t, exercise: ex}
	p.Action = t.Action(ex, &p.report)
	return p, nil
}

// Foresee is the exercise's dry run from that State on.
func (p *Prepared) Foresee(ctx context.Context, s *group.State) (*Report, error) {
	return p.runner.Foresee(ctx, s, p.exercise)
}

// Do runs it, once agreed to. progress takes how far it is.
func (p *Prepared) Do(ctx context.Context, c act.Consent, progress func(Progress)) (string, error) {
	p.runner.Progress = progress
	return p.runner.Actor.Do(ctx, p.Action, c)
}

// Report is what it did and cost, once Do is over, however it went; nil where it never came to its steps.
func (p *Prepared) Report() *Report {
	if len(p.report.Steps) == 0 {
		return nil
	}
	return &p.report
}

// String tells how far an exercise is.
func (p Progress) String() string {
	if p.Step == 0 {
		return "waits until the group is settled: " + p.Now
	}
	return fmt.Sprintf("step %d of %d, %s: %s", p.Step, p.Steps, p.Do, p.Now)
}

// ReadChoice reads what an exercise was told in fields, by their keys; an empty one is the exercise's own.
func ReadChoice(given map[string]string) (Choice, error) {
	c := Choice{Worker: given["worker"], Connector: given["connector"]}
	var errs []error
	count := func(key string) int {
		if given[key] == "" {
			return 0
		}
		n, err := strconv.Atoi(given[key])
		errs = append(errs, err)
		return n
	}
	span := func(key string) time.Duration {
		if given[key] == "" {
			return 0
		}
		d, err := time.ParseDuration(given[key])
		errs = append(errs, err)
		return d
	}
	c.Workers, c.Times, c.Tasks = count("workers"), count("times"), count("tasks")
	c.For, c.Pause = span("for"), span("pause")
	if given["set"] != "" {
		set, err := act.PropertyList(given["set"])
		c.Set, errs = set, append(errs, err)
	}
	return c, errors.Join(errs...)
}
