package exercise

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"regroup/actions/act"

	"go.yaml.in/yaml/v3"

	"regroup/decode"
	"regroup/group"
)

// Choice is what the exercises that come with regroup can be told.
type Choice struct {
	Worker    string            // which one; "": the first that does not lead
	Connector string            // for those on connectors
	Workers   int               // scale-out, scale-in: how many; 0 is 1
	Times     int               // flap; 0 is 3
	Tasks     int               // tasks-change: to how many; 0 is two more
	For       time.Duration     // freeze; 0: longer than session and delay together
	Pause     time.Duration     // bounce, crash: before the worker is started again; 0 is 5 s
	Set       map[string]string // config-edit, create: properties
}

// Builtin is an exercise that comes with regroup.
type Builtin struct {
	Name, About string
	// Params are what it can be told, besides how a worker is added.
	Params []act.Field
	Needs  Need
	steps  func(s *group.State, c Choice) ([]Step, error)
}

// Need is what an exercise cannot do without.
type Need int

// What exercises need.
const (
	NeedsREST  Need = iota + 1 // a worker that answers over REST
	NeedsGhost                 // a ghost that may join
	NeedsAdder                 // a way to start one more worker
)

// Builtins are all of them, in the order in which they are listed.
func Builtins() []Builtin { return slices.Clone(builtins) }

var (
	workerParam     = act.Field{Key: "worker", Label: "worker", Need: true, Help: "which one", From: workersThere}
	connectorParam  = act.Field{Key: "connector", Label: "connector", Need: true, Help: "which one", From: connectorsThere}
	propertiesParam = act.Field{Key: "set", Label: "properties", Need: true, Help: "key=value, with a comma between two", Check: act.AreProperties}
)

func number(key, label, value, help string) act.Field {
	return act.Field{Key: key, Label: label, Value: value, Help: help, Check: act.IsCount}
}

func lasts(key, label, value, help string) act.Field {
	return act.Field{Key: key, Label: label, Value: value, Help: help, Check: act.IsTime}
}

