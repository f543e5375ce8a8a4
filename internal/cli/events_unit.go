package cli

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
)

// unitMark is how a unit was in the last State.
type unitMark struct {
	state  group.UnitStateKind
	holder string // member id
	name   string // the holder's short name
}

// unseen is the state of a unit before the first State that had it.
const unseen = group.UnitStateKind(-1)

// word is the state as JSON has it.
func (m unitMark) word() *string {
	if m.state == unseen {
		return nil
	}
	return orNull(m.state.String())
}

func (m unitMark) same(o unitMark) bool { return m.state == o.state && m.holder == o.holder }

type unitEvent struct {
	unitObject
	Was *string `json:"was"`
}

// unitEvents are how units changed since the last State. A unit may stop and start again between two States: what its holders said
// meanwhile is told first, record by record.
func (f *follower) unitEvents(s *group.State) []event {
	said := f.saidSince(s)
	now := make(map[group.Unit]unitMark, len(s.Units))
	var out []event
	var last map[int32]string
	for i := range s.Units {
		u := &s.Units[i]
		m := unitMark{state: u.State, name: "nobody"}
		if u.Worker >= 0 {
			m.holder, m.name = s.Workers[u.Worker].ID, s.Workers[u.Worker].Name
		}
		now[u.Unit] = m
		was, known := f.units[u.Unit]
		if known && was.same(m) && said[i] == nil || !f.begun { // where it begins is describe's to tell
			continue
		}
		if last == nil {
			last = lastMembers(s)
		}
		if !known {
			was.state = unseen
		}
		steps, was := stepEvents(s, i, said[i], was, m, last)
		if out = append(out, steps...); was.same(m) {
			continue
		}
		e := unitEvent{unitObject: unitOf(s, i, last), Was: was.word()}
		at := u.Since
		if at.IsZero() || known && was.state == m.state {
			at = s.Now
		}
		out = append(out, event{at, "unit", e, fmt.Sprintf("unit   %s %s on %s", u.Unit, u.State, m.name)})
	}
	f.units = now
	return out
}

// saidSince are the status records since the last State, by unit. While the status topic is read in they are history.
func (f *follower) saidSince(s *group.State) map[int][]group.StatusAt {
	records, n := s.StatusesSince(f.said)
	f.said = n
	src := s.SourceOf(group.SourceStatus)
	if !f.begun || src != nil && src.Health == group.HealthCatchingUp {
		return nil
	}
	out := map[int][]group.StatusAt{}
	for _, r := range records {
		out[r.Unit] = append(out[r.Unit], r)
	}
	return out
}

// stepEvents are what the holders of a unit said between two States, and how the unit was after that.
func stepEvents(s *group.State, i int, said []group.StatusAt, was, now unitMark, last map[int32]string) ([]event, unitMark) {
	var out []event
	for n, k := range said {
		id := ""
		if k.Worker >= 0 {
			id = s.Workers[k.Worker].ID
		}
		if id != now.holder && id != was.holder && k.Name != was.name {
			continue
		}
		m := unitMark{state: k.Kind, holder: id, name: k.Name}
		if k.Kind == group.UnitStopping && restarts(k, said[n+1:], now, id) {
			m.state = group.UnitRestarting
		}
		if m.state == was.state && (id == was.holder || id == "") {
			continue
		}
		out = append(out, stepEvent(s, i, last, k.At, m, was, fmt.Sprintf("%s says %s, generation %d", k.Name, decode.Printable(k.State), k.Generation)))
		was = m
	}
	return out, was
}

// restarts reports whether a worker that stopped a unit starts it again without a round.
func restarts(k group.StatusAt, later []group.StatusAt, now unitMark, id string) bool {
	for _, o := range later {
		if o.Name == k.Name && o.Kind != group.UnitStopping {
			return o.Generation == k.Generation
		}
	}
	return now.state == group.UnitRestarting && now.holder == id
}

func stepEvent(s *group.State, i int, last map[int32]string, at time.Time, m, was unitMark, evidence string) event {
	e := unitEvent{unitObject: unitOf(s, i, last), Was: was.word()}
	e.State, e.Worker, e.Since, e.Orphaned, e.Stale = m.state.String(), orNull(m.holder), timeOrNull(at), false, false
	e.Evidence = []evidenceObject{{timeOrNull(at), string(group.SourceStatus), evidence}}
	return event{at, "unit", e, fmt.Sprintf("unit   %s %s on %s", s.Units[i].Unit, m.state, m.name)}
}

// restartEvents are the restarts of the history that no round tells of: a stop and a start each.
func restartEvents(s *group.State) []event {
	var out []event
	var last map[int32]string
	for _, r := range s.Restarts(s.HistoryFrom) {
		i, ok := s.Find(r.Unit)
		if !ok {
			continue
		}
		if last == nil {
			last = lastMembers(s)
		}
		stop := unitMark{group.UnitRestarting, r.Member, r.Worker}
		if r.Failed {
			stop.state = group.UnitFailed
		}
		start := unitMark{group.UnitRunning, r.Member, r.Worker}
		out = append(out,
			stepEvent(s, i, last, r.Stop, stop, start, r.Worker+" stopped it"),
			stepEvent(s, i, last, r.Start, start, stop, r.Worker+" says RUNNING again"))
	}
	return out
}
