package actions

import (
	"context"
	"time"

	"regroup/decode"
	"regroup/group"
)

// Settled waits until a change's effect was seen, and the group then stayed settled for a heartbeat: within it workers notice
// what has changed. seen says what is missing of the effect; nil: nothing shows.
func (w *Watch) Settled(ctx context.Context, limit time.Duration, seen func(*group.State) string) (*group.State, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		s, err := w.Until(ctx, "the group to settle", limit, func(s *group.State) string {
			if seen != nil {
				if missing := seen(s); missing != "" {
					return missing
				}
			}
			return Unsettled(s)
		})
		if err != nil {
			return s, late(ctx, err, limit, s)
		}
		newest := Newest(s)
		if pause(ctx, quiet); ctx.Err() != nil {
			return s, late(ctx, ctx.Err(), limit, s)
		}
		if now := w.State(); Newest(now) == newest && Unsettled(now) == "" {
			return now, nil
		}
	}
}

// NewlyFailed are the units that have failed since, by the sources that tell: those that had not before, or that failed anew.
func NewlyFailed(before, after *group.State) []group.UnitState {
	was := map[group.Unit]time.Time{}
	for _, u := range before.Units {
		if u.State == group.UnitFailed {
			was[u.Unit] = u.Since
		}
	}
	var out []group.UnitState
	for _, u := range after.Units {
		if since, failed := was[u.Unit]; u.State == group.UnitFailed && (!failed || u.Since.After(since)) {
			out = append(out, u)
		}
	}
	return out
}

// Seen says how the effect of an action shows, in the group's members or in the config topic, as things stand before the
// action: what is missing of it. nil: it does not show there.
func Seen(before *group.State, x Action) func(*group.State) string {
	if f := memberSeen(before, x.Change); f != nil {
		return f
	}
	if before == nil || before.ConfigEnd() <= 0 {
		return nil // the topic is not known
	}
	name := x.Target
	target := map[string]string{"pause": decode.TargetPaused, "stop": decode.TargetStopped, "resume": decode.TargetStarted}[x.Verb]
	switch {
	case target != "":
		return func(s *group.State) string {
			if c := liveConfig(s, name); c != nil && c.Target != target {
				return "its target state in the config topic is still " + c.Target
			}
			return ""
		}
	case x.Verb == "create" || x.Verb == "scale" || x.Verb == "reconfigure":
		return configured(before, name)
	case x.Verb == "delete":
		return func(s *group.State) string {
			if liveConfig(s, name) != nil {
				return "it is still in the config topic"
			}
			return ""
		}
	}
	return nil
}