var builtins = []Builtin{
	{"join", "one more worker joins", nil, NeedsAdder, func(*group.State, Choice) ([]Step, error) { return []Step{{Do: "add"}}, nil }},
	{"leave", "a worker is stopped and stays away", []act.Field{workerParam}, 0, one("stop")},
	{"crash", "a worker is killed and stays away", []act.Field{workerParam}, 0, one("kill")},
	{
		"bounce", "a worker is stopped and started again",
		[]act.Field{workerParam, lasts("pause", "away for", "5s", "before it is started again")},
		0,
		func(s *group.State, c Choice) ([]Step, error) {
			w, err := pick(s, c.Worker)
			return bounce(w, cmp.Or(c.Pause, 5*time.Second)), err
		},
	},
	{
		"flap", "a worker is evicted again and again",
		[]act.Field{workerParam, number("times", "times", "3", "how often")},
		0,
		func(s *group.State, c Choice) ([]Step, error) {
			w, err := pick(s, c.Worker)
			return []Step{{Do: "evict " + w.Name, Times: cmp.Or(c.Times, 3)}}, err
		},
	},
	{
		"freeze", "a worker is paused past its session timeout and comes back",
		[]act.Field{workerParam, lasts("for", "for", "", "empty: longer than session and delay together")},
		0,
		func(s *group.State, c Choice) ([]Step, error) {
			w, err := pick(s, c.Worker)
			return []Step{{Do: "freeze " + w.Name, For: c.For}}, err
		},
	},
	{
		"rolling-restart", "every worker is restarted, one after the other, the leader last",
		[]act.Field{lasts("pause", "away for", "5s", "each worker, before it is started again")},
		0, rollingRestart,
	},
	{
		"scale-out", "more workers join, one after the other",
		[]act.Field{number("workers", "workers", "1", "how many join")},
		NeedsAdder,
		func(_ *group.State, c Choice) ([]Step, error) {
			return slices.Repeat([]Step{{Do: "add"}}, cmp.Or(c.Workers, 1)), nil
		},
	},
	{"scale-in", "workers are stopped one after the other, the leader last", []act.Field{number("workers", "workers", "1", "how many stop")}, 0, scaleIn},
	{"leader-crash", "the leader is killed and stays away", nil, 0, func(*group.State, Choice) ([]Step, error) {
		return []Step{{Do: "kill leader"}}, nil
	}},
	{
		"config-edit", "a connector's properties are changed, and changed back",
		[]act.Field{connectorParam, propertiesParam},
		NeedsREST,
		func(_ *group.State, c Choice) ([]Step, error) {
			if len(c.Set) == 0 {
				return nil, fmt.Errorf("which property is changed? give one as key=value (--set); one that its tasks do not use causes no round")
			}
			return twoOn(c, Step{Do: "edit ", Set: c.Set}, Step{Do: "revert "})
		},
	},
	{
		"tasks-change", "a connector gets more tasks, and then as many as it had",
		[]act.Field{connectorParam, number("tasks", "tasks.max", "", "empty: two more than now")},
		NeedsREST,
		func(s *group.State, c Choice) ([]Step, error) {
			n := c.Tasks
			if k := act.ConfigOf(s, c.Connector); n == 0 && k != nil {
				n = k.Tasks + 2
			}
			return twoOn(c, Step{Do: "scale ", Tasks: n}, Step{Do: "revert "})
		},
	},
	{
		"create", "a connector is created",
		[]act.Field{
			{Key: "connector", Label: "connector", Need: true, Help: "its name"},
			{Key: "set", Label: "properties", Value: "connector.class=", Need: true, Help: propertiesParam.Help, Check: act.AreProperties},
		},
		NeedsREST,
		func(_ *group.State, c Choice) ([]Step, error) {
			if c.Connector == "" || c.Set["connector.class"] == "" {
				return nil, fmt.Errorf("a connector needs a name, and properties with connector.class at least")
			}
			return []Step{{Do: "create " + c.Connector, Set: c.Set}}, nil
		},
	},
	{"delete", "a connector is deleted", []act.Field{connectorParam}, NeedsREST, func(_ *group.State, c Choice) ([]Step, error) {
		if c.Connector == "" {
			return nil, fmt.Errorf("which connector?")
		}
		return []Step{{Do: "delete " + c.Connector}}, nil
	}},
	{
		"downgrade", "a worker that only supports eager joins, which makes the group eager, and leaves",
		[]act.Field{lasts("for", "for", "30s", "how long the eager worker stays")},
		NeedsGhost,
		func(_ *group.State, c Choice) ([]Step, error) {
			return []Step{{Do: "ghost", Eager: true, For: c.For}}, nil
		},
	},
}

// workersThere are the workers of a group, and the first that does not lead.
func workersThere(s *group.State) (names []string, usual string) {
	for _, w := range s.Workers {
		if w.Gone {
			continue
		}
		if names = append(names, w.Name); usual == "" && !w.Leader {
			usual = w.Name
		}
	}
	return names, usual
}

// connectorsThere are the connectors of a group, and the first.
func connectorsThere(s *group.State) (names []string, usual string) {
	for _, c := range s.Configs() {
		if c.Live {
			names = append(names, c.Name)
		}
	}
	if len(names) > 0 {
		usual = names[0]
	}
	return names, usual
}

// Exercise makes the steps for the group as it stands.
func (b Builtin) Exercise(s *group.State, c Choice) (Exercise, error) {
	steps, err := b.steps(s, c)
	if err != nil {
		return Exercise{}, fmt.Errorf("exercise %s: %w", b.Name, err)
	}
	return Exercise{Name: b.Name, About: b.About, Steps: steps}, nil
}

