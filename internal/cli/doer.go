package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/observe"
)

// readLimit bounds how long a group may take to be read before something is done to it.
const readLimit = time.Minute

// actionFlags are the flags of every command that does something to a group.
type actionFlags struct {
	group   string
	confirm string
	wait    time.Duration
}

// doer does things to one group: it observes the group, foresees, asks, does, and tells what came of it.
type doer struct {
	*app
	actionFlags

	settings conn.Settings
	watch    *actions.Watch // nil: nothing is observed
	actor    *actions.Actor
	asked    *bufio.Reader
	broke    bool // units failed after something was done: what is left to do goes on, and the answer is bad
	stop     func()
}

// doer makes ready to do something, or only to look: the group is read first. Without brokers, but with workers' addresses,
// it goes without being observed.
func (a *app) doer(ctx context.Context, m actionFlags) (*doer, error) {
	s, err := a.settings()
	unobserved := errors.Is(err, conn.ErrNoBrokers) && len(a.flags.rest)+len(s.REST.URLs) > 0
	if err != nil && !unobserved {
		return nil, err
	}
	d := &doer{app: a, actionFlags: m, settings: s, asked: bufio.NewReader(a.in), stop: func() {}}
	done := make(chan group.Action, 16)
	d.actor = &actions.Actor{
		Group: m.group, Who: actions.Who(), Guard: a.guard(s, m), Audit: actions.NewAudit(actions.AuditFile(a.getenv)),
		Tell: func(text string) { a.note("%s", decode.Printable(text)) },
		Emit: func(f group.Action) {
			select {
			case done <- f:
			default: // it is on record all the same
			}
		},
	}
	if unobserved {
		a.note("no brokers are given: what follows cannot be foreseen, nor who leads be known")
		return d, nil
	}
	if err := a.reach(ctx, s); err != nil {
		return nil, err
	}
	var named []string
	if m.group != "" {
		named = []string{m.group}
	}
	name, err := a.groupName(ctx, s, named)
	if err != nil {
		return nil, err
	}
	d.actor.Group = name
	opt := a.observed(s, name)
	opt.REST, opt.Done = nil, done
	if err := d.observe(ctx, opt); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *doer) observe(ctx context.Context, opt observe.Options) error {
	d.watch, d.stop = actions.Observe(ctx, opt)
	st, err := d.watch.Ready(ctx, readLimit)
	if st != nil && known(st) != nil {
		d.stop()
		return known(st)
	}
	if err != nil {
		d.stop()
		return err
	}
	return nil
}

// guard is what flags and context say about doing things.
func (a *app) guard(s conn.Settings, m actionFlags) actions.Guard {
	g := actions.Guard{Interactive: isTerminal(a.in) && isTerminal(a.err), Yes: a.flags.yes, Typed: m.confirm}
	switch {
	case a.flags.readOnly:
		g.ReadOnly = "--read-only is given"
	case s.Manners.ReadOnly:
		g.ReadOnly = "context " + s.Context + " is read-only"
	}
	if s.Manners.Production {
		g.Production = s.Context
	}
	return g
}

// mayAct refuses what is refused anyway before anything is sent for it.
func (d *doer) mayAct(what string) error {
	if why := d.actor.Guard.ReadOnly; why != "" && !d.flags.dryRun {
		return &actions.Refused{Action: what, Why: why}
	}
	return nil
}

// result is what one action came to: what a command prints.
type result struct {
	Action      string             `json:"action"`
	Target      string             `json:"target"`
	State       string             `json:"state"` // "done", "dry-run", "unchanged", "unsettled"
	Answer      string             `json:"answer,omitempty"`
	Changes     []propertyObject   `json:"changes,omitempty"`
	Preview     *previewObject     `json:"preview,omitempty"`
	Rounds      []*group.Detail    `json:"rounds,omitempty"`
	Differences []differenceObject `json:"differences,omitempty"`
	Failed      []failedObject     `json:"failed,omitempty"` // units that failed since
	Unsettled   string             `json:"unsettled,omitempty"`
}

