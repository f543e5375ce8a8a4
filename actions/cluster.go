package actions

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"
	"regroup/actions/exercise"
	"regroup/actions/process"

	"regroup/actions/editor"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/rest"
)

// Cluster is what can be done to the groups of one cluster by somebody who looks at them.
type Cluster struct {
	Guard    act.Guard
	Audit    *act.Audit // nil: none is kept
	Dial     observe.Dial
	Reachers []process.Reacher
	// Client, Reach and Extra are how workers are called; see ConnectClient. NoREST is why none can be; nil: one can.
	Client rest.Client
	Reach  func(advertised string) string
	Extra  []string
	NoREST error

	Adder    process.Command             // starts one more worker; empty: there is none
	Kafka    string                      // where Kafka is on this machine, as far as is known
	Logs     string                      // the folder for what workers print that are started here
	Simulate func(eager bool) act.Action // adds a worker where all are simulated; nil: they are real
	RealWork bool                        // a ghost may hold real units
	Editor   editor.Editor

	mu     sync.Mutex
	groups map[string]*Group
	broken []*exercise.Report // exercises that were broken off
	kept   []error            // what became of a text that was in an editor when the program was told to end
}

// Group is what can be done to one group of a Cluster.
type Group struct {
	*Cluster
	Name    string
	Watch   *act.Watch
	Workers *process.Workers
	Connect *connect.Client
	done    chan group.Action
	runner  Runner
}

// settleLimit bounds how long the screen waits for what comes of an action: longer than Connect's default delay.
const settleLimit = 10 * time.Minute

// Group gives a group its actions, always the same ones.
func (c *Cluster) Group(name string) *Group {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.groups[name]
	if k != nil {
		return k
	}
	k = &Group{Cluster: c, Name: name, Watch: act.NewWatch(), done: make(chan group.Action, 16)}
	k.Workers = &process.Workers{Group: name, Dial: c.Dial, Watch: k.Watch, Reachers: c.Reachers, AtOnce: c.Simulate != nil}
	k.Connect = &connect.Client{Group: name, Client: c.Client, Watch: k.Watch, Reach: c.Reach, Extra: c.Extra}
	k.runner = Runner{Watch: k.Watch, Workers: k.Workers, Limit: settleLimit, Unmoved: true, Actor: &act.Actor{
		Group: name, Who: act.Who(), Guard: c.Guard, Audit: c.Audit, Emit: EmitTo(k.done),
	}}
	if c.groups == nil {
		c.groups = map[string]*Group{}
	}
	c.groups[name] = k
	return k
}

// EmitTo sends facts into a channel as long as there is room: they are on record all the same.
func EmitTo(done chan<- group.Action) func(group.Action) {
	return func(f group.Action) {
		select {
		case done <- f:
		default:
		}
	}
}

// Observed lets a group's observation know what is done from here.
func (c *Cluster) Observed(o observe.Options) observe.Options {
	o.Done = c.Group(o.Group).done
	return o
}

// Fed keeps a group's actions up to date with what is published of it.
func (c *Cluster) Fed(name string, publish func(*group.State)) func(*group.State) {
	k := c.Group(name)
	return func(s *group.State) {
		k.Watch.Publish(s)
		publish(s)
	}
}

// ready prepares an action, within the time that a dialog may wait.
func (k *Group) ready(ctx context.Context, x act.Action, lines ...string) (*PreparedAction, error) {
	ctx, end := context.WithTimeout(ctx, probeTime)
	defer end()
	return k.runner.Prepare(ctx, x, lines...), nil
}

// Unfinished returns the exercises that were broken off, and what became of texts that were in an editor when the program was
// told to end: to be said once the screen is left.
func (c *Cluster) Unfinished() ([]*exercise.Report, []error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken, c.kept
}

// keep keeps what is to be said once the screen is left.
func (c *Cluster) keep(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = append(c.kept, err)
}

// Pair is one property of a connector, as it may be shown.
type Pair struct{ Key, Value string }

// Properties are a connector's, by name, with secrets masked.
func (c *Cluster) Properties(ctx context.Context, group, connector string) ([]Pair, error) {
	if c.NoREST != nil { // what a worker answers is said as it answers
		return nil, c.NoREST
	}
	h := c.Group(group).Connect
	config, err := h.Fetch(ctx, connector)
	if err != nil {
		return nil, err
	}
	secrets, err := h.Secrets(ctx, config)
	if err != nil {
		return nil, err
	}
	var out []Pair
	for _, key := range slices.Sorted(maps.Keys(config)) {
		value := "null"
		if v := config[key]; v != nil {
			value = secrets.Show(key, *v)
		}
		out = append(out, Pair{key, value})
	}
	return out, nil
}
