package scene

import (
	"fmt"
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/words"
)

// Context is a named cluster, as a person set it up.
type Context struct {
	Name       string // "": none is in use
	Colour     string // of its name: red, yellow, green, cyan, blue, magenta; "" is the usual
	Production bool   // it is marked so
	ReadOnly   bool   // nothing may be done
}

// Fleet is every Connect group of a cluster at one moment.
type Fleet struct {
	Now      time.Time
	Brokers  string
	Groups   []GroupSummary // in any order; the screen shows the worst first
	Sources  []group.SourceState
	NotShown []NotShown
}

// Trouble is why the groups cannot be listed; "" when they can, or when that is not known yet.
func (f *Fleet) Trouble() string {
	if src := f.troubled(); src != nil {
		return src.Detail
	}
	return ""
}

// troubled is the source that does not tell of the groups; nil when they all do, or when that is not known yet.
func (f *Fleet) troubled() *group.SourceState {
	if f == nil {
		return nil
	}
	for i := range f.Sources {
		switch src := &f.Sources[i]; src.Health {
		case group.HealthUnreachable, group.HealthDenied:
			return src
		}
	}
	return nil
}

// Blind is the verdict on a list of which no broker has told anything for a while.
func (f *Fleet) Blind() (group.Verdict, bool) {
	if len(f.Sources) == 0 || f.Sources[0].Heard.IsZero() || f.Now.Sub(f.Sources[0].Heard) < group.BlindAfter {
		return group.Verdict{}, false
	}
	what := fmt.Sprintf("What you see is %s old.", words.Age(f.Now.Sub(f.Sources[0].Heard)))
	alone := "Workers that stay cut off stop their work."
	return group.Verdict{
		Word: "BLIND", Sentence: "The brokers do not answer. " + what + " " + alone, Short: "The brokers do not answer.", Second: what,
		Fewer: []string{"The brokers do not answer. " + what},
	}, true
}

// GroupSummary is one line of the fleet. What is not known is left at its zero value, and not shown.
type GroupSummary struct {
	Group      string
	Phase      string // Kafka's state
	Verdict    group.Verdict
	Mode       group.Mode
	Generation int32 // -1: not known
	Workers    int
	Connectors int
	Tasks      int
	States     map[group.UnitStateKind]int // how many units are in each state
	LastRound  time.Time
	Findings   int
	HourCost   group.Cost // of the rounds of the last hour

	// State and Report are the group itself, where it is watched and not only described: what happened, and what is found.
	State  *group.State
	Report *doctor.Report
}

// NotShown is a group, or several, that the fleet leaves out, and why.
type NotShown struct {
	Group string // "" where Why names them
	Why   string
}
