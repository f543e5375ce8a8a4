package cli

import (
	"context"
	"errors"

	"regroup/actions/editor"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/tui"
	"regroup/tui/theme"
)

// watchScreen opens the screen on a cluster, or on a file.
func (a *app) watchScreen(ctx context.Context, v view, args []string) error {
	opt := tui.Options{Theme: theme.Kind(a.flags.theme), ASCII: a.ascii(), Version: thisBuild().Version, Input: a.in, Output: a.out}
	var err error
	if opt.Keys, err = a.keys(); err != nil {
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
		opt.Fleet = func(_ context.Context, publish func(*tui.Fleet)) error {
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
	opt.Context = tui.Context{Name: s.Context, Colour: s.Policy.Colour, Production: s.Policy.Production, ReadOnly: acts.Guard.ReadOnly != ""}
	if acts.NoREST != nil {
		opt.Trouble = "workers are not asked over REST: " + acts.NoREST.Error()
	}
	opt.Source = func(ctx context.Context, name string, publish func(*group.State)) error {
		o := a.observed(s, name)
		o.Since = since
		return observe.Live(ctx, acts.Observed(o), acts.Fed(name, publish))
	}
	opt.Bytes = logBytes(s.Client)
	opt.Fleet = func(ctx context.Context, publish func(*tui.Fleet)) error { return a.fleet(ctx, s, publish) }
	return errors.Join(tui.Run(ctx, opt), a.unfinished(acts))
}

// logBytes reads a round's bytes out of the coordinator's log again.
func logBytes(dial observe.Dial) tui.BytesFunc {
	return func(ctx context.Context, name string, r *group.Round) ([]byte, error) {
		raw, err := observe.Bytes(ctx, dial, name, r.Offset)
		return raw.Value, err
	}
}
