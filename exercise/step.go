package exercise

import (
	"fmt"
	"strings"
	"time"
)

// Verb is what a step does.
type Verb string

// The verbs.
const (
	Add    Verb = "add"    // a worker that was not there before joins
	Stop   Verb = "stop"   // a worker stops its work, leaves the group, and ends
	Start  Verb = "start"  // a worker that ended comes back, with its name and its URL
	Kill   Verb = "kill"   // a worker ends without a word
	Freeze Verb = "freeze" // a worker stands still for that long, as in a long garbage collection; then it goes on
	Edit   Verb = "edit"   // a connector's config changes, and how many tasks it has does not
	Scale  Verb = "scale"  // a connector gets another number of tasks
	Create Verb = "create" // a connector is created
	Delete Verb = "delete" // a connector is deleted
	Wait   Verb = "wait"   // time passes
	Settle Verb = "settle" // wait until nothing more will happen by itself
)

// Whoever has a role when a step comes takes part in it.
const (
	Leader   = "leader"
	Follower = "follower" // the first worker, by name, that does not lead
	Last     = "last"     // the worker, or connector, that the last step with one was about
	Some     = "some"     // the first connector, by name
)

// Step is one thing done, or waited for.
type Step struct {
	Do Verb
	// Of is the worker or the connector that it is about: a name or a role. Add and Create with none take a free name.
	Of    string
	For   time.Duration // Freeze, Wait; Settle: at most that long, 0 for as long as it takes
	Tasks int           // Scale, Create
	More  int           // Scale: that many more than it has
	Eager bool          // Add: a worker from before cooperative rebalancing
}

// String is the step in a few words.
func (s Step) String() string {
	out := []string{string(s.Do)}
	if s.Of != "" {
		out = append(out, s.Of)
	}
	switch {
	case s.Do == Scale && s.More != 0:
		out = append(out, fmt.Sprintf("by %+d tasks", s.More))
	case s.Do == Scale:
		out = append(out, fmt.Sprintf("to %d tasks", s.Tasks))
	case s.Do == Create:
		out = append(out, fmt.Sprintf("with %d tasks", s.Tasks))
	}
	if s.Eager {
		out = append(out, "(eager)")
	}
	if s.For > 0 {
		out = append(out, s.For.String())
	}
	return strings.Join(out, " ")
}

// about says whether a verb is about a worker, about a connector, or about nobody.
func (v Verb) worker() bool {
	return v == Add || v == Stop || v == Start || v == Kill || v == Freeze
}

func (v Verb) connector() bool { return v == Edit || v == Scale || v == Create || v == Delete }

// check refuses what nobody could do.
func (s Step) check() error {
	switch {
	case !s.Do.worker() && !s.Do.connector() && s.Do != Wait && s.Do != Settle:
		return fmt.Errorf("there is no step %q; there are %s", s.Do, verbs())
	case s.Do != Add && s.Do != Create && (s.Do.worker() || s.Do.connector()) && s.Of == "":
		return fmt.Errorf("%s: whom? give a name, or a role", s.Do)
	case (s.Do == Freeze || s.Do == Wait) && s.For <= 0:
		return fmt.Errorf("%s: for how long? give a time as 30s", s.Do)
	case s.For < 0:
		return fmt.Errorf("%s: %s is no time to wait", s.Do, s.For)
	case s.Do == Scale && s.Tasks <= 0 && s.More == 0:
		return fmt.Errorf("%s %s: to how many tasks?", s.Do, s.Of)
	case s.Tasks < 0:
		return fmt.Errorf("%s %s: %d tasks", s.Do, s.Of, s.Tasks)
	case s.Eager && s.Do != Add:
		return fmt.Errorf("%s: only a worker that is added can be eager", s.Do)
	}
	return nil
}

func verbs() string {
	return strings.Join([]string{"add", "stop", "start", "kill", "freeze", "edit", "scale", "create", "delete", "wait", "settle"}, ", ")
}
