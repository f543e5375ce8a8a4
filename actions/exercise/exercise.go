package exercise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"
	"regroup/actions/ghost"
	"regroup/actions/process"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
)

// Exercise is a series of steps on a live group, each in a settled one.
type Exercise struct {
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	Steps []Step `yaml:"steps"`
}

// Has reports whether one of its steps begins with a verb.
func (ex *Exercise) Has(verb string) bool {
	return slices.ContainsFunc(ex.Steps, func(s Step) bool {
		v, _ := s.parts()
		return v == verb
	})
}

// Step is one thing to do, and what to wait for after it.
type Step struct {
	// Do is a verb and what it is done to: "stop worker-2", "kill leader", "scale sink-a". See Verbs.
	Do string `yaml:"do"`
	// Wait passes before the step is done.
	Wait time.Duration `yaml:"wait"`
	// Until is what the next step waits for: "settled" ("") or "nothing".
	Until string        `yaml:"until"`
	Limit time.Duration `yaml:"limit"` // of that; 0: 10 minutes

	Times int               `yaml:"times"` // evict
	For   time.Duration     `yaml:"for"`   // freeze, ghost
	Tasks int               `yaml:"tasks"` // scale
	Set   map[string]string `yaml:"set"`   // edit, create: properties; an empty value takes one away
	Eager bool              `yaml:"eager"` // ghost: it knows eager alone
}

// Connectors are what exercises do to connectors; package actions' own connector actions are behind it.
type Connectors interface {
	// Config is the connector's present configuration, as it can be written back.
	Config(ctx context.Context, name string) (map[string]string, error)
	// Put creates a connector, or gives it another configuration.
	Put(ctx context.Context, name string, config map[string]string) error
	Delete(ctx context.Context, name string) error
}

var _ Connectors = (*connect.Client)(nil)

// Runner runs exercises.
type Runner struct {
	Workers    *process.Workers
	Connectors Connectors        // nil: steps on connectors are refused
	New        process.NewWorker // for the verb add
	// Adding is what add does, where workers are not started as New says: in the lab. nil: New says it.
	Adding func() (act.Action, error)
	Ghost  ghost.Ghost // for the verb ghost
	// Actor does the steps. Its guard is that of the whole exercise; see Runner.Action.
	Actor    *act.Actor
	Progress func(Progress) // nil: nobody looks

	gone map[string]departed // workers that were ended, by client id: they can be started again
	undo map[string]map[string]string
}

// departed is a worker that was ended, and how to start it again.
type departed struct {
	worker  group.Worker
	process process.Process
}

// Progress is how far an exercise is.
type Progress struct {
	Step, Steps int // Step counts from 1
	Do          string
	Now         string // what it does, or waits for
}

const stepLimit = 10 * time.Minute

// Action is the whole exercise as one action: one consent covers its steps. report is filled in as the exercise goes on.
func (t *Runner) Action(ex Exercise, report *Report) act.Action {
	var what []string
	for _, s := range ex.Steps {
		what = append(what, s.String())
	}
	return act.Action{
		Verb: "exercise", Target: ex.Name, Destructive: true, Harm: "it will " + strings.Join(what, ", then "),
		Do: func(ctx context.Context, _ func(string)) (string, error) {
			err := t.run(ctx, ex, report)
			return report.Answer(), err
		},
	}
}

// String tells a step as in "freeze worker-2 for 30s".
func (s Step) String() string {
	text := s.Do
	if s.Wait > 0 {
		text = fmt.Sprintf("wait %s and %s", s.Wait, text)
	}
	if s.Times > 1 {
		text += fmt.Sprintf(" %d times", s.Times)
	}
	if s.For > 0 {
		text += fmt.Sprintf(" for %s", s.For)
	}
	if s.Tasks > 0 {
		text += " to " + words.Count(s.Tasks, "task")
	}
	return text
}

