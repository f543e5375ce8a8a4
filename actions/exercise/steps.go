package exercise

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"regroup/actions/act"
	"regroup/actions/process"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
)

// preparedStep is a step made ready: the action, and how its effect shows.
type preparedStep struct {
	action act.Action
	seen   func(*group.State) string // what of its effect is missing yet; nil: nothing shows
}

// verbs prepare steps, by their first word.
var verbs = map[string]func(*Runner, context.Context, *group.State, string, Step) (preparedStep, error){
	"stop": func(t *Runner, ctx context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
		return t.end(ctx, s, what, process.Stopping)
	},
	"kill":   (*Runner).kill,
	"start":  (*Runner).startAgain,
	"evict":  (*Runner).evict,
	"freeze": (*Runner).freeze,
	"add":    (*Runner).add,
	"ghost":  (*Runner).ghost,
	"create": (*Runner).put,
	"edit":   (*Runner).put,
	"scale":  (*Runner).scale,
	"revert": (*Runner).revert,
	"delete": (*Runner).remove,
}

// Verbs are the words that a step can begin with, sorted.
func Verbs() []string { return slices.Sorted(maps.Keys(verbs)) }

func (t *Runner) prepare(ctx context.Context, s *group.State, step Step) (preparedStep, error) {
	verb, what := step.parts()
	do, ok := verbs[verb]
	if !ok {
		return preparedStep{}, noVerb(verb)
	}
	return do(t, ctx, s, what, step)
}

// pick finds the worker that a step names: leader, follower (the first that does not lead), or one by name.
func pick(s *group.State, what string) (group.Worker, error) {
	for _, w := range s.Workers {
		if !w.Gone && (what == "leader" && w.Leader || (what == "follower" || what == "") && !w.Leader) {
			return w, nil
		}
	}
	return act.FindWorker(s, what)
}

func (t *Runner) kill(ctx context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	return t.end(ctx, s, what, process.Killing)
}

func (t *Runner) end(ctx context.Context, s *group.State, what string, end func(group.Worker, process.Process) act.Action) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	p, err := t.Workers.Reach(ctx, s, w)
	if err != nil {
		return preparedStep{}, err
	}
	t.gone[w.Client] = departed{w, p}
	t.gone["last"] = departed{w, p}
	return preparedStep{end(w, p), act.Left(w.ID, w.Name)}, nil
}

func (t *Runner) startAgain(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	d, ok := t.gone[cmp.Or(what, "last")]
	if !ok {
		return preparedStep{}, fmt.Errorf("worker %q was not ended in this exercise", decode.Printable(what))
	}
	return preparedStep{act.Action{
		Verb: "start", Target: d.worker.Name, Change: foresight.Join{Client: d.worker.Client, URL: d.worker.URL, Starts: t.Workers.Starts(s)},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", d.process.Again(ctx) },
	}, act.IsBack(d.worker)}, nil
}

func (t *Runner) evict(_ context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	x := t.Workers.Evict(w, max(1, step.Times))
	return preparedStep{x, act.MemberSeen(s, x.Change)}, nil
}

func (t *Runner) freeze(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	d := t.Workers.FreezeTime(ctx, s, w, step.For)
	p, err := t.Workers.Reach(ctx, s, w)
	if err != nil {
		return preparedStep{}, err
	}
	x := process.Freezing(w, p, d)
	return preparedStep{x, act.MemberSeen(s, x.Change)}, nil
}

func (t *Runner) add(_ context.Context, s *group.State, _ string, _ Step) (preparedStep, error) {
	if t.Adding != nil {
		x, err := t.Adding()
		return preparedStep{x, act.MemberSeen(s, x.Change)}, err
	}
	x, err := t.Workers.Add(t.New)
	return preparedStep{action: x}, err
}

// ghostStays is how long a ghost stays in an exercise that does not say.
const ghostStays = 10 * foresight.Heartbeat

// ghost joins, stays and leaves within its step.
func (t *Runner) ghost(_ context.Context, s *group.State, _ string, step Step) (preparedStep, error) {
	g := t.Ghost
	if g.For = step.For; g.For == 0 {
		g.For = ghostStays
	}
	if step.Eager {
		g.Protocol = "eager"
	}
	x, err := g.Action(t.Workers)
	return preparedStep{action: x}, err
}

func (t *Runner) connectors() (Connectors, error) {
	if t.Connectors == nil {
		return nil, fmt.Errorf("no worker can be asked over REST")
	}
	return t.Connectors, nil
}

// put creates or edits a connector: the step's properties over those that it has.
func (t *Runner) put(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	c, err := t.connectors()
	if err != nil {
		return preparedStep{}, err
	}
	verb, _ := step.parts()
	config := map[string]string{}
	if verb == "edit" {
		if config, err = c.Config(ctx, what); err != nil {
			return preparedStep{}, err
		}
		t.undo[what] = maps.Clone(config)
	}
	for k, v := range step.Set {
		if config[k] = v; v == "" {
			delete(config, k)
		}
	}
	x := act.Action{Verb: verb, Target: what, Destructive: verb == "edit"}
	tasks := atoi(config["tasks.max"])
	if verb == "create" {
		x.Change = foresight.Create{Connector: what, Tasks: tasks}
	} else if k := act.ConfigOf(s, what); k != nil {
		x.Change = foresight.Configure{Connector: what, Tasks: k.Tasks}
	}
	x.Do = func(ctx context.Context, _ func(string)) (string, error) { return "", c.Put(ctx, what, config) }
	return preparedStep{x, act.Configured(s, what)}, nil
}

// scale sets tasks.max.
func (t *Runner) scale(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	if step.Tasks < 1 {
		return preparedStep{}, fmt.Errorf("scale %s: to how many tasks?", decode.Printable(what))
	}
	step.Do, step.Set = "edit "+what, map[string]string{"tasks.max": strconv.Itoa(step.Tasks)}
	d, err := t.put(ctx, s, what, step)
	d.action.Verb, d.action.Change = "scale", foresight.Configure{Connector: what, Tasks: step.Tasks}
	return d, err
}

// revert gives a connector back what it had before it was edited in this exercise.
func (t *Runner) revert(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	c, err := t.connectors()
	if err != nil {
		return preparedStep{}, err
	}
	config, ok := t.undo[what]
	if !ok {
		return preparedStep{}, fmt.Errorf("connector %q was not edited in this exercise", decode.Printable(what))
	}
	tasks := atoi(config["tasks.max"])
	return preparedStep{act.Action{
		Verb: "revert", Target: what, Destructive: true, Change: foresight.Configure{Connector: what, Tasks: tasks},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", c.Put(ctx, what, config) },
	}, act.Configured(s, what)}, nil
}

func (t *Runner) remove(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	c, err := t.connectors()
	if err != nil {
		return preparedStep{}, err
	}
	return preparedStep{act.Action{
		Verb: "delete", Target: what, Destructive: true, Change: foresight.Delete{Connector: what},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", c.Delete(ctx, what) },
	}, act.Configured(s, what)}, nil
}

// atoi reads tasks.max: 1 where it is not there, as Connect does.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}
