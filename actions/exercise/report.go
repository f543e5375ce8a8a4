package exercise

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
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
	Exercise  string
	Group     string
	Mode      group.Mode
	From      int // Seq of the round that it began from
	Steps     []StepReport
	Total     Sum
	Predicted *Sum     // of all steps that were done
	Caveats   []string // of a dry run: why it may come otherwise
}

// StepReport is one step of it.
type StepReport struct {
	Do          string
	State       StepState
	Answer      string
	Took        time.Duration
	Sum         Sum                    // what happened; of a dry run what is predicted
	Predicted   *Sum                   // before the exercise began; nil: nothing was, or this is a dry run
	Deviations  []Deviation            // of Sum from Predicted
	Differences []foresight.Difference // from what was foreseen for the step

	from int  // Seq before it
	calm bool // the group had settled after it: what comes next is foreseen from there
}

// Sum adds up rounds: each of its counts is the sum of those that regroup rounds prints for them.
type Sum struct {
	Rounds                                      int
	Started, Stopped, Restarted, Dropped, Moved int
	EagerStops                                  int           // of EagerWouldStop
	Units                                       int           // that did not run for a while because of them
	Low, High                                   time.Duration // unit-seconds of work not running
	LongestLow                                  time.Duration // the longest gap of any unit
	LongestHigh                                 time.Duration
	Estimated                                   bool // from rounds alone, for lack of status records
}

func (s *Sum) add(o Sum) {
	s.Rounds += o.Rounds
	s.Started += o.Started
	s.Stopped += o.Stopped
	s.Restarted += o.Restarted
	s.Dropped += o.Dropped
	s.Moved += o.Moved
	s.EagerStops += o.EagerStops
	s.Units += o.Units
	s.Low, s.High = s.Low+o.Low, s.High+o.High
	s.LongestLow, s.LongestHigh = max(s.LongestLow, o.LongestLow), max(s.LongestHigh, o.LongestHigh)
	s.Estimated = s.Estimated || o.Estimated
}

// sum adds up the rounds of s after Seq from, up to Seq to.
func sum(s *group.State, from, to int) Sum {
	var out Sum
	var all group.Cost
	for i, r := range s.Rounds {
		if r.Seq <= from || r.Seq > to || i > s.At {
			continue
		}
		out.add(Sum{
			Rounds: 1, Started: r.Started, Stopped: r.Stopped, Restarted: r.Restarted, Dropped: r.Dropped, Moved: r.Moved, EagerStops: r.EagerWouldStop,
		})
		if c, ok := s.Cost(r); ok {
			all = all.Plus(c)
		}
	}
	out.setCost(all)
	return out
}

// price puts what predicted rounds are reckoned to cost in place of what their synthetic records tell.
func (s *Sum) price(rounds []foresight.Foreseen) {
	var c group.Cost
	for _, f := range rounds {
		c = c.Plus(f.Cost)
	}
	s.setCost(c)
}

func (s *Sum) setCost(c group.Cost) {
	s.Units, s.Low, s.High, s.LongestLow, s.LongestHigh, s.Estimated = c.Units, c.Low, c.High, c.LongestLow, c.LongestHigh, c.Estimated
}

// Deviation is a figure of a step that lies outside of its prediction. Both are ranges; a count's ends are the same.
type Deviation struct {
	What              string // "rounds", "stopped", "unit-seconds", "longest gap" …
	Actual, Predicted [2]float64
}

// deviations are the figures in which what happened lies outside of what was predicted. Ranges that touch agree.
func (s *Sum) deviations(predicted *Sum) []Deviation {
	if predicted == nil {
		return nil
	}
	var out []Deviation
	for _, c := range []struct {
		what         string
		have, wanted int
	}{
		{"rounds", s.Rounds, predicted.Rounds},
		{"started", s.Started, predicted.Started},
		{"stopped", s.Stopped, predicted.Stopped},
		{"restarted", s.Restarted, predicted.Restarted},
		{"dropped", s.Dropped, predicted.Dropped},
		{"moved", s.Moved, predicted.Moved},
		{"eager stops", s.EagerStops, predicted.EagerStops},
		{"units down", s.Units, predicted.Units},
	} {
		if c.have != c.wanted {
			out = append(out, Deviation{c.what, points(c.have), points(c.wanted)})
		}
	}
	for _, r := range []struct {
		what                   string
		low, high, least, most time.Duration
	}{
		{"unit-seconds", s.Low, s.High, predicted.Low, predicted.High},
		{"longest gap", s.LongestLow, s.LongestHigh, predicted.LongestLow, predicted.LongestHigh},
	} {
		if r.low > r.most || r.high < r.least {
			out = append(out, Deviation{r.what, [2]float64{r.low.Seconds(), r.high.Seconds()}, [2]float64{r.least.Seconds(), r.most.Seconds()}})
		}
	}
	return out
}

