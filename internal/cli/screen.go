package cli

import (
	"context"
	"errors"

	"regroup/actions/act"
	"regroup/actions/process"

	"regroup/actions"
	"regroup/actions/editor"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/lab"
	"regroup/internal/observe"
	"regroup/internal/rest"
	"regroup/tui"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// watchScreen opens the screen on a cluster, or on a file.
func (a *app) watchScreen(ctx context.Context, v view, args []string) error {
	opt := tui.Options{Theme: theme.Kind(a.flags.theme), ASCII: a.ascii(), Version: thisBuild().Version, Input: a.in, Output: a.out}
	var err error
	if opt.Keys, opt.Themes, err = a.own(); err != nil {
		return err
	}
	if len(args) > 0 {
		opt.Group = args[0]
	}
	if v.from != "" {
		s, err := a.state(ctx, v, args)
		if err != nil {
			return err
		}
		opt.Group, opt.Replay, opt.Bytes = s.Group, v.from, fileBytes(v.from)
		opt.Source = func(_ context.Context, _ string, publish func(*group.State)) error {
			publish(s)
			return nil
		}
		opt.Fleet = func(_ context.Context, publish func(*observe.Fleet)) error {
			publish(fleetOf(s))
			return nil
		}
		return tui.Run(ctx, opt)
	}
	s, err := a.settings()
	if err != nil {
		return err
	}
	if err := fits(ctx, s); err != nil {
		return err
	}
	since, err := v.sinceTime(a.now())
	if err != nil {
		return err
	}
	if opt.Group == "" {
		opt.Group = s.Worker.Group
	}
	if opt.Group != "" {
		if err := observe.CheckKind(ctx, s.Client, opt.Group); err != nil {
			return err
		}
	}
	ctx, shield := editor.Shielded(ctx)
	defer shield.End()
	acts := a.clusterActions(s, shield)
	acts.RealWork = v.realWork
	opt.Acts, opt.Properties = acts.Offers, acts.Properties
	opt.Context = scene.Context{Name: s.Context, Colour: s.Policy.Colour, Production: s.Policy.Production, ReadOnly: acts.Guard.ReadOnly != ""}
	if acts.NoREST != nil {
		opt.Trouble = "workers are not asked over REST: " + acts.NoREST.Error()
	}
	opt.Source = func(ctx context.Context, name string, publish func(*group.State)) error {
		o := a.observed(s, name)
		o.Since = since
		return observe.Live(ctx, acts.Observed(o), acts.Fed(name, publish))
	}
	opt.Bytes = logBytes(s.Client)
	opt.Fleet = func(ctx context.Context, publish func(*observe.Fleet)) error {
		return observe.WatchFleet(ctx, observe.FleetOptions{
			Brokers: s.Brokers, Dial: s.Client, Group: func(name string) observe.Options { return a.observed(s, name) }, Explain: s.Explain, Clock: a.now,
		}, publish)
	}
	return errors.Join(tui.Run(ctx, opt), a.unfinished(acts))
}

// logBytes reads a round's bytes out of the coordinator's log again.
func logBytes(dial observe.Dial) tui.BytesFunc {
	return func(ctx context.Context, name string, r *group.Round) ([]byte, error) {
		raw, err := observe.Bytes(ctx, dial, name, r.Offset)
		return raw.Value, err
	}
}

// clusterActions are what the screen may do on the settings' cluster.
func (a *app) clusterActions(s conn.Settings, shield *editor.Shield) *actions.Cluster {
	c := &actions.Cluster{
		Guard: a.guard(s, actionFlags{}), Audit: act.NewAudit(act.AuditFile(a.getenv)), Dial: s.Client,
		Adder: process.Command(s.Policy.Add), Kafka: a.getenv("KAFKA_HOME"), Logs: a.logs(), Editor: a.editor(shield),
	}
	c.Guard.Interactive, c.Guard.Yes = true, false // a dialog asks
	way, err := a.restWay(s)
	c.Client, c.Reach, c.Extra, c.NoREST = way.client, way.at, way.urls, err
	c.Reachers = a.reachers(s, way)
	return c
}

// demoActions are those of the demo: what is done there is done to simulated workers, and leaves no line behind.
func (a *app) demoActions(l *lab.Lab, shield *editor.Shield) *actions.Cluster {
	c := &actions.Cluster{
		Guard: act.Guard{Interactive: true}, Dial: l.Dial, Simulate: l.Adding, Reachers: []process.Reacher{l.Reacher()},
		Client: rest.Client{HTTP: l.HTTP()}, Editor: a.editor(shield),
	}
	if a.flags.readOnly {
		c.Guard.ReadOnly = "--read-only is given"
	}
	return c
}

// editor is the one that the user wants, on this program's terminal.
func (a *app) editor(shield *editor.Shield) editor.Editor {
	e := editor.Editor{Command: editor.Command(a.getenv), Shield: shield, In: a.in, Out: a.out, Err: a.err}
	if !isTerminal(a.out) {
		e.Out = a.err // results are going somewhere
	}
	return e
}

// unfinished prints what exercises that were broken off did, and where a text is, once the screen is left.
func (a *app) unfinished(c *actions.Cluster) error {
	broken, kept := c.Unfinished()
	for _, err := range kept {
		a.note("%s", decode.Printable(err.Error()))
	}
	for _, r := range broken {
		a.note("exercise %s was broken off: %s", decode.Printable(r.Exercise), r.Answer())
		if err := a.report(r); err != nil {
			return err
		}
	}
	return nil
}
