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

	"regroup/actions/act"
	"regroup/actions/process"

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

// actionRunner runs actions on one group from the command line: it prints what is foreseen, asks, and prints what came of it.
type actionRunner struct {
	*app
	actionFlags

	settings       conn.Settings
	actions.Runner // its Watch is nil where nothing is observed
	asked          *bufio.Reader
	broke          bool // units failed after something was done: what is left to do goes on, and the answer is bad
	stop           func()
}

// actionRunner makes ready to do something, or only to look: the group is read first. Without brokers, but with workers' addresses,
// it goes without being observed.
func (a *app) actionRunner(ctx context.Context, m actionFlags) (*actionRunner, error) {
	s, err := a.settings()
	unobserved := errors.Is(err, conn.ErrNoBrokers) && len(a.flags.rest)+len(s.REST.URLs) > 0
	if err != nil && !unobserved {
		return nil, err
	}
	d := &actionRunner{app: a, actionFlags: m, settings: s, asked: bufio.NewReader(a.in), stop: func() {}}
	done := make(chan group.Action, 16)
	d.Limit, d.Actor = m.wait, &act.Actor{
		Group: m.group, Who: act.Who(), Guard: a.guard(s, m), Audit: act.NewAudit(act.AuditFile(a.getenv)),
		Tell: func(text string) { a.note("%s", decode.Printable(text)) }, Emit: actions.EmitTo(done),
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
	d.Actor.Group = name
	opt := a.observed(s, name)
	opt.REST, opt.Done = nil, done
	if err := d.observe(ctx, opt); err != nil {
		return nil, err
	}
	if d.Workers, err = d.workers(); err != nil { // without a way to the workers nothing can be read of how they are set up
		d.Workers = &process.Workers{}
	}
	return d, nil
}

func (d *actionRunner) observe(ctx context.Context, opt observe.Options) error {
	d.Watch, d.stop = act.Observe(ctx, opt)
	st, err := d.Watch.Ready(ctx, readLimit)
	if st != nil {
		if err := known(ctx, opt.Dial, st); err != nil {
			d.stop()
			return err
		}
	}
	if err != nil {
		d.stop()
		return err
	}
	return nil
}

// guard is what flags and context say about doing things.
func (a *app) guard(s conn.Settings, m actionFlags) act.Guard {
	g := act.Guard{Interactive: isTerminal(a.in) && isTerminal(a.err), Yes: a.flags.yes, Typed: m.confirm}
	switch {
	case a.flags.readOnly:
		g.ReadOnly = "--read-only is given"
	case s.Policy.ReadOnly:
		g.ReadOnly = "context " + s.Context + " is read-only"
	}
	if s.Policy.Production {
		g.Production = s.Context
	}
	return g
}

// mayAct refuses what is refused anyway before anything is sent for it.
func (d *actionRunner) mayAct(what string) error {
	if why := d.Actor.Guard.ReadOnly; why != "" && !d.flags.dryRun {
		return &act.Refused{Action: what, Why: why}
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

// run foresees, asks, does and compares one action, and prints it. head is what people read before the preview.
func (d *actionRunner) run(ctx context.Context, x act.Action, changes []propertyObject, head ...string) error {
	r := result{Action: x.Verb, Target: x.Target, State: "done", Changes: changes}
	if err := d.mayAct(x.String()); err != nil {
		return err
	}
	if why := d.Actor.Guard.Refusal(x); why != "" && !d.flags.dryRun {
		return &act.Refused{Action: x.String(), Why: why}
	}
	p := d.Prepare(ctx, x)
	if p.NoPreview != "" {
		d.note("%s", decode.Printable(p.NoPreview))
	}
	r.Preview = previewJSON(p.Preview)
	d.say(append([]string{x.String()}, head...)...)
	switch {
	case p.Preview != nil:
		d.say(indent(previewText(p.Preview))...)
	case d.Watch != nil && x.Change == nil:
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
	if r.Answer, err = d.Do(ctx, p, consent, nil); err != nil {
		return err
	}
	d.say(decode.Printable(r.Answer))
	return d.follow(ctx, r, p)
}

// follow waits for what comes of an action, and prints it beside what was foreseen.
func (d *actionRunner) follow(ctx context.Context, r result, p *actions.PreparedAction) error {
	if d.Watch == nil || d.wait <= 0 {
		return d.finish(r, "")
	}
	came, err := d.Follow(ctx, p)
	if err != nil {
		return err
	}
	r.Rounds, r.Unsettled, r.Failed = came.Rounds, came.Unsettled, failedJSON(came.Failed)
	var lines []string
	for _, round := range r.Rounds {
		lines = append(lines, roundResultText(round))
	}
	if p.Preview != nil && r.Unsettled == "" {
		lines = append(lines, comparedText(came.Outcome, came.Differences)...)
		for _, x := range came.Differences {
			r.Differences = append(r.Differences, differenceObject{x})
		}
	}
	d.say(indent(append(lines, failedText(came.Failed)...))...)
	last := ""
	if r.Unsettled != "" {
		r.State, last = "unsettled", fmt.Sprintf("not settled within %s: %s", d.wait, r.Unsettled)
	}
	if err := d.finish(r, last); err != nil {
		return err
	}
	if r.Unsettled != "" {
		return silent(exitNo)
	}
	d.broke = d.broke || len(came.Failed) > 0
	return nil
}

// consent asks whoever sits there, where something has to be asked.
func (d *actionRunner) consent(x act.Action) (act.Consent, error) {
	q := d.Actor.Guard.Question(x)
	if !q.Needed || !d.Actor.Guard.Interactive {
		return d.Actor.Guard.Consent(x, false, "")
	}
	ending := " [y/N] "
	if q.Type != "" {
		ending = " "
	}
	fmt.Fprint(d.err, decode.Printable(q.Text)+ending)
	line, err := d.asked.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return act.Consent{}, err
	}
	answer := strings.TrimSpace(line)
	yes := strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
	return d.Actor.Guard.Consent(x, yes, answer)
}

// say prints lines for people; with -o json nobody is there to read them.
func (d *actionRunner) say(lines ...string) {
	if d.json() {
		return
	}
	for _, l := range lines {
		fmt.Fprintln(d.out, l)
	}
}

// finish prints the result as JSON, or the last line for people.
func (d *actionRunner) finish(r result, last string) error {
	if !d.json() {
		if last != "" {
			d.say(last)
		}
		return nil
	}
	return d.print(r)
}

// jsonLines writes JSON values, each on a line of its own, and < > & in them as they are: nobody reads them in a web page.
func jsonLines(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// print writes one JSON value on one line.
func (a *app) print(v any) error {
	return jsonLines(a.out).Encode(v)
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "  " + l
	}
	return out
}
