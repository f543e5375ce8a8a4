package actions

import (
	"encoding/json"
	"fmt"
	"time"

	"regroup/group"
)

// StepState says how far a step got.
type StepState string

// The states.
const (
	StepNotDone   StepState = "not done"
	StepBegun     StepState = "begun"     // it was broken off
	StepFailed    StepState = "failed"    // Answer says why
	StepUnsettled StepState = "unsettled" // done, and the group did not settle in time
	StepDone      StepState = "done"
	StepForeseen  StepState = "foreseen" // of a dry run
)

// Report is what an exercise did and what it cost, or would.
type Report struct {
	Exercise string
	Group    string
	Mode     group.Mode
	From     int // Seq of the round that it began from
	Steps    []StepReport
	Total    Sum
	Doubts   []string // of a dry run: why it may come otherwise
}

// StepReport is one step of it.
type StepReport struct {
	Do          string
	State       StepState
	Answer      string
	Took        time.Duration
	Sum         Sum
	Differences []Difference // from what was foreseen for the step

	from int  // Seq before it
	calm bool // the group had settled after it: what comes next is foreseen from there
}

// Sum is what rounds cost.
type Sum struct {
	Rounds int
	// Stopped counts how often a unit stopped, also those that ended with their worker.
	Stopped int
	// EagerStops is how often units would have stopped under eager, counted likewise.
	EagerStops  int
	Low, High   time.Duration // unit-seconds of work not running
	LongestLow  time.Duration // the longest gap of any unit
	LongestHigh time.Duration
	Estimated   bool // from rounds alone, for lack of status records
}

func (s *Sum) add(o Sum) {
	s.Rounds += o.Rounds
	s.Stopped += o.Stopped
	s.EagerStops += o.EagerStops
	s.Low, s.High = s.Low+o.Low, s.High+o.High
	s.LongestLow, s.LongestHigh = max(s.LongestLow, o.LongestLow), max(s.LongestHigh, o.LongestHigh)
	s.Estimated = s.Estimated || o.Estimated
}

// sum adds up the rounds of s after Seq from, up to Seq to. Units that left with their worker stopped, unless it came back with
// them in hand.
func sum(s *group.State, from, to int) Sum {
	var out Sum
	var all group.Cost
	for i, r := range s.Rounds {
		if r.Seq <= from || r.Seq > to || i > s.At {
			continue
		}
		out.Rounds++
		out.EagerStops += r.EagerWouldStop
		out.Stopped += r.Stopped + r.Dropped + r.Restarted
		for j, g := range r.Left {
			out.EagerStops += g.Held
			out.Stopped += g.Held - broughtBack(s, i, j)
		}
		if c, ok := s.Cost(r); ok {
			all = all.Plus(c)
		}
	}
	out.setCost(all)
	return out
}

// price puts what foreseen rounds are reckoned to cost in place of what their synthetic records tell.
func (s *Sum) price(rounds []Foreseen) {
	var c group.Cost
	for _, f := range rounds {
		c = c.Plus(f.price)
	}
	s.setCost(c)
}

func (s *Sum) setCost(c group.Cost) {
	s.Low, s.High, s.LongestLow, s.LongestHigh, s.Estimated = c.Low, c.High, c.LongestLow, c.LongestHigh, c.Estimated
}

// broughtBack counts the units that the j-th worker to leave in round i still had when it was seen next.
func broughtBack(s *group.State, i, j int) int {
	worker := s.Rounds[i].Left[j].Worker
	for k := i + 1; k <= s.At; k++ {
		for _, m := range s.Detail(k).Members {
			if m.Worker == worker {
				return common(m.Reported, s.Detail(i).LeftHeld[j])
			}
		}
	}
	return 0
}

func common(a, b []group.Unit) (n int) {
	in := make(map[group.Unit]bool, len(a))
	for _, u := range a {
		in[u] = true
	}
	for _, u := range b {
		if in[u] {
			n++
		}
	}
	return n
}

// Tally works out what each step cost: the rounds from its beginning to that of the next.
func (r *Report) Tally(s *group.State) {
	r.Total = Sum{}
	for i := range r.Steps {
		step := &r.Steps[i]
		if step.State == StepNotDone {
			continue
		}
		to := Newest(s)
		if i+1 < len(r.Steps) && r.Steps[i+1].State != StepNotDone {
			to = r.Steps[i+1].from
		}
		step.Sum = sum(s, step.from, to)
		r.Total.add(step.Sum)
	}
}

// Answer says in a few words how it went.
func (r *Report) Answer() string {
	done := 0
	for _, s := range r.Steps {
		if s.State == StepDone {
			done++
		}
	}
	return fmt.Sprintf("%d of %s done, %s, %s stopped, eager would have stopped %d", done, several(len(r.Steps), "step"),
		several(r.Total.Rounds, "round"), units(r.Total.Stopped), r.Total.EagerStops)
}

type sumJSON struct {
	Rounds        int        `json:"rounds"`
	Stopped       int        `json:"stopped"`
	EagerStops    int        `json:"eagerStops"`
	UnitSeconds   [2]float64 `json:"unitSeconds"` // at least, at most
	LongestSecs   [2]float64 `json:"longestSeconds"`
	EstimatedOnly bool       `json:"estimated"`
}

func (s Sum) json() sumJSON {
	return sumJSON{
		s.Rounds, s.Stopped, s.EagerStops,
		[2]float64{s.Low.Seconds(), s.High.Seconds()},
		[2]float64{s.LongestLow.Seconds(), s.LongestHigh.Seconds()},
		s.Estimated,
	}
}

// MarshalJSON writes the report for scripts.
func (r *Report) MarshalJSON() ([]byte, error) {
	type stepJSON struct {
		Do     string    `json:"do"`
		State  StepState `json:"state"`
		Answer string    `json:"answer,omitempty"`
		TookMs int64     `json:"tookMs,omitempty"`
		sumJSON
		Differences []string `json:"differences"`
	}
	out := struct {
		Exercise string     `json:"exercise"`
		Group    string     `json:"group"`
		Mode     group.Mode `json:"mode"`
		Steps    []stepJSON `json:"steps"`
		Total    sumJSON    `json:"total"`
		Doubts   []string   `json:"doubts,omitempty"`
	}{r.Exercise, r.Group, r.Mode, []stepJSON{}, r.Total.json(), r.Doubts}
	for _, s := range r.Steps {
		j := stepJSON{s.Do, s.State, s.Answer, s.Took.Milliseconds(), s.Sum.json(), []string{}}
		for _, d := range s.Differences {
			j.Differences = append(j.Differences, d.String())
		}
		out.Steps = append(out.Steps, j)
	}
	return json.Marshal(out)
}
