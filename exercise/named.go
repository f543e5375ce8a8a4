package exercise

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Exercise is a list of steps with a name.
type Exercise struct {
	Name  string
	About string // what it shows, in one sentence
	Group Group  // that a file asks for
	Steps []Step
}

// Group is the group that a scenario file wants to be played on; nil: whatever the player has.
type Group struct {
	Workers    *int
	Connectors *int
	Tasks      *int
	Delay      *time.Duration
}

// Params shape a named exercise.
type Params struct {
	Workers []string      // that are there, by name: a rolling restart takes each
	Down    time.Duration // how long a worker that comes back is gone
}

// flaps is how often a flapping worker goes and comes back.
const flaps = 3

// newTasks is how many tasks a created connector gets, and how many more a scaled one.
const newTasks = 4

// frozen is how long a frozen worker stands still: longer than its session, and longer than its work waits for it.
const frozen = 45 * time.Second

type named struct {
	name, about string
	steps       func(Params) []Step
}

var all = []named{
	{"join", "one more worker joins", just(Step{Do: Add})},
	{"leave", "a worker stops politely and never comes back", just(Step{Do: Stop, Of: Follower})},
	{"crash", "a worker dies and never comes back", just(Step{Do: Kill, Of: Follower})},
	{"bounce", "a worker stops and is back within a short time", func(p Params) []Step { return restart(Follower, p.Down) }},
	{"flap", "a worker goes and comes back three times, and nobody waits for the group", flap},
	{"freeze", "a worker stands still for longer than its session, then goes on", just(Step{Do: Freeze, Of: Follower, For: frozen})},
	{"rolling-restart", "each worker in turn stops and comes back, the next when all is settled", rolling},
	{"scale-out", "two workers join, one shortly after the other", scaleOut},
	{"scale-in", "two workers stop for good, the second when all is settled", scaleIn},
	{"leader-crash", "the leader dies and never comes back", just(Step{Do: Kill, Of: Leader})},
	{"config-edit", "a connector's config changes, its number of tasks does not", just(Step{Do: Edit, Of: Some})},
	{"tasks-change", "a connector gets four tasks more", just(Step{Do: Scale, Of: Some, More: newTasks})},
	{"create", "a connector is created", just(Step{Do: Create, Tasks: newTasks})},
	{"delete", "a connector is deleted", just(Step{Do: Delete, Of: Some})},
	{"downgrade", "a worker from before cooperative rebalancing joins, and leaves again", downgrade},
}

// Names of the exercises, in the order in which they are told.
func Names() []string {
	out := make([]string, len(all))
	for i, n := range all {
		out[i] = n.name
	}
	return out
}

// About is what the exercise of a name shows.
func About(name string) string {
	for _, n := range all {
		if n.name == name {
			return n.about
		}
	}
	return ""
}

// Named gives the exercise of that name.
func Named(name string, p Params) (Exercise, error) {
	i := slices.IndexFunc(all, func(n named) bool { return n.name == name })
	if i < 0 {
		return Exercise{}, fmt.Errorf("exercise %q: there is none of that name; there are %s", name, strings.Join(Names(), ", "))
	}
	return Exercise{Name: name, About: all[i].about, Steps: all[i].steps(p)}, nil
}

// just does one thing and waits for what comes of it.
func just(s Step) func(Params) []Step {
	return func(Params) []Step { return []Step{s, {Do: Settle}} }
}

func restart(worker string, down time.Duration) []Step {
	out := []Step{{Do: Stop, Of: worker}}
	if down > 0 {
		out = append(out, Step{Do: Wait, For: down})
	}
	return append(out, Step{Do: Start, Of: Last}, Step{Do: Settle})
}

func rolling(p Params) []Step {
	var out []Step
	for _, w := range p.Workers {
		out = append(out, restart(w, p.Down)...)
	}
	return out
}

func flap(p Params) []Step {
	var out []Step
	of := Follower
	for range flaps {
		out = append(out, Step{Do: Stop, Of: of}, Step{Do: Wait, For: max(p.Down, time.Second)},
			Step{Do: Start, Of: Last}, Step{Do: Wait, For: max(p.Down, time.Second)})
		of = Last
	}
	return append(out, Step{Do: Settle})
}

func scaleOut(Params) []Step {
	return []Step{{Do: Add}, {Do: Wait, For: 5 * time.Second}, {Do: Add}, {Do: Settle}}
}

func scaleIn(Params) []Step {
	return []Step{{Do: Stop, Of: Follower}, {Do: Settle}, {Do: Stop, Of: Follower}, {Do: Settle}}
}

func downgrade(Params) []Step {
	return []Step{{Do: Add, Eager: true}, {Do: Settle}, {Do: Stop, Of: Last}, {Do: Settle}}
}
