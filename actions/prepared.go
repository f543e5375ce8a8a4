package actions

import (
	"context"
	"errors"
	"time"

	"regroup/actions/act"
	"regroup/actions/exercise"
	"regroup/actions/process"

	"regroup/actions/foresight"
	"regroup/group"
)

// PreparedAction is an action that waits for consent, with what will follow from it.
type PreparedAction struct {
	Action    act.Action
	Note      string   // where it is done, for the dialog's corner
	Lines     []string // what is read before what will happen: the difference of a configuration
	Preview   *foresight.Preview
	NoPreview string // why there is no Preview
	Question  act.Question
	// Do does it, in the name of somebody who agreed, and typed that where something had to be typed. tell takes what it is
	// doing now.
	Do func(ctx context.Context, typed string, tell func(string)) (answer string, err error)
	// EndLabel labels ending it while it is done: "let the ghost leave". "": it is over soon.
	EndLabel string
	// Exclusive: nothing else may be done from the screen meanwhile.
	Exclusive bool
	// Foreseen is an exercise's table of costs; it is shown in a Preview's place.
	Foreseen *exercise.Report
	// Report is what an exercise did and cost, once Do is over, however it went. nil: it is none.
	Report func() *exercise.Report
	// Follow waits for what comes of it and compares that with the preview. nil: nothing comes of it that could be seen.
	Follow func(ctx context.Context) (ActionResult, error)

	from   int                       // Seq of the round that it was foreseen from
	before *group.State              // as it was done; nil: the group is not observed
	seen   func(*group.State) string // what of its effect is missing yet
}

// ActionResult is what came of an action.
type ActionResult struct {
	Rounds      []*group.Detail
	Outcome     *foresight.Outcome // that came; nil: nothing was foreseen
	Differences []foresight.Difference
	Failed      []group.UnitState // since it was done
	Unsettled   string            // what is missing, where waiting had an end
}

// Runner prepares actions on one group, does them, and follows what comes of them.
type Runner struct {
	Actor   *act.Actor
	Watch   *act.Watch       // nil: the group is not observed, so nothing is foreseen or followed
	Workers *process.Workers // foresees
	Limit   time.Duration    // of following
	// Unmoved refuses what was foreseen from another round than the newest: it is not what was agreed to.
	Unmoved bool
}

// Prepare foresees an action, and says what has to be asked. Nothing is changed by it.
func (r *Runner) Prepare(ctx context.Context, x act.Action, lines ...string) *PreparedAction {
	p := &PreparedAction{Action: x, Lines: lines, Question: r.Actor.Guard.Question(x)}
	if r.Watch != nil {
		s := r.Watch.State()
		p.from = act.Newest(s)
		if x.Change != nil {
			var err error
			if p.Preview, err = r.Workers.Foresee(ctx, s, x.Change); err != nil {
				p.NoPreview = "what follows cannot be foreseen: " + err.Error()
			}
		}
	}
	p.Do = func(ctx context.Context, typed string, tell func(string)) (string, error) {
		consent, err := r.Actor.Guard.Consent(x, true, typed)
		if err != nil {
			return "", err
		}
		return r.Do(ctx, p, consent, tell)
	}
	p.Follow = func(ctx context.Context) (ActionResult, error) { return r.Follow(ctx, p) }
	return p
}

// Do does a prepared action that was consented to. tell takes what it is doing now; nil: the Actor's own does.
func (r *Runner) Do(ctx context.Context, p *PreparedAction, c act.Consent, tell func(string)) (string, error) {
	if r.Watch != nil {
		now := r.Watch.State()
		if r.Unmoved && p.Action.Change != nil && act.Newest(now) != p.from {
			return "", errors.New("not done: a round came since it was foreseen; look at it anew")
		}
		p.before, p.seen = now, act.Seen(now, p.Action)
	}
	actor := *r.Actor
	if tell != nil {
		actor.Tell = tell
	}
	return actor.Do(ctx, p.Action, c)
}

// Follow waits until the group has settled after an action that was done, compares the rounds with the preview, and lists
// the units that failed.
func (r *Runner) Follow(ctx context.Context, p *PreparedAction) (ActionResult, error) {
	var out ActionResult
	s, err := r.Watch.Settled(ctx, r.Limit, p.seen)
	var late *act.WaitTimeoutError
	if errors.As(err, &late) {
		out.Unsettled = late.Now
	} else if err != nil {
		return out, err
	}
	out.Rounds = act.Since(s, act.Newest(p.before))
	out.Failed = act.NewlyFailed(p.before, s)
	if p.Preview != nil && out.Unsettled == "" {
		out.Outcome, out.Differences = p.Preview.Compare(out.Rounds)
	}
	return out, nil
}
