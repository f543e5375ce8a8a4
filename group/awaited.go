package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// awaited is a connector that was created in an episode and whose tasks have not been committed yet, since the first round with it.
type awaited struct {
	connector int32
	since     time.Time
}

// awaitedFor is how long the first tasks of a connector are waited for. Later they may come all the same; doctor then says that
// they were not generated.
const awaitedFor = time.Minute

// awaits notes the connectors of r's episode whose first tasks are yet to come.
func (l *ledger) awaits(r *Round, rec *record, p *parts, change configChange) {
	var waiting []awaited
	if l.prev != nil && l.episode != r {
		waiting = slices.Clone(l.prev.awaited)
	}
	for _, k := range change.connectors {
		known := slices.ContainsFunc(waiting, func(a awaited) bool { return a.connector == k.connector })
		if k.created && !known {
			waiting = append(waiting, awaited{k.connector, r.RecordedAt})
		}
	}
	if r.Empty() {
		return
	}
	r.awaited = slices.DeleteFunc(waiting, func(a awaited) bool {
		now := l.config.at(a.connector, r.ConfigOffset)
		older := a.since.Before(r.RecordedAt)
		return !now.live || now.commit || older && now.newerCommit || // compaction may have taken the first
			r.RecordedAt.Sub(a.since) >= awaitedFor ||
			l.config.targetAt(a.connector, r.ConfigOffset) != decode.TargetStarted || l.stranded(rec, p, a.connector)
	})
}

// settledBy reports whether nothing more was to come of the round at that moment: it was settled, or all that kept it from that was
// tasks that did not come.
func (r *Round) settledBy(now time.Time) bool {
	if r.Settled {
		return true
	}
	only := r.Error == 0 && r.DelayMs == 0 && len(r.revoked) == 0 && len(r.awaited) > 0
	return only && !slices.ContainsFunc(r.awaited, func(a awaited) bool { return now.Sub(a.since) < awaitedFor })
}

// AwaitedTasks are the connectors whose first tasks are yet to come after the round stood on, by name. One whose instance has
// failed makes none.
func (s *State) AwaitedTasks() []string {
	r := s.Round()
	if r == nil || r.settledBy(s.Now) {
		return nil
	}
	var out []string
	for _, a := range r.awaited {
		name := s.past.tables.connectors[a.connector]
		at, ok := s.Find(Unit{Connector: name, Task: decode.Instance})
		if s.Now.Sub(a.since) >= awaitedFor || ok && s.Units[at].State == UnitFailed {
			continue
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// RoundSettled reports whether nothing more comes of the round stood on by itself.
func (s *State) RoundSettled() bool {
	r := s.Round()
	if r == nil || r.settledBy(s.Now) {
		return r != nil
	}
	return r.Error == 0 && r.DelayMs == 0 && len(r.revoked) == 0 && len(s.AwaitedTasks()) == 0
}
