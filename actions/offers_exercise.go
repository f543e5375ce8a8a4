package actions

import (
	"context"
	"errors"
	"os"

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
			c, err := exercise.ReadChoice(given)
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

// exercise makes one ready: its table is foreseen, and one consent covers its steps.
func (k *Group) exercise(ctx context.Context, ex exercise.Exercise, given map[string]string) (*PreparedAction, error) {
	tr := &exercise.Runner{Workers: k.Workers, Connectors: k.Connect, Actor: k.runner.Actor, Ghost: ghost.Ghost{RealWork: k.RealWork, Demo: k.Simulate != nil}}
	p, err := tr.Prepare(ex, exercise.Ways{
		NoGhost: k.ghostDisabled(),
		Add:     func(tr *exercise.Runner) error { return k.newcomer(tr, given) },
	})
	if err != nil {
		return nil, err
	}
	foreseen, err := p.Foresee(ctx, k.Watch.State())
	if err != nil {
		return nil, err
	}
	guard := k.runner.Actor.Guard
	d := &PreparedAction{
		Action: p.Action, Foreseen: foreseen, Question: guard.Question(p.Action), EndLabel: "break off the exercise", Exclusive: true,
		Report: p.Report,
	}
	d.Do = func(ctx context.Context, typed string, tell func(string)) (string, error) {
		consent, err := guard.Consent(p.Action, true, typed)
		if err != nil {
			return "", err
		}
		answer, err := p.Do(ctx, consent, func(at exercise.Progress) { tell(at.String()) })
		if report := p.Report(); ctx.Err() != nil && report != nil {
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
