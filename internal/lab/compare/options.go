package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/actions/exercise"

	"regroup/group/assign"
	"regroup/internal/lab/virtual"
	"regroup/internal/words"
)

// Mode is a way in which a group rebalances.
type Mode struct {
	Name  string
	About string
	eager bool
	rules assign.AssignorVersion
}

// Modes are all of them.
var Modes = []Mode{
	{Name: "eager", About: "protocol default: everybody stops everything before each round", eager: true},
	{Name: "cooperative", About: "as released in 3.7 and later: only what moves stops", rules: assign.Released},
	{Name: "proposed", About: "as KIP-415 proposed it: a leader's loss is like any worker's, and a delay outlives it", rules: assign.Proposed},
	{Name: "2.3", About: "as first released", rules: assign.Released23},
}

// Eager says whether the mode's workers speak eager alone.
func (m Mode) Eager() bool { return m.eager }

// FindModes finds modes by their names; "released" is another name of cooperative.
func FindModes(names []string) ([]Mode, error) {
	var out []Mode
	for _, name := range names {
		if name == "released" {
			name = "cooperative"
		}
		i := slices.IndexFunc(Modes, func(m Mode) bool { return m.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("mode %q: not one of eager, cooperative, proposed, 2.3", name)
		}
		if !slices.ContainsFunc(out, func(m Mode) bool { return m.Name == name }) {
			out = append(out, Modes[i])
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no mode: name at least one of eager, cooperative, proposed, 2.3")
	}
	return out, nil
}

// Options of a comparison.
type Options struct {
	Modes                      []Mode
	Workers, Connectors, Tasks int
	Delay                      time.Duration // 0: none
	Start, Stop                time.Duration // that a unit takes; 0: none
	Down                       time.Duration // how long a worker that comes back is gone
	Heartbeat                  time.Duration
	Seed                       uint64
	// Exercise of that name; or Scenario, if it has steps.
	Exercise string
	Scenario exercise.Exercise
}

// Bounds of what is simulated: enough for the largest group that anybody runs, and it ends.
const (
	maxWorkers = 500
	maxTasks   = 50_000
	maxTime    = time.Hour
)

func (o *Options) check() error {
	for _, n := range []struct {
		what         string
		is, from, to int
	}{{"workers", o.Workers, 1, maxWorkers}, {"connectors", o.Connectors, 0, maxTasks}, {"tasks", o.Tasks, 0, maxTasks}} {
		if n.is < n.from || n.is > n.to {
			return fmt.Errorf("%s %d: give %d to %d", n.what, n.is, n.from, n.to)
		}
	}
	for _, d := range []struct {
		what string
		is   time.Duration
	}{{"delay", o.Delay}, {"start-time", o.Start}, {"stop-time", o.Stop}, {"down", o.Down}} {
		if d.is < 0 || d.is > maxTime {
			return fmt.Errorf("%s %s: give 0 to %s", d.what, d.is, maxTime)
		}
	}
	if o.Heartbeat < 10*time.Millisecond || o.Heartbeat >= sessionTimeout {
		return fmt.Errorf("heartbeat %s: give 10ms to less than the session timeout, %s", o.Heartbeat, sessionTimeout)
	}
	return nil
}

const (
	sessionTimeout = 10 * time.Second
	initialDelay   = 3 * time.Second
)

func (o *Options) virtual(m Mode) virtual.Options {
	delay := o.Delay
	if delay == 0 {
		delay = -1 // 0 is the default there
	}
	return virtual.Options{
		Group: "simulated", Workers: o.Workers, Connectors: Spread(o.Connectors, o.Tasks), Eager: m.eager, Rules: m.rules, Delay: delay,
		Seed: o.Seed, Heartbeat: o.Heartbeat, Session: sessionTimeout, InitialDelay: initialDelay, Start: o.Start, Stop: o.Stop,
	}
}

// Spread shares tasks out over connectors, the first ones with one more.
func Spread(connectors, tasks int) []virtual.Connector {
	out := make([]virtual.Connector, connectors)
	width := len(strconv.Itoa(connectors))
	for i := range out {
		n := tasks / connectors
		if i < tasks%connectors {
			n++
		}
		out[i] = virtual.Connector{Name: fmt.Sprintf("sink-%0*d", width, i+1), Tasks: n}
	}
	return out
}

// choice is what the exercises that come with regroup are told.
func (o *Options) choice() exercise.Choice {
	c := exercise.Choice{Pause: max(o.Down, time.Millisecond), Set: map[string]string{"connector.class": "simulated", "tasks.max": "4"}}
	first := ""
	if o.Connectors > 0 {
		first = Spread(o.Connectors, o.Tasks)[0].Name
	}
	switch o.Exercise {
	case "create":
		c.Connector = "new"
	case "config-edit":
		c.Connector, c.Set = first, map[string]string{"edited": "true"}
	case "tasks-change", "delete":
		c.Connector = first
	case "scale-out", "scale-in":
		c.Workers = max(1, min(2, o.Workers-1))
	}
	if o.Exercise == "scale-out" {
		c.Workers = 2
	}
	return c
}

// Exercises are the names that a comparison can have.
func Exercises() []string {
	var out []string
	for _, b := range exercise.Builtins() {
		out = append(out, b.Name)
	}
	return out
}

func (o *Options) label() string {
	if len(o.Scenario.Steps) > 0 {
		return o.Scenario.Name
	}
	return o.Exercise
}

// Line tells the group and the times in one line.
func (o *Options) Line() string {
	parts := []string{words.Plural(o.Workers, "worker"), words.Plural(o.Connectors, "connector"), words.Plural(o.Tasks, "task")}
	delay := "no delay"
	if o.Delay > 0 {
		delay = "delay " + words.Short(o.Delay)
	}
	rest := []string{"down " + words.Short(o.Down), delay, "heartbeat " + words.Short(o.Heartbeat), fmt.Sprintf("seed %d", o.Seed)}
	return strings.Join(parts, ", ") + " · " + strings.Join(rest, " · ")
}
