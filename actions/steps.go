package actions

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
)

// preparedStep is a step made ready: the action, and how its effect shows.
type preparedStep struct {
	action Action
	seen   func(*group.State) string // what of its effect is missing yet; nil: nothing shows
}

// verbs prepare steps, by their first word.
var verbs = map[string]func(*ExerciseRunner, context.Context, *group.State, string, Step) (preparedStep, error){
	"stop": func(t *ExerciseRunner, ctx context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
		return t.end(ctx, s, what, stopping)
	},
	"kill":   (*ExerciseRunner).kill,
	"start":  (*ExerciseRunner).startAgain,
	"evict":  (*ExerciseRunner).evict,
	"freeze": (*ExerciseRunner).freeze,
	"add":    (*ExerciseRunner).add,
	"ghost":  (*ExerciseRunner).ghost,
	"create": (*ExerciseRunner).put,
	"edit":   (*ExerciseRunner).put,
	"scale":  (*ExerciseRunner).scale,
	"revert": (*ExerciseRunner).revert,
	"delete": (*ExerciseRunner).remove,
}

// Verbs are the words that a step can begin with, sorted.
func Verbs() []string { return slices.Sorted(maps.Keys(verbs)) }

func (t *ExerciseRunner) prepare(ctx context.Context, s *group.State, step Step) (preparedStep, error) {
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
	return FindWorker(s, what)
}

// left says that a member id is not in the group any more.
func left(id, name string) func(*group.State) string {
	return func(s *group.State) string {
		if slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return w.ID == id && !w.Gone }) {
			return name + " is still in the group"
		}
		return ""
	}
}

// isBack says that a worker is in the group under another member id than that.
func isBack(was group.Worker) func(*group.State) string {
	return func(s *group.State) string {
		if w, here := again(s, was); !here || w.ID == was.ID {
			return was.Name + " is not back yet"
		}
		return ""
	}
}

func (t *ExerciseRunner) kill(ctx context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	return t.end(ctx, s, what, killing)
}

func (t *ExerciseRunner) end(ctx context.Context, s *group.State, what string, end func(group.Worker, Process) Action) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	p, err := t.Workers.reach(ctx, s, w)
	if err != nil {
		return preparedStep{}, err
	}
	t.gone[w.Client] = departed{w, p}
	t.gone["last"] = departed{w, p}
	return preparedStep{end(w, p), left(w.ID, w.Name)}, nil
}

func (t *ExerciseRunner) startAgain(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	d, ok := t.gone[cmp.Or(what, "last")]
	if !ok {
		return preparedStep{}, fmt.Errorf("worker %q was not ended in this exercise", decode.Printable(what))
	}
	return preparedStep{Action{
		Verb: "start", Target: d.worker.Name, Change: foresight.Join{Client: d.worker.Client, URL: d.worker.URL, Starts: t.Workers.starts(s)},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", d.process.Again(ctx) },
	}, isBack(d.worker)}, nil
}

func (t *ExerciseRunner) evict(_ context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	x := t.Workers.Evict(w, max(1, step.Times))
	return preparedStep{x, memberSeen(s, x.Change)}, nil
}

func (t *ExerciseRunner) freeze(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	w, err := pick(s, what)
	if err != nil {
		return preparedStep{}, err
	}
	d := t.Workers.freezeTime(ctx, s, w, step.For)
	p, err := t.Workers.reach(ctx, s, w)
	if err != nil {
		return preparedStep{}, err
	}
	x := freezing(w, p, d)
	return preparedStep{x, memberSeen(s, x.Change)}, nil
}

// freezeTime is how long a worker is frozen: where it is not told, longer than anybody waits for it.
func (k *Workers) freezeTime(ctx context.Context, s *group.State, w group.Worker, told time.Duration) time.Duration {
	if told > 0 {
		return told
	}
	session := s.SessionTimeout(w.ID)
	if session == 0 {
		session = foresight.DefaultSession
	}
	return session + k.maxDelay(ctx, s) + 2*foresight.Heartbeat
}

