package group

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"regroup/decode"
)

// Stranger is a worker that was never seen in this group and has statuses in its status topic: one of another group that was given
// the same topic.
type Stranger struct {
	WorkerID   string // as written
	Units      []Unit // that it wrote of, sorted: since this group's first round; also before it, where it is known to live
	Since, At  time.Time
	Unit       Unit // of its newest status, which is from At
	State      string
	Generation int32 // of that status
	Ours       int32 // this group's newest generation then; 0 before its first round
}

// strangerSlack is how much the clocks of a broker and of a worker may differ before a status is of a generation to come.
const strangerSlack = 2 * time.Second

// Strangers lists them by their worker id. A worker that left before the rounds that are known is none: its statuses stay. So it
// takes a living member of another group, or rounds from the group's beginning, or a generation that this group had not reached.
func (s *State) Strangers() []Stranger {
	s.strangersOnce.Do(func() {
		if s.moment != nil {
			s.strangers, s.unplaced = s.moment.strangers(s.Forgotten > 0, s.OtherGroups())
		}
	})
	return s.strangers
}

// Unplaced reports whether a worker claims to run a unit and was never seen in this group, so that it may be another group's.
func (s *State) Unplaced() bool {
	s.Strangers()
	return s.unplaced
}

func (x *moment) strangers(forgotten bool, others []OtherGroup) (found []Stranger, unplaced bool) {
	rounds := x.h.rounds
	if len(rounds) == 0 {
		return nil, false
	}
	elsewhere := map[string]bool{}
	for _, o := range others {
		for _, at := range o.Workers {
			elsewhere[at] = true
		}
	}
	known := map[string]bool{}
	for _, m := range x.h.tables.members {
		known[author(m.url, m.worker)] = true
	}
	begun, whole := rounds[0].RecordedAt, !forgotten && rounds[0].Generation <= 1
	byID := map[string]*Stranger{}
	for _, id := range x.h.tables.order {
		for _, k := range x.claims.of(id).byWho {
			if k.foreign || decode.ParseWorkerID(k.id).Address != k.id || known[k.worker] {
				continue
			}
			claims := k.state != decode.Unassigned
			unplaced = unplaced || claims
			lives := claims && elsewhere[k.id]
			if k.at.Before(begun) && !lives {
				continue
			}
			n := sort.Search(len(rounds), func(i int) bool { return rounds[i].RecordedAt.After(k.at.Add(strangerSlack)) })
			var ours int32
			if n > 0 {
				ours = rounds[n-1].Generation
			}
			if !whole && k.generation <= ours && !lives {
				continue
			}
			unit := x.h.tables.unitOf(id)
			w := byID[k.id]
			if w == nil {
				w = &Stranger{WorkerID: k.id, Since: later(k.at, begun)}
				byID[k.id] = w
			}
			w.Units = append(w.Units, unit)
			w.Since = earlier(w.Since, later(k.at, begun)) // before it, the topic was the other group's alone
			if !k.at.Before(w.At) {
				w.At, w.Unit, w.State, w.Generation, w.Ours = k.at, unit, k.state, k.generation, ours
			}
		}
	}
	found = make([]Stranger, 0, len(byID))
	for _, w := range byID {
		decode.SortUnits(w.Units)
		found = append(found, *w)
	}
	slices.SortFunc(found, func(a, b Stranger) int { return cmp.Compare(a.WorkerID, b.WorkerID) })
	return found, unplaced || len(found) > 0
}

// OtherGroups are the groups that were seen to use this group's topics, by name.
func (s *State) OtherGroups() []OtherGroup {
	if s.told == nil {
		return nil
	}
	return s.told.others
}

// Unrecorded is a connector that runs and of which the config topic has no record.
type Unrecorded struct {
	Connector string
	Units     []Unit // that members hold
	Workers   []int  // which hold them, indices into State.Workers
}

// Unrecorded lists the connectors whose units members hold and of which the config topic has neither configuration nor tombstone,
// by name. It is empty until the topic was read beyond what the newest round knew of it.
func (s *State) Unrecorded() []Unrecorded {
	r, src := s.Round(), s.SourceOf(SourceConfig)
	if r == nil || s.past == nil || src == nil {
		return nil
	}
	read := src.Health == HealthEnded && s.past.configSeen || src.Health == HealthOK && s.past.configUpTo >= r.ConfigOffset
	if !read {
		return nil
	}
	recorded := map[int32]bool{}
	for _, e := range s.past.config {
		if e.kind == decode.ConfigConnector {
			recorded[e.connector] = true
		}
	}
	byName := map[int32]*Unrecorded{}
	var order []int32
	for i := range s.Units {
		u := &s.Units[i]
		if u.Worker < 0 {
			continue
		}
		id := s.past.tables.units[s.numbers[i]].connector
		if recorded[id] {
			continue
		}
		c := byName[id]
		if c == nil {
			c = &Unrecorded{Connector: u.Unit.Connector}
			byName[id], order = c, append(order, id)
		}
		c.Units = append(c.Units, u.Unit)
		if !slices.Contains(c.Workers, u.Worker) {
			c.Workers = append(c.Workers, u.Worker)
		}
	}
	var out []Unrecorded
	for _, id := range order {
		out = append(out, *byName[id])
	}
	slices.SortFunc(out, func(a, b Unrecorded) int { return cmpStrings(a.Connector, b.Connector) })
	return out
}

// ConfigBegin is the offset of the oldest config record read; -1 where none was.
func (s *State) ConfigBegin() int64 {
	if s.past == nil || len(s.past.config) == 0 {
		return -1
	}
	return s.past.config[0].offset
}
