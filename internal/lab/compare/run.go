package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"regroup/actions/exercise"

	"regroup/group"
	"regroup/internal/lab/virtual"
	"regroup/internal/words"
)

// Comparison is one exercise under several modes.
type Comparison struct {
	Options Options
	Name    string
	About   string
	Runs    []*Run
	Span    time.Duration // of the longest run: the time axis that all share

	delays []otherDelay
}

// Run is the exercise under one mode.
type Run struct {
	Mode    Mode
	State   *group.State
	From    time.Time // when the exercise began
	First   int       // index of its first round in State.Rounds
	Steps   []Mark
	Outages []group.Gap // because of it
	Sum     Sum

	maxDelay time.Duration
	downs    []level // how many units are down over time
	stops    []level // how many units stopped, and when
}

// Mark is a step, and when it was done.
type Mark struct {
	At time.Duration
	Do string
}

// Sum is what the exercise cost.
type Sum struct {
	Rounds   int
	Stopped  int           // how often a unit stopped: also with its worker, to start again where it ran, or for good
	Lost     time.Duration // unit-seconds of work not running
	MostDown int           // units down at once
	Longest  time.Duration // the longest gap of a unit
	Settled  time.Duration // until nothing more happens by itself
	Never    bool          // it did not settle; Settled is when the exercise gave up
	Waiting  int           // units that nobody runs in the end
	Failed   int           // units that failed to start and stay so in the end
	Twins    int           // units that run twice in the end
	Twice    int           // units that started while their old worker still ran them
}

// Play compares. Modes run side by side: none knows of another.
func Play(o Options) (*Comparison, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Comparison{Options: o, Name: o.label(), Runs: make([]*Run, len(o.Modes))}
	faults := make([]error, len(o.Modes))
	var wg sync.WaitGroup
	for i, m := range o.Modes {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					faults[i] = fmt.Errorf("compare %s under %s: a bug: %v", c.Name, m.Name, p)
				}
			}()
			if c.Runs[i], faults[i] = o.play(m); faults[i] != nil {
				faults[i] = fmt.Errorf("compare %s under %s: %w", c.Name, m.Name, faults[i])
			}
		})
	}
	wg.Wait()
	for i, r := range c.Runs {
		if faults[i] != nil {
			return nil, faults[i]
		}
		c.Span = max(c.Span, r.Sum.Settled)
	}
	c.delays = c.tryDelays()
	c.About = o.Scenario.About
	if b, err := exercise.FindBuiltin(o.Exercise); err == nil {
		c.About = b.About
	}
	return c, nil
}

func (o *Options) play(m Mode) (*Run, error) {
	model := group.New(group.Options{Group: "simulated", MaxDelay: o.Delay})
	s := virtual.New(o.virtual(m), model.Apply)
	if err := s.Begin(); err != nil {
		return nil, fmt.Errorf("before it begins: %w", err)
	}
	before := model.State(s.Now())
	ex, err := o.steps(before)
	if err != nil {
		return nil, err
	}
	r := &Run{Mode: m, maxDelay: o.Delay, From: s.Now(), First: len(before.Rounds)}
	p := s.Play()
	for _, step := range ex.Steps {
		s.Run(step.Wait)
		step.Wait = 0
		r.Steps = append(r.Steps, Mark{s.Now().Sub(r.From), step.String()})
		if err = p.Step(step); err != nil {
			break
		}
	}
	if err == nil {
		err = s.Settle()
	}
	var never *virtual.NeverError
	if r.Sum.Never = errors.As(err, &never); err != nil && !r.Sum.Never {
		return nil, err
	}
	r.State = model.State(s.Now())
	for _, stop := range s.Stops() {
		if !stop.At.Before(r.From) {
			r.stops = append(r.stops, level{stop.At.Sub(r.From), stop.Units})
			r.Sum.Stopped += stop.Units
		}
	}
	r.sumUp(s.Crashes())
	return r, nil
}

func (o *Options) steps(s *group.State) (exercise.Exercise, error) {
	if len(o.Scenario.Steps) > 0 {
		return o.Scenario, nil
	}
	b, err := exercise.FindBuiltin(o.Exercise)
	if err != nil {
		return exercise.Exercise{}, err
	}
	if o.Workers == 1 && alone[o.Exercise] {
		return exercise.Exercise{Name: b.Name, About: b.About, Steps: lone(b.Name, o)}, nil
	}
	if o.Connectors == 0 && needsConnector[o.Exercise] {
		return exercise.Exercise{}, fmt.Errorf("there is no connector: give --connectors")
	}
	return b.Exercise(s, o.choice())
}