// run does the steps. Where one fails, or ctx ends, the group stays as it is, and the report says what was done and what not.
func (t *Runner) run(ctx context.Context, ex Exercise, report *Report) error {
	t.gone, t.undo = map[string]departed{}, map[string]map[string]string{}
	*report = Report{Exercise: ex.Name, Group: t.Workers.Group}
	for _, s := range ex.Steps {
		report.Steps = append(report.Steps, StepReport{Do: s.String(), State: StepNotDone})
	}
	s, err := t.settled(ctx, Progress{0, len(ex.Steps), "", ""}, stepLimit, nil)
	if err != nil {
		return fmt.Errorf("exercise %s: nothing was done: the group has to be settled first: %w", ex.Name, err)
	}
	report.Mode, report.From = s.Round().Mode, act.Newest(s)
	if dry, err := t.Foresee(ctx, s, ex); err == nil { // else the table has no predictions
		report.predict(dry)
	}
	for i, step := range ex.Steps {
		if err := t.step(ctx, i, step, report); err != nil {
			report.Tally(t.Workers.Watch.State())
			if errors.Is(err, context.Canceled) {
				err = brokenOffError{}
			}
			return fmt.Errorf("exercise %s: step %d of %d, %s: %w", ex.Name, i+1, len(ex.Steps), step, err)
		}
	}
	report.Tally(t.Workers.Watch.State())
	return nil
}

// brokenOffError says that somebody ended an exercise.
type brokenOffError struct{}

func (brokenOffError) Error() string { return "broken off; the group stays as it is" }

// Unwrap tells what of it a program asks.
func (brokenOffError) Unwrap() error { return context.Canceled }

func (t *Runner) step(ctx context.Context, i int, step Step, report *Report) error {
	out := &report.Steps[i]
	at := Progress{i + 1, len(report.Steps), step.String(), ""}
	if step.Wait > 0 {
		t.progress(at, "waits "+step.Wait.String())
		if act.Sleep(ctx, step.Wait) != nil {
			return ctx.Err()
		}
	}
	before := t.Workers.Watch.State()
	out.from = act.Newest(before)
	prepared, err := t.prepare(ctx, before, step)
	if err != nil {
		return err
	}
	var preview *foresight.Preview
	if i == 0 || report.Steps[i-1].calm {
		preview = t.foreseeStep(ctx, before, prepared.action)
	}
	begun := time.Now()
	out.State = StepBegun
	t.progress(at, "does it")
	actor := t.stepActor(at)
	consent, err := actor.Guard.Consent(prepared.action, true, "")
	if err != nil {
		return err
	}
	out.Answer, err = actor.Do(ctx, prepared.action, consent)
	if err != nil {
		out.State = StepFailed
		out.Answer = err.Error()
		return err
	}
	out.State = StepDone
	switch _, stops := prepared.action.Change.(foresight.Stop); {
	case step.Until == "nothing" && stops:
		// The round without it is this step's own; and how long it stays away counts from there, in dry runs too.
		if _, err := t.Workers.Watch.Until(ctx, "the worker to leave", stepLimit, prepared.seen); err != nil {
			return err
		}
	case step.Until != "nothing":
		limit := step.Limit
		if limit == 0 {
			limit = stepLimit
		}
		s, err := t.settled(ctx, at, limit, prepared.seen)
		if err != nil {
			out.State = StepUnsettled
			return err
		}
		if out.calm = true; preview != nil {
			_, out.Differences = preview.Compare(act.Since(s, out.from))
		}
	}
	out.Took = time.Since(begun)
	return nil
}

// stepActor does steps under the consent to the whole.
func (t *Runner) stepActor(at Progress) *act.Actor {
	return &act.Actor{
		Group: t.Actor.Group, Who: t.Actor.Who, Audit: t.Actor.Audit, Emit: t.Actor.Emit, Clock: t.Actor.Clock,
		Guard: act.Guard{ReadOnly: t.Actor.Guard.ReadOnly, Yes: true},
		Tell:  func(text string) { t.progress(at, text) },
	}
}

// foreseeStep is a step's preview, nil where there is none.
func (t *Runner) foreseeStep(ctx context.Context, s *group.State, x act.Action) *foresight.Preview {
	if x.Change == nil {
		return nil
	}
	p, err := t.Workers.Foresee(ctx, s, x.Change)
	if err != nil {
		return nil
	}
	return p
}

func (t *Runner) progress(p Progress, now string) {
	if p.Now = now; t.Progress != nil {
		t.Progress(p)
	}
}

