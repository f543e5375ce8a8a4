package cli

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"regroup/group"
)

// Field names and order are DESIGN.md, section 6. They are a promise to scripts.
type describeObject struct {
	Group        string         `json:"group"`
	State        *string        `json:"state"`
	Generation   *int32         `json:"generation"`
	Protocol     *string        `json:"protocol"`
	Mode         *group.Mode    `json:"mode"`
	Leader       *string        `json:"leader"`
	LeaderURL    *string        `json:"leaderUrl"`
	ConfigOffset *int64         `json:"configOffset"`
	At           string         `json:"at"` // the moment that is described
	Delay        *delayObject   `json:"delay"`
	Workers      []workerObject `json:"workers"`
	Units        []unitObject   `json:"units"`
	Sources      []sourceObject `json:"sources"`
}

type delayObject struct {
	TotalMs     int64        `json:"totalMs"`
	RemainingMs int64        `json:"remainingMs"`
	Units       []group.Unit `json:"units"`
}

type workerObject struct {
	Member       string  `json:"member"`
	Client       string  `json:"client"`
	Host         string  `json:"host"`
	URL          string  `json:"url"`
	Leader       bool    `json:"leader"`
	ConfigOffset int64   `json:"configOffset"`
	Connectors   int     `json:"connectors"`
	Tasks        int     `json:"tasks"`
	Version      *string `json:"version"`
	REST         *string `json:"rest"`
}

type unitObject struct {
	Connector  string           `json:"connector"`
	Task       *int32           `json:"task"`
	State      string           `json:"state"`
	Worker     *string          `json:"worker"`     // a member id
	LastWorker *string          `json:"lastWorker"` // a member id too, of a worker that may be gone
	Since      *string          `json:"since"`
	Orphaned   bool             `json:"orphaned,omitempty"`
	Stale      bool             `json:"stale,omitempty"`
	Evidence   []evidenceObject `json:"evidence"`
}

type evidenceObject struct {
	At     *string `json:"at"`
	Source string  `json:"source"`
	Text   string  `json:"text"`
}

type sourceObject struct {
	Source string `json:"source"`
	Name   string `json:"name"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

func describeJSON(w io.Writer, s *group.State) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(describeOf(s))
}

func describeOf(s *group.State) describeObject {
	out := describeObject{
		Group: s.Group, State: orNull(s.Phase), At: group.FormatTime(s.Now),
		Workers: []workerObject{}, Units: []unitObject{}, Sources: []sourceObject{},
	}
	if r := s.Round(); r != nil {
		if !r.Polled {
			out.Generation = &r.Generation
		}
		if !r.Empty() {
			out.Protocol, out.Mode, out.Leader = orNull(r.Protocol), &r.Mode, orNull(r.Leader)
			out.LeaderURL, out.ConfigOffset = orNull(r.LeaderURL), &r.ConfigOffset
		}
	}
	if d := s.Delay; d != nil {
		out.Delay = &delayObject{TotalMs: d.Total.Milliseconds(), RemainingMs: d.Remaining.Milliseconds(), Units: []group.Unit{}}
	}
	for _, w := range s.Workers {
		if w.Gone {
			continue // its units say so, by lastWorker
		}
		out.Workers = append(out.Workers, workerObject{
			w.ID, w.Client, w.Host, w.URL, w.Leader, w.ConfigOffset, w.HeldConns,
			w.Held - w.HeldConns, orNull(w.Version), orNull(w.REST),
		})
	}
	last := lastMembers(s)
	for i, u := range s.Units {
		if out.Delay != nil && u.State == group.UnitDelayed {
			out.Delay.Units = append(out.Delay.Units, u.Unit)
		}
		out.Units = append(out.Units, unitOf(s, i, last))
	}
	for _, src := range sources(s) {
		out.Sources = append(out.Sources, sourceOf(src))
	}
	return out
}

func unitOf(s *group.State, i int, last map[int32]string) unitObject {
	u := &s.Units[i]
	o := unitObject{
		Connector: u.Unit.Connector, State: u.State.String(), LastWorker: orNull(last[u.Last]),
		Since: timeOrNull(u.Since), Orphaned: u.Orphaned, Stale: u.Stale, Evidence: []evidenceObject{},
	}
	if !u.Unit.IsInstance() {
		task := u.Unit.Task
		o.Task = &task
	}
	if u.Worker >= 0 {
		o.Worker = &s.Workers[u.Worker].ID
	}
	for _, e := range s.Evidence(i) {
		o.Evidence = append(o.Evidence, evidenceObject{timeOrNull(e.At), string(e.Source), e.Text})
	}
	return o
}

func sourceOf(src group.SourceState) sourceObject {
	return sourceObject{string(src.Source), src.Name, string(src.Health), src.Detail}
}

// sources are those of a State in one order, whichever spoke first.
func sources(s *group.State) []group.SourceState {
	order := []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus}
	rank := func(src group.SourceState) int {
		if i := slices.Index(order, src.Source); i >= 0 {
			return i
		}
		return len(order)
	}
	out := slices.Clone(s.Sources)
	slices.SortStableFunc(out, func(a, b group.SourceState) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Source, b.Source))
	})
	return out
}

// lastMembers are the newest member ids of workers, by worker number: present ones, then those that left.
func lastMembers(s *group.State) map[int32]string {
	out := map[int32]string{}
	for _, w := range s.Workers {
		if _, ok := out[w.Worker]; !ok || !w.Gone {
			out[w.Worker] = w.ID
		}
	}
	for i := s.At; i >= 0; i-- {
		for _, g := range s.Rounds[i].Left {
			if _, ok := out[g.Worker]; !ok {
				out[g.Worker] = g.Member
			}
		}
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(group.FormatTime(t))
}