// The exercises on a worker that does not lead, in a group of one: that one is taken.
var alone = map[string]bool{"leave": true, "crash": true, "bounce": true, "flap": true, "freeze": true, "scale-in": true}

var needsConnector = map[string]bool{"config-edit": true, "tasks-change": true, "delete": true}

func lone(name string, o *Options) []exercise.Step {
	switch name {
	case "crash":
		return []exercise.Step{{Do: "kill leader"}}
	case "bounce":
		return []exercise.Step{{Do: "stop leader", Until: "nothing"}, {Do: "start", Wait: o.Down}}
	case "flap":
		return []exercise.Step{{Do: "evict leader", Times: 3}}
	case "freeze":
		return []exercise.Step{{Do: "freeze leader"}}
	}
	return []exercise.Step{{Do: "stop leader"}}
}

// sumUp counts the exercise's rounds and what they stopped.
func (r *Run) sumUp(crashes []time.Time) {
	first := -1
	for i := r.First; i < len(r.State.Rounds); i++ {
		round := r.State.Rounds[i]
		if first < 0 {
			first = round.Seq
		}
		r.Sum.Rounds++
		r.Sum.Twice += round.Twice
	}
	r.Sum.Settled = r.State.Now.Sub(r.From)
	for i := range r.State.Units {
		switch r.State.Units[i].State {
		case group.UnitFailed:
			r.Sum.Failed++
		case group.UnitDuplicated:
			r.Sum.Twins++
		}
	}
	if first < 0 {
		return
	}
	r.Outages = r.State.Outages()
	mine := r.Outages[:0]
	for _, g := range r.Outages {
		dead := func(at time.Time) bool { return at.Equal(g.From) }
		if g.Seq < first || g.Frozen || g.Crash && !slices.ContainsFunc(crashes, dead) {
			continue // of before; or its worker was put out of the group, and ran it on until others did
		}
		mine = append(mine, g)
		long := g.To.Sub(g.From)
		r.Sum.Lost += long
		r.Sum.Longest = max(r.Sum.Longest, long)
		if !g.Ended {
			r.Sum.Waiting++
		}
	}
	r.Outages = mine
	r.downs = r.levels()
	for _, l := range r.downs {
		r.Sum.MostDown = max(r.Sum.MostDown, l.n)
	}
}

// Rounds are those of the exercise.
func (r *Run) Rounds() []*group.Round { return r.State.Rounds[r.First:] }

// Before is the round before one of the exercise's.
func (r *Run) Before(i int) *group.Round {
	if i += r.First - 1; i >= 0 {
		return r.State.Rounds[i]
	}
	return nil
}

// At is when one of the exercise's rounds was recorded, from the exercise's beginning.
func (r *Run) At(i int) time.Duration { return r.Rounds()[i].RecordedAt.Sub(r.From) }

// Did says what one of the exercise's rounds did.
func (r *Run) Did(i int) string {
	round, prev := r.Rounds()[i], r.Before(i)
	var out []string
	add := func(n int, format string) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, words.Thousands(n)))
		}
	}
	add(round.Stopped+round.Dropped, "stops %s")
	left := 0
	for _, g := range round.Left {
		left += g.Held
	}
	switch {
	case round.Empty():
		add(left, "nobody to give %s to")
	case wasEager(prev) || round.Mode == group.ModeEager:
		add(left, "%s stopped with who left")
	}
	if r.honours() && round.Mode == group.ModeEager && round.Started == 0 && round.Unassigned > 0 {
		out = append(out, "everyone stops")
	}
	add(round.Started, "starts %s")
	add(round.Restarted, "restarts %s")
	switch {
	case round.Started > 0:
		add(round.Moved, "%s of them elsewhere")
	case round.Stopped == 0:
		add(round.Duplicated, "two report %s")
	}
	add(round.Twice, "%s may run twice")
	if round.Delayed > 0 {
		out = append(out, fmt.Sprintf("%s for %s", waiting(round.Delayed), words.Short(time.Duration(round.DelayMs)*time.Millisecond)))
	} else if round.DelayMs > 0 {
		out = append(out, "nothing waits, and the leader pauses for "+words.Short(time.Duration(round.DelayMs)*time.Millisecond))
	}
	add(round.Unassigned, "%s in nobody's hands")
	if len(out) == 0 {
		return "nothing moves"
	}
	return strings.Join(out, ", ")
}

func waiting(n int) string {
	if n == 1 {
		return "1 waits"
	}
	return words.Thousands(n) + " wait"
}