// settled waits until a step's effect was seen, and the group then is settled for a while.
func (t *Runner) settled(ctx context.Context, at Progress, limit time.Duration, seen func(*group.State) string) (*group.State, error) {
	return t.Workers.Watch.Settled(ctx, limit, func(s *group.State) string {
		missing := ""
		if seen != nil {
			missing = seen(s)
		}
		if missing == "" {
			missing = act.Unsettled(s)
		}
		if missing != "" {
			t.progress(at, missing)
		}
		return missing
	})
}

// changes are what an exercise means for the group, one for each step, told without touching anything.
func (t *Runner) changes(ctx context.Context, s *group.State, ex Exercise) (foresight.Sequence, error) {
	var out foresight.Sequence
	tasks := map[string]int{}
	for _, c := range s.Configs() {
		tasks[c.Name] = c.Tasks
	}
	was := map[string]int{}
	var last group.Worker
	for _, step := range ex.Steps {
		verb, what := step.parts()
		var c foresight.Change
		w, err := pick(s, what)
		switch verb {
		case "stop", "kill", "evict", "freeze":
			if err != nil {
				return nil, err
			}
		}
		switch verb {
		case "stop":
			last, c = w, foresight.Stop{Worker: w.ID}
		case "kill":
			last, c = w, foresight.Crash{Worker: w.ID}
			if step.Until == "nothing" {
				c = foresight.Die{Worker: w.ID}
			}
		case "start":
			if what != "" {
				last = w
			}
			c = foresight.Join{Client: last.Client, URL: last.URL, Starts: t.Workers.Starts(s)}
		case "evict":
			c = foresight.Evict{Worker: w.ID, Times: step.Times}
		case "freeze":
			c = foresight.Freeze{Worker: w.ID, For: t.Workers.FreezeTime(ctx, s, w, step.For)}
		case "add":
			c = foresight.Join{Client: cmp.Or(t.New.Client, "new-worker"), Starts: t.Workers.Starts(s)}
		case "ghost":
			c = foresight.Visit{Client: cmp.Or(t.Ghost.Client, "ghost"), Eager: step.Eager || t.Ghost.Protocol == "eager", For: cmp.Or(step.For, ghostStays), Idle: true}
		case "create":
			c = foresight.Create{Connector: what, Tasks: atoi(step.Set["tasks.max"])}
			tasks[what] = atoi(step.Set["tasks.max"])
		case "edit":
			was[what] = tasks[what]
			c = foresight.Configure{Connector: what, Tasks: tasks[what]}
		case "scale":
			was[what], tasks[what] = tasks[what], step.Tasks
			c = foresight.Configure{Connector: what, Tasks: step.Tasks}
		case "revert":
			tasks[what] = was[what]
			c = foresight.Configure{Connector: what, Tasks: was[what]}
		case "delete":
			c = foresight.Delete{Connector: what}
		default:
			return nil, noVerb(verb)
		}
		out = append(out, foresight.Then{Change: c, After: step.Wait, Hasty: step.Until == "nothing"})
	}
	return out, nil
}

// Foresee is a dry run: the report that an exercise would have, told without touching anything.
func (t *Runner) Foresee(ctx context.Context, s *group.State, ex Exercise) (*Report, error) {
	changes, err := t.changes(ctx, s, ex)
	if err != nil {
		return nil, fmt.Errorf("exercise %s: %w", ex.Name, err)
	}
	p, err := t.Workers.Foresee(ctx, s, changes)
	if err != nil {
		return nil, fmt.Errorf("exercise %s: %w", ex.Name, err)
	}
	o := &p.Outcomes[0]
	r := &Report{Exercise: ex.Name, Group: s.Group, Mode: s.Round().Mode, From: p.Seq, Caveats: slices.Concat(o.Warnings, o.Caveats)}
	first := len(o.State.Rounds) - len(o.Rounds)
	from, begun := o.State.Rounds[first-1].Seq, 0
	for i, step := range ex.Steps {
		to := o.State.Rounds[first-1+o.Parts[i]].Seq
		line := StepReport{Do: step.String(), State: StepForeseen, Sum: sum(o.State, from, to), from: from}
		line.Sum.price(o.Rounds[begun:o.Parts[i]])
		begun = o.Parts[i]
		r.Steps = append(r.Steps, line)
		r.Total.add(line.Sum)
		from = to
	}
	return r, nil
}