// do foresees, asks, does and compares one action, and prints it. head is what people read before the preview.
func (d *doer) do(ctx context.Context, x actions.Action, changes []propertyObject, head ...string) error {
	r := result{Action: x.Verb, Target: x.Target, State: "done", Changes: changes}
	if err := d.mayAct(x.String()); err != nil {
		return err
	}
	if why := d.actor.Guard.Refusal(x); why != "" && !d.flags.dryRun {
		return &actions.Refused{Action: x.String(), Why: why}
	}
	preview := d.foresee(ctx, x)
	r.Preview = previewJSON(preview)
	d.say(append([]string{x.String()}, head...)...)
	switch {
	case preview != nil:
		d.say(indent(previewText(preview))...)
	case d.watch != nil && x.Change == nil:
		d.say("  no round: every unit stays where it is")
	}
	if d.flags.dryRun {
		r.State = "dry-run"
		return d.finish(r, "not done: --dry-run")
	}
	consent, err := d.consent(x)
	if err != nil {
		return err
	}
	var seen func(*group.State) string
	var before *group.State
	if d.watch != nil {
		before = d.watch.State()
		seen = actions.Seen(before, x)
	}
	if r.Answer, err = d.actor.Do(ctx, x, consent); err != nil {
		return err
	}
	d.say(decode.Printable(r.Answer))
	return d.follow(ctx, r, preview, seen, before)
}

// follow waits for what comes of an action, holds it against what was foreseen, and tells which units failed.
func (d *doer) follow(ctx context.Context, r result, preview *actions.Preview, seen func(*group.State) string, before *group.State) error {
	if d.watch == nil || d.wait <= 0 {
		return d.finish(r, "")
	}
	st, err := d.watch.Settled(ctx, d.wait, seen)
	var late *actions.Late
	if errors.As(err, &late) {
		r.State, r.Unsettled = "unsettled", late.Now
	} else if err != nil {
		return err
	}
	r.Rounds = actions.Since(st, actions.Newest(before))
	var lines []string
	for _, round := range r.Rounds {
		lines = append(lines, happenedText(round))
	}
	if preview != nil && r.Unsettled == "" {
		outcome, differences := preview.Compare(r.Rounds)
		lines = append(lines, comparedText(outcome, differences)...)
		for _, x := range differences {
			r.Differences = append(r.Differences, differenceObject{x})
		}
	}
	failed := actions.Broke(before, st)
	r.Failed = failedJSON(failed)
	d.say(indent(append(lines, failedText(failed)...))...)
	last := ""
	if r.Unsettled != "" {
		last = fmt.Sprintf("not settled within %s: %s", d.wait, r.Unsettled)
	}
	if err := d.finish(r, last); err != nil {
		return err
	}
	if r.Unsettled != "" {
		return silent(exitNo)
	}
	d.broke = d.broke || len(failed) > 0
	return nil
}

// foresee previews an action; nil where that cannot be, and it is said why.
func (d *doer) foresee(ctx context.Context, x actions.Action) *actions.Preview {
	if d.watch == nil || x.Change == nil {
		return nil
	}
	k, err := d.workers()
	if err != nil { // without a way to the workers nothing can be read of how they are set up
		k = &actions.Workers{}
	}
	p, err := k.Foresee(ctx, d.watch.State(), x.Change)
	if err != nil {
		d.note("what follows cannot be foreseen: %s", decode.Printable(err.Error()))
		return nil
	}
	return p
}

// consent asks whoever sits there, where something has to be asked.
func (d *doer) consent(x actions.Action) (actions.Consent, error) {
	q := d.actor.Guard.Question(x)
	if !q.Needed || !d.actor.Guard.Interactive {
		return d.actor.Guard.Consent(x, false, "")
	}
	ending := " [y/N] "
	if q.Type != "" {
		ending = " "
	}
	fmt.Fprint(d.err, decode.Printable(q.Text)+ending)
	line, err := d.asked.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return actions.Consent{}, err
	}
	answer := strings.TrimSpace(line)
	yes := strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
	return d.actor.Guard.Consent(x, yes, answer)
}

// say prints lines for people; with -o json nobody is there to read them.
func (d *doer) say(lines ...string) {
	if d.json() {
		return
	}
	for _, l := range lines {
		fmt.Fprintln(d.out, l)
	}
}

// finish prints the result as JSON, or the last line for people.
func (d *doer) finish(r result, last string) error {
	if !d.json() {
		if last != "" {
			d.say(last)
		}
		return nil
	}
	return d.print(r)
}

// print writes one JSON value on one line.
func (a *app) print(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "  " + l
	}
	return out
}