// FindBuiltin finds an exercise by its name.
func FindBuiltin(name string) (Builtin, error) {
	var names []string
	for _, b := range builtins {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return Builtin{}, fmt.Errorf("exercise %q: there is none; there are %s", decode.Printable(name), strings.Join(names, ", "))
}

func one(verb string) func(*group.State, Choice) ([]Step, error) {
	return func(s *group.State, c Choice) ([]Step, error) {
		w, err := pick(s, c.Worker)
		return []Step{{Do: verb + " " + w.Name}}, err
	}
}

func twoOn(c Choice, there, back Step) ([]Step, error) {
	if c.Connector == "" {
		return nil, fmt.Errorf("which connector?")
	}
	there.Do += c.Connector
	back.Do += c.Connector
	return []Step{there, back}, nil
}

// bounce stops a worker and starts it again before its units are given away, if its start is quick enough.
func bounce(w group.Worker, after time.Duration) []Step {
	return []Step{{Do: "stop " + w.Name, Until: "nothing"}, {Do: "start " + w.Client, Wait: after}}
}

func rollingRestart(s *group.State, c Choice) ([]Step, error) {
	var steps []Step
	for _, w := range leaderLast(s) {
		steps = append(steps, bounce(w, c.Pause)...)
	}
	return steps, nil
}

func scaleIn(s *group.State, c Choice) ([]Step, error) {
	all := leaderLast(s)
	n := cmp.Or(c.Workers, 1)
	if n >= len(all) {
		return nil, fmt.Errorf("%d workers are to go, and there are %d: one has to stay", n, len(all))
	}
	var steps []Step
	for _, w := range all[:n] {
		steps = append(steps, Step{Do: "stop " + w.Name})
	}
	return steps, nil
}

func leaderLast(s *group.State) []group.Worker {
	out := slices.DeleteFunc(slices.Clone(s.Workers), func(w group.Worker) bool { return w.Gone })
	slices.SortStableFunc(out, func(a, b group.Worker) int {
		if a.Leader == b.Leader {
			return strings.Compare(a.Name, b.Name)
		}
		if a.Leader {
			return 1
		}
		return -1
	})
	return out
}

// ReadScenario reads an exercise of one's own:
//
//	name: evening
//	steps:
//	  - do: stop worker-2
//	    until: nothing
//	  - do: start worker-2
//	    wait: 5s
//	    limit: 5m
//	  - do: scale sink-a
//	    tasks: 6
func ReadScenario(r io.Reader) (Exercise, error) {
	raw, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return Exercise{}, fmt.Errorf("scenario: %w", err)
	}
	var ex Exercise
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&ex); err != nil && !errors.Is(err, io.EOF) {
		return ex, fmt.Errorf("scenario: %s", strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	if ex.Name == "" {
		ex.Name = "scenario"
	}
	return ex, ex.check()
}

// check refuses what would only fail in the middle.
func (ex Exercise) check() error {
	if len(ex.Steps) == 0 {
		return fmt.Errorf("scenario %s: it has no steps", decode.Printable(ex.Name))
	}
	for i, s := range ex.Steps {
		verb, what := s.parts()
		var why error
		switch {
		case verbs[verb] == nil:
			why = noVerb(verb)
		case onConnectors[verb] && what == "":
			why = fmt.Errorf("which connector?")
		case s.Until != "" && s.Until != "settled" && s.Until != "nothing":
			why = fmt.Errorf("until %q: it can be settled or nothing", decode.Printable(s.Until))
		case s.Wait < 0 || s.Limit < 0 || s.For < 0 || s.Times < 0 || s.Tasks < 0:
			why = errors.New("a negative number")
		case verb == "scale" && s.Tasks == 0:
			why = fmt.Errorf("to how many tasks?")
		}
		if why != nil {
			return fmt.Errorf("scenario %s: step %d, %s: %w", decode.Printable(ex.Name), i+1, decode.Printable(s.Do), why)
		}
	}
	return nil
}

var onConnectors = map[string]bool{"create": true, "edit": true, "scale": true, "revert": true, "delete": true}

func noVerb(verb string) error {
	return fmt.Errorf("there is no %q: a step begins with %s", decode.Printable(verb), strings.Join(Verbs(), ", "))
}

// parts are a step's verb and what it is done to.
func (s Step) parts() (verb, what string) {
	verb, what, _ = strings.Cut(strings.TrimSpace(s.Do), " ")
	if verb == "crash" { // what kill was called in scenarios once
		verb = "kill"
	}
	return verb, strings.TrimSpace(what)
}