func points(n int) [2]float64 { return [2]float64{float64(n), float64(n)} }

func (d Deviation) String() string {
	return fmt.Sprintf("%s %s, predicted %s", d.What, rangeOf(d.Actual), rangeOf(d.Predicted))
}

func rangeOf(r [2]float64) string {
	one := func(f float64) string {
		if f == math.Trunc(f) || f >= 100 {
			return strconv.FormatFloat(f, 'f', 0, 64)
		}
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	if low, high := one(r[0]), one(r[1]); low != high {
		return low + "-" + high
	}
	return one(r[0])
}

// Tally works out what each step cost: the rounds from its beginning to that of the next.
func (r *Report) Tally(s *group.State) {
	r.Total, r.Predicted = Sum{}, nil
	for i := range r.Steps {
		step := &r.Steps[i]
		if step.State == StepNotDone {
			continue
		}
		to := act.Newest(s)
		if i+1 < len(r.Steps) && r.Steps[i+1].State != StepNotDone {
			to = r.Steps[i+1].from
		}
		step.Sum = sum(s, step.from, to)
		step.Deviations = step.Sum.deviations(step.Predicted)
		r.Total.add(step.Sum)
		if step.Predicted != nil {
			if r.Predicted == nil {
				r.Predicted = &Sum{}
			}
			r.Predicted.add(*step.Predicted)
		}
	}
}

// predict notes what a dry run said of each step.
func (r *Report) predict(dry *Report) {
	for i := range min(len(r.Steps), len(dry.Steps)) {
		r.Steps[i].Predicted = &dry.Steps[i].Sum
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
	return fmt.Sprintf("%d of %s done, %s, %s down for a while, eager would have stopped %d", done, words.Count(len(r.Steps), "step"),
		words.Count(r.Total.Rounds, "round"), words.Count(r.Total.Units, "unit"), r.Total.EagerStops)
}

type sumJSON struct {
	Rounds        int        `json:"rounds"`
	Started       int        `json:"started"`
	Stopped       int        `json:"stopped"`
	Restarted     int        `json:"restarted"`
	Dropped       int        `json:"dropped"`
	Moved         int        `json:"moved"`
	EagerStops    int        `json:"eagerStops"`
	Units         int        `json:"units"`       // that did not run for a while
	UnitSeconds   [2]float64 `json:"unitSeconds"` // at least, at most
	LongestSecs   [2]float64 `json:"longestSeconds"`
	EstimatedOnly bool       `json:"estimated"`
}

func (s *Sum) json() *sumJSON {
	if s == nil {
		return nil
	}
	return &sumJSON{
		s.Rounds, s.Started, s.Stopped, s.Restarted, s.Dropped, s.Moved, s.EagerStops, s.Units,
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
		Predicted   *sumJSON `json:"predicted,omitempty"`
		OutOfRange  []string `json:"outOfRange"` // what happened lies outside of what was predicted
		Differences []string `json:"differences"`
	}
	out := struct {
		Exercise  string     `json:"exercise"`
		Group     string     `json:"group"`
		Mode      group.Mode `json:"mode"`
		Steps     []stepJSON `json:"steps"`
		Total     *sumJSON   `json:"total"`
		Predicted *sumJSON   `json:"predicted,omitempty"` // of the steps that were done
		Doubts    []string   `json:"doubts,omitempty"`
	}{r.Exercise, r.Group, r.Mode, []stepJSON{}, r.Total.json(), r.Predicted.json(), r.Caveats}
	for _, s := range r.Steps {
		j := stepJSON{s.Do, s.State, s.Answer, s.Took.Milliseconds(), *s.Sum.json(), s.Predicted.json(), []string{}, []string{}}
		for _, d := range s.Deviations {
			j.OutOfRange = append(j.OutOfRange, d.String())
		}
		for _, d := range s.Differences {
			j.Differences = append(j.Differences, d.String())
		}
		out.Steps = append(out.Steps, j)
	}
	return json.Marshal(out)
}
