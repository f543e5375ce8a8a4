package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// follow lets the shadow leader see a round, and notes what it makes of it.
func (l *ledger) follow(r *Round, rec *record) {
	if rec.polled {
		r.Shadow, r.ShadowWhy = assign.ShadowNone, "seen by polling alone"
		return
	}
	seen := assign.Seen{
		At: rec.recordedAt.UnixMilli(), Generation: rec.generation, Protocol: rec.protocol, Leader: rec.leader,
		Members: rec.seen, Config: l.config.assigned(rec.configOffset, l.everConnector),
	}
	if seen.Config != nil && l.unrecorded(rec) {
		seen.Config = nil
	}
	var look assign.Comparison
	l.shadow, look = l.shadow.See(seen)
	r.Shadow, r.ShadowWhy = look.Verdict, look.Why
	switch look.Verdict {
	case assign.ShadowSame:
		l.asPredicted++
	case assign.ShadowDiffers:
		l.asPredicted = 0
	case assign.ShadowNone:
	}
	r.AsPredicted = l.asPredicted
}

// unrecorded reports whether members have units of a connector of which the config topic has no record, before or after: its
// records were deleted, and what the leader knew is not known.
func (l *ledger) unrecorded(rec *record) bool {
	asked := make([]bool, len(l.tables.connectors))
	lacks := func(u int32) bool {
		id := l.tables.units[u].connector
		if asked[id] {
			return false
		}
		asked[id] = true
		return !l.config.recorded(id)
	}
	return slices.ContainsFunc(rec.members, func(j joined) bool {
		return slices.ContainsFunc(j.reported, lacks) || slices.ContainsFunc(j.assigned, lacks)
	})
}

// recorded reports whether the topic has, or had, the configuration of a connector, or its tombstone.
func (c *configLog) recorded(connector int32) bool {
	return int(connector) < len(c.byName) && slices.ContainsFunc(c.byName[connector], func(e configEvent) bool { return e.kind == decode.ConfigConnector })
}

// assigned is what a leader hands out at a config offset: nil where that is not known, for lack of a config topic or
// because compaction took what stood there.
func (c *configLog) assigned(offset int64, ever func(connector int32) bool) *assign.Config {
	if !c.seen && offset > 0 {
		return nil
	}
	out := &assign.Config{Offset: offset, Connectors: map[string]int{}}
	for id := range c.byName {
		s := c.at(int32(id), offset)
		switch {
		case s.live && s.commit:
			out.Connectors[c.tables.connectors[id]] = int(s.tasks)
		case s.live && s.newerCommit && ever(int32(id)):
			return nil
		case s.live:
			out.Connectors[c.tables.connectors[id]] = 0
		case !s.record && s.newerRecord && ever(int32(id)):
			return nil
		}
	}
	return out
}

// Coming is a round that will happen by itself.
type Coming struct {
	Generation int32
	At         time.Time // at the earliest
	Why        CauseKind // delay-expired, backoff-expired, release
	Workers    []ComingWorker
	DelayMs    int32 // that it orders in turn
}

// ComingWorker is what a coming round tells one worker.
type ComingWorker struct {
	Member      string
	Name        string
	Start, Stop []Unit
}

// Coming lists the rounds that will come by themselves if nobody joins or leaves and nothing is configured. exact is
// false when the leader's state is not known; the list is empty in a settled group, and when standing on a past round.
func (s *State) Coming() (rounds []Coming, exact bool) {
	s.comingOnce.Do(func() { s.coming, s.comingExact = s.foresee() })
	return s.coming, s.comingExact
}

// Leader is the shadow leader as it stands after the newest round, for previews.
func (s *State) Leader() assign.Shadow { return s.shadow }

func (s *State) foresee() ([]Coming, bool) {
	r := s.Round()
	if s.Past || r == nil || s.past == nil || s.past.end == nil || r.Settled || r.Error != 0 {
		return nil, false
	}
	steps, exact := s.past.end.forecast()
	names := map[string]string{}
	for i := range s.Workers {
		names[s.Workers[i].ID] = s.Workers[i].Name
	}
	var out []Coming
	for _, step := range steps {
		c := Coming{Generation: step.Request.Generation, At: time.UnixMilli(step.At).UTC()}
		switch {
		case step.Why == assign.StepRelease:
			c.Why = CauseRelease
		case r.Delayed == 0:
			c.Why = CauseBackoffExpired
		default:
			c.Why = CauseDelayExpired
		}
		for j, m := range step.Request.Members {
			a := step.Decision.Assignments[j]
			c.DelayMs = max(c.DelayMs, a.DelayMs)
			c.Workers = append(c.Workers, ComingWorker{
				Member: m.ID, Name: names[m.ID],
				Start: decode.SortUnits(decode.Units(a.Assigned)), Stop: decode.SortUnits(decode.Units(a.Revoked)),
			})
		}
		out = append(out, c)
	}
	return out, exact
}

// then says what the next round gives to whom: "worker-1 gets 3 and worker-2 gets 2", and in fewer words "worker-1 gets 3,
// worker-2 2". "" when that is not known.
func (s *State) then() (then, short string) {
	rounds, exact := s.Coming()
	if !exact || len(rounds) == 0 {
		return "", ""
	}
	var parts, brief []string
	for _, w := range rounds[0].Workers {
		n := len(w.Start)
		if n == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s gets %d", w.Name, n))
		if len(brief) > 0 {
			brief = append(brief, fmt.Sprintf("%s %d", w.Name, n))
		} else {
			brief = parts[:1:1]
		}
	}
	switch n := len(parts); {
	case n == 0:
		return "", ""
	case n == 1:
		return parts[0], parts[0]
	case n > 3:
		then = fmt.Sprintf("%d workers get them", n)
		return then, then
	default:
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1], strings.Join(brief, ", ")
	}
}
