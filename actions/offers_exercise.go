package actions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"regroup/actions/act"
	"regroup/actions/exercise"
	"regroup/actions/ghost"

	"regroup/group"
)

// exerciseOffers are the exercises that come with regroup, and those of a file.
func (k *Group) exerciseOffers(s *group.State) Offer {
	out := Offer{Label: "an exercise", About: "scripted, with a table of what it cost"}
	for _, b := range exercise.Builtins() {
		o := Offer{Label: b.Name, About: b.About, DisabledReason: k.exerciseDisabled(b.Needs), Fields: k.exerciseFields(s, b)}
		o.Ready = func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			c, err := choiceOf(given)
			if err != nil {
				return nil, err
			}
			ex, err := b.Exercise(k.Watch.State(), c)
			if err != nil {
				return nil, err
			}
			return k.exercise(ctx, ex, given)
		}
		out.List = append(out.List, o)
	}
	own := Offer{
		Label: "from a file", About: "steps of your own, as docs/scenarios has them",
		Fields: append([]act.Field{{Key: "file", Label: "file", Need: true, Help: "YAML with a list of steps"}}, k.newcomerFields()...),
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			file, err := os.Open(given["file"])
			if err != nil {
				return nil, err
			}
			defer file.Close()
			ex, err := exercise.ReadScenario(file)
			if err != nil {
				return nil, err
			}
			return k.exercise(ctx, ex, given)
		},
	}
	out.List = append(out.List, own)
	return out
}

// exerciseOff is why an exercise cannot be done at all; "": it can.
func (k *Group) exerciseDisabled(needs exercise.Need) string {
	switch needs {
	case exercise.NeedsREST:
		return k.restDisabled()
	case exercise.NeedsGhost:
		return k.ghostDisabled()
	}
	return ""
}

// exerciseFields are what an exercise can be told.
func (k *Group) exerciseFields(s *group.State, b exercise.Builtin) []act.Field {
	var out []act.Field
	for _, f := range b.Params {
		out = append(out, f.In(s))
	}
	if b.Needs == exercise.NeedsAdder {
		out = append(out, k.newcomerFields()...)
	}
	return out
}

// newcomerFields are how a worker is added, where neither the lab nor the context knows it.
func (k *Group) newcomerFields() []act.Field {
	if k.Simulate != nil || k.Adder != "" {
		return nil
	}
	return []act.Field{
		{Key: "properties", Label: "properties", Help: "of a worker that is added: its connect-distributed.properties"},
		{Key: "kafka", Label: "Kafka", Value: k.Kafka, Help: "the folder of Kafka, or of its jars"},
	}
}

// choiceOf reads what an exercise was told; an empty field is the exercise's own.
func choiceOf(given map[string]string) (exercise.Choice, error) {
	c := exercise.Choice{Worker: given["worker"], Connector: given["connector"]}
	var errs []error
	number := func(key string) int {
		if given[key] == "" {
			return 0
		}
		n, err := strconv.Atoi(given[key])
		errs = append(errs, err)
		return n
	}
	lasts := func(key string) time.Duration {
		if given[key] == "" {
			return 0
		}
		d, err := time.ParseDuration(given[key])
		errs = append(errs, err)
		return d
	}
	c.Workers, c.Times, c.Tasks = number("workers"), number("times"), number("tasks")
	c.For, c.Pause = lasts("for"), lasts("pause")
	if given["set"] != "" {
		set, err := act.PropertyList(given["set"])
		c.Set, errs = set, append(errs, err)
	}
	return c, errors.Join(errs...)
}

// exercise makes one ready: its table is foreseen, and one consent covers its steps.
func (k *Group) exercise(ctx context.Context, ex exercise.Exercise, given map[string]string) (*PreparedAction, error) {
	tr := &exercise.Runner{Workers: k.Workers, Connectors: k.Connect, Actor: k.runner.Actor, Ghost: ghost.Ghost{RealWork: k.RealWork, Demo: k.Simulate != nil}}
	if why := k.ghostDisabled(); ex.Has("ghost") && why != "" {
		return nil, errors.New(why)
	}
	if ex.Has("add") {
		if err := k.newcomer(tr, given); err != nil {
			return nil, err
		}
	}
	foreseen, err := tr.Foresee(ctx, k.Watch.State(), ex)
	if err != nil {
		return nil, err
	}
	report := &exercise.Report{}
	x := tr.Action(ex, report)
	d := &PreparedAction{
		Action: x, Foreseen: foreseen, Question: k.runner.Actor.Guard.Question(x), EndLabel: "break off the exercise", Exclusive: true,
		Report: func() *exercise.Report {
			if len(report.Steps) == 0 {
				return nil
			}
			return report
		},
	}
	d.Do = func(ctx context.Context, typed string, tell func(string)) (string, error) {
		consent, err := k.runner.Actor.Guard.Consent(x, true, typed)
		if err != nil {
			return "", err
		}
		tr.Progress = func(p exercise.Progress) {
			if p.Step == 0 {
				tell("waits until the group is settled: " + p.Now)
				return
			}
			tell(fmt.Sprintf("step %d of %d, %s: %s", p.Step, p.Steps, p.Do, p.Now))
		}
		actor := *k.runner.Actor
		actor.Tell = tell
		answer, err := actor.Do(ctx, x, consent)
		if ctx.Err() != nil && len(report.Steps) > 0 {
			k.leave(report)
		}
		return answer, err
	}
	return d, nil
}

// newcomer says how the exercise starts workers.
func (k *Group) newcomer(tr *exercise.Runner, given map[string]string) error {
	if k.Simulate != nil {
		tr.Adding = func() (act.Action, error) { return k.Simulate(false), nil }
		return nil
	}
	if tr.New.Command = k.Adder; tr.New.Command != "" {
		return nil
	}
	if given["properties"] == "" || given["kafka"] == "" {
		return errors.New("how is a worker started? give its properties and the folder of Kafka, or use a context with an add command")
	}
	tr.New = k.localWorker(given)
	return nil
}

// leave keeps the table of an exercise that was broken off, to be printed where the screen is left with it.
func (k *Group) leave(r *exercise.Report) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.broken = append(k.broken, r)
}
