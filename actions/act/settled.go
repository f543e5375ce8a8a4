package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// Unsettled says what keeps a group from being settled; "" when nothing does: its last round was its last, and every unit
// runs, or does not on purpose, or has failed. Actions, exercises and [Wanted] ask it alike; the verdict on the screen is made of
// the same State.Unsettled.
func Unsettled(s *group.State) string {
	if why, _ := notSettled(s); len(why) > 0 {
		return why[0]
	}
	if why := mayBeDead(s); len(why) > 0 {
		return why[0]
	}
	r := s.Round()
	if at := s.Moving(); len(at) > 0 && !r.Empty() {
		first := &s.Units[at[0]]
		return fmt.Sprintf("%s on the way, %s %s among them", words.Count(len(at), "unit"), first.Unit, first.State)
	}
	return ""
}

// notSettled says what keeps a group from being settled but for its units, and whether more can be said of it at all: nothing can
// of a group that is not read, or that has not come together. A broker that has yet to say how the group stands counts as one
// that says it moves. Where the broker will never say, because it may not be asked, the rounds alone have to do: waiting would
// tell nothing more.
func notSettled(s *group.State) (why []string, more bool) {
	why = s.Unsettled()
	switch {
	case s.Reading() != nil || s.Round() == nil:
		return why, false
	case s.Phase == "" && tells(s.SourceOf(group.SourceDescribe)):
		return []string{"the broker has not said how it stands"}, false
	case s.Phase != "" && s.Phase != "Stable" && s.Phase != "Empty":
		return why, false
	}
	return why, true
}

func tells(src *group.SourceState) bool {
	return src != nil && (src.Health == group.HealthOK || src.Health == group.HealthCatchingUp || src.Health == group.HealthUnreachable)
}

// mayBeDead are the workers that may have died and never answered; one that answered before is in State.Unsettled.
func mayBeDead(s *group.State) []string {
	var out []string
	for _, u := range s.Unanswered() {
		if u.Last.IsZero() {
			out = append(out, decode.Printable(s.UnansweredText(u)))
		}
	}
	return out
}

// Since are the rounds after the one with that Seq, with their lists.
func Since(s *group.State, seq int) []*group.Detail {
	var out []*group.Detail
	for i, r := range s.Rounds {
		if r.Seq > seq && i <= s.At {
			out = append(out, s.Detail(i))
		}
	}
	return out
}

// Newest is the Seq of the group's newest round, -1 before any.
func Newest(s *group.State) int {
	if r := s.Round(); r != nil {
		return r.Seq
	}
	return -1
}

// Quiet is for how long a group has to stay settled: what follows a change comes within a heartbeat.
const Quiet = foresight.Heartbeat

// late words a wait that ran into its limit; another end keeps its own words.
func late(ctx context.Context, err error, limit time.Duration, s *group.State) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	now := ""
	if s != nil {
		now = Unsettled(s)
	}
	return &WaitTimeoutError{"the group to settle", limit, now}
}

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
		if Sleep(ctx, Quiet) != nil {
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
	if f := MemberSeen(before, x.Change); f != nil {
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
			if c := LiveConfig(s, name); c != nil && c.Target != target {
				return "its target state in the config topic is still " + c.Target
			}
			return ""
		}
	case x.Verb == "create" || x.Verb == "scale" || x.Verb == "reconfigure":
		return Configured(before, name)
	case x.Verb == "delete":
		return func(s *group.State) string {
			if LiveConfig(s, name) != nil {
				return "it is still in the config topic"
			}
			return ""
		}
	}
	return nil
}

// MemberSeen says how a change of the group's members shows; nil: it is none, or need not show.
func MemberSeen(before *group.State, c foresight.Change) func(*group.State) string {
	if before == nil {
		return nil
	}
	named := func(id string) (group.Worker, bool) {
		i := slices.IndexFunc(before.Workers, func(w group.Worker) bool { return w.ID == id && !w.Gone })
		if i < 0 {
			return group.Worker{}, false
		}
		return before.Workers[i], true
	}
	switch c := c.(type) {
	case foresight.Join:
		if c.Client != "" {
			return joined(before, c.Client)
		}
	case foresight.Stop:
		if w, ok := named(c.Worker); ok && c.Back > 0 {
			return IsBack(w)
		} else if ok {
			return Left(w.ID, w.Name)
		}
	case foresight.Crash:
		if w, ok := named(c.Worker); ok {
			return Left(w.ID, w.Name)
		}
	case foresight.Visit:
		return gone(before, c.Client)
	case foresight.Evict:
		if w, ok := named(c.Worker); ok && c.Times > 1 {
			return isBackTimes(before, w, c.Times)
		} else if ok {
			return IsBack(w)
		}
	case foresight.Freeze:
		if w, ok := named(c.Worker); ok && c.For > before.SessionTimeout(w.ID)+foresight.Heartbeat {
			return IsBack(w)
		}
	}
	return nil
}

// isBackTimes says that a worker has come back as often as told.
func isBackTimes(before *group.State, w group.Worker, times int) func(*group.State) string {
	from := Newest(before)
	return func(s *group.State) string {
		n := 0
		for _, r := range s.Rounds {
			if r.Seq > from && slices.ContainsFunc(r.Causes, func(c group.Cause) bool { return c.Kind == group.CauseWorkerReturned && c.Name == w.Name }) {
				n++
			}
		}
		if n < times {
			return fmt.Sprintf("%s was seen back %d of %d times", w.Name, n, times)
		}
		return ""
	}
}

// gone says that a worker which came is not in the group any more.
func gone(before *group.State, client string) func(*group.State) string {
	joined := joined(before, client)
	return func(s *group.State) string {
		if joined(s) == "" {
			return client + " is in the group still"
		}
		return ""
	}
}

// joined says that a worker of that client id is in the group that was not in it before.
func joined(before *group.State, client string) func(*group.State) string {
	was := Members(before)
	return func(s *group.State) string {
		if slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return !w.Gone && w.Client == client && !was[w.ID] }) {
			return ""
		}
		return client + " is not in the group yet"
	}
}

// Left says that a member id is not in the group any more.
func Left(id, name string) func(*group.State) string {
	return func(s *group.State) string {
		if slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return w.ID == id && !w.Gone }) {
			return name + " is still in the group"
		}
		return ""
	}
}

// IsBack says that a worker is in the group under another member id than that.
func IsBack(was group.Worker) func(*group.State) string {
	return func(s *group.State) string {
		if w, here := Again(s, was); !here || w.ID == was.ID {
			return was.Name + " is not back yet"
		}
		return ""
	}
}

// ConfigOf is a connector as the config topic has it, a deleted one too; nil for one that never was.
func ConfigOf(s *group.State, name string) *group.ConnectorConfig {
	for _, c := range s.Configs() {
		if c.Name == name {
			return &c
		}
	}
	return nil
}

// Configured says that the config topic has a newer record of the connector.
func Configured(was *group.State, name string) func(*group.State) string {
	before := int64(-1)
	if c := ConfigOf(was, name); c != nil {
		before = c.RecordOffset
	}
	return func(s *group.State) string {
		if c := ConfigOf(s, name); c == nil || c.RecordOffset <= before {
			return name + "'s new configuration is not in the config topic yet"
		}
		return ""
	}
}

// LiveConfig is what the config topic says of a living connector; nil for nothing.
func LiveConfig(s *group.State, name string) *group.ConnectorConfig {
	if s == nil {
		return nil
	}
	if c := ConfigOf(s, name); c != nil && c.Live {
		return c
	}
	return nil
}