func (t *ExerciseRunner) add(_ context.Context, s *group.State, _ string, _ Step) (preparedStep, error) {
	if t.Adding != nil {
		x, err := t.Adding()
		return preparedStep{x, memberSeen(s, x.Change)}, err
	}
	x, err := t.Workers.Add(t.New)
	return preparedStep{action: x}, err
}

// ghostStays is how long a ghost stays in an exercise that does not say.
const ghostStays = 10 * foresight.Heartbeat

// ghost joins, stays and leaves within its step.
func (t *ExerciseRunner) ghost(_ context.Context, s *group.State, _ string, step Step) (preparedStep, error) {
	g := t.Ghost
	if g.For = step.For; g.For == 0 {
		g.For = ghostStays
	}
	if step.Eager {
		g.Protocol = "eager"
	}
	x, err := t.Workers.Ghost(g)
	return preparedStep{action: x}, err
}

func (t *ExerciseRunner) connectors() (Connectors, error) {
	if t.Connectors == nil {
		return nil, fmt.Errorf("no worker can be asked over REST")
	}
	return t.Connectors, nil
}

// put creates or edits a connector: the step's properties over those that it has.
func (t *ExerciseRunner) put(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
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
	x := Action{Verb: verb, Target: what, Destructive: verb == "edit"}
	tasks := atoi(config["tasks.max"])
	if verb == "create" {
		x.Change = foresight.Create{Connector: what, Tasks: tasks}
	} else if k := configOf(s, what); k != nil {
		x.Change = foresight.Configure{Connector: what, Tasks: k.Tasks}
	}
	x.Do = func(ctx context.Context, _ func(string)) (string, error) { return "", c.Put(ctx, what, config) }
	return preparedStep{x, configured(s, what)}, nil
}

// scale sets tasks.max.
func (t *ExerciseRunner) scale(ctx context.Context, s *group.State, what string, step Step) (preparedStep, error) {
	if step.Tasks < 1 {
		return preparedStep{}, fmt.Errorf("scale %s: to how many tasks?", decode.Printable(what))
	}
	step.Do, step.Set = "edit "+what, map[string]string{"tasks.max": strconv.Itoa(step.Tasks)}
	d, err := t.put(ctx, s, what, step)
	d.action.Verb, d.action.Change = "scale", foresight.Configure{Connector: what, Tasks: step.Tasks}
	return d, err
}

// revert gives a connector back what it had before it was edited in this exercise.
func (t *ExerciseRunner) revert(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	c, err := t.connectors()
	if err != nil {
		return preparedStep{}, err
	}
	config, ok := t.undo[what]
	if !ok {
		return preparedStep{}, fmt.Errorf("connector %q was not edited in this exercise", decode.Printable(what))
	}
	tasks := atoi(config["tasks.max"])
	return preparedStep{Action{
		Verb: "revert", Target: what, Destructive: true, Change: foresight.Configure{Connector: what, Tasks: tasks},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", c.Put(ctx, what, config) },
	}, configured(s, what)}, nil
}

func (t *ExerciseRunner) remove(_ context.Context, s *group.State, what string, _ Step) (preparedStep, error) {
	c, err := t.connectors()
	if err != nil {
		return preparedStep{}, err
	}
	return preparedStep{Action{
		Verb: "delete", Target: what, Destructive: true, Change: foresight.Delete{Connector: what},
		Do: func(ctx context.Context, _ func(string)) (string, error) { return "", c.Delete(ctx, what) },
	}, configured(s, what)}, nil
}

func configOf(s *group.State, name string) *group.ConnectorConfig {
	for _, c := range s.Configs() {
		if c.Name == name {
			return &c
		}
	}
	return nil
}

// configured says that the config topic has a newer record of the connector.
func configured(was *group.State, name string) func(*group.State) string {
	before := int64(-1)
	if c := configOf(was, name); c != nil {
		before = c.RecordOffset
	}
	return func(s *group.State) string {
		if c := configOf(s, name); c == nil || c.RecordOffset <= before {
			return name + "'s new configuration is not in the config topic yet"
		}
		return ""
	}
}

// atoi reads tasks.max: 1 where it is not there, as Connect does.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}
