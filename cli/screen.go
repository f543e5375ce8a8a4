package cli

import (
	"context"
	"strings"
	"time"

	"regroup/conn"
	"regroup/group"
	"regroup/observe"
	"regroup/tui"
	"regroup/tui/theme"
)

// fleetInterval is how often groups are described for the list of them.
const fleetInterval = 5 * time.Second

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
	desks := a.desks(s)
	opt.Acts = desks.offers
	opt.Source = func(ctx context.Context, name string, publish func(*group.State)) error {
		o := a.observed(s, name)
		o.Since = since
		return observe.Live(ctx, desks.observed(o), desks.fed(name, publish))
	}
	opt.Bytes = logBytes(s.Client)
	opt.Fleet = func(ctx context.Context, publish func(*tui.Fleet)) error { return a.fleet(ctx, s, publish) }
	return tui.Run(ctx, opt)
}

// logBytes reads a round's bytes out of the coordinator's log again.
func logBytes(dial observe.Dial) tui.BytesFunc {
	return func(ctx context.Context, name string, r *group.Round) ([]byte, error) {
		raw, err := observe.Bytes(ctx, dial, name, r.Offset)
		return raw.Value, err
	}
}

// fleet describes all groups again and again. A cluster that does not answer is told on the screen; it may come back.
func (a *app) fleet(ctx context.Context, s conn.Settings, publish func(*tui.Fleet)) error {
	src := group.SourceState{Source: group.SourceDescribe, Name: strings.Join(s.Brokers, ",")}
	var last *tui.Fleet
	for {
		found, hidden, err := observe.Groups(ctx, s.Client)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // whatever failed, it failed because nobody wants it any more
		}
		f := &tui.Fleet{Now: a.now(), Brokers: strings.Join(s.Brokers, ",")}
		health, detail := group.HealthOK, ""
		if err != nil {
			health, detail = group.HealthUnreachable, s.Explain(err).Error()
			if last != nil {
				f.Groups, f.NotShown = last.Groups, last.NotShown
			}
		} else {
			src.Heard = f.Now
			f.Groups, f.NotShown = summaries(found), notShown(hidden)
		}
		if health != src.Health {
			src.Since = f.Now
		}
		src.Health, src.Detail = health, detail
		f.Sources = []group.SourceState{src}
		last = f
		publish(f)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(fleetInterval):
		}
	}
}

func summaries(found []observe.GroupSummary) []tui.GroupSummary {
	var out []tui.GroupSummary
	for _, g := range found {
		out = append(out, tui.GroupSummary{
			Group: g.Group, Phase: g.State, Verdict: verdictOf(g), Mode: g.Mode, Generation: -1,
			Workers: g.Workers, Connectors: g.Connectors, Tasks: g.Tasks,
		})
	}
	return out
}

func notShown(hidden []observe.NotShown) []tui.NotShown {
	var out []tui.NotShown
	for _, h := range hidden {
		out = append(out, tui.NotShown{Group: h.Group, Why: h.Why})
	}
	return out
}
