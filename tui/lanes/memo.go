package lanes

import (
	"slices"

	"regroup/group"
)

// Memo keeps what a timeline is drawn from while the history does not grow.
type Memo struct {
	extent  group.Extent
	made    bool
	units   []group.LaneUnit
	names   []string // of connectors
	lanes   map[group.LaneUnit]group.Lane
	workers []group.WorkerLane
	down    []group.Downtime
	labels  map[string]string
	byID    map[int32]string
}

func (m *Memo) of(s *group.State) *Memo {
	if e := s.Extent(); !m.made || m.extent != e {
		next := Memo{extent: e, made: true, lanes: map[group.LaneUnit]group.Lane{}, byID: map[int32]string{}}
		if m.made && m.extent.SameRounds(e) {
			next.workers, next.labels, next.byID = m.workers, m.labels, m.byID
		}
		*m = next
	}
	return m
}

func (m *Memo) laneUnits(s *group.State) []group.LaneUnit {
	if m.units == nil {
		m.units = s.LaneUnits()
	}
	return m.units
}

func (m *Memo) connectorNames(s *group.State) []string {
	if m.names == nil {
		for _, u := range m.laneUnits(s) {
			if name := s.LaneName(u).Connector; len(m.names) == 0 || m.names[len(m.names)-1] != name {
				m.names = append(m.names, name)
			}
		}
	}
	return m.names
}

func (m *Memo) workerLanes(s *group.State) []group.WorkerLane {
	if m.workers == nil {
		m.workers = s.WorkerLanes()
	}
	return m.workers
}

func (m *Memo) downtimes(s *group.State) []group.Downtime {
	if m.down == nil {
		m.down = s.Downtimes()
	}
	return m.down
}

// fewLanes is up to how many units all lanes are made at once; then units that were not there in the window are left out.
const fewLanes = 512

// rows are the units to be shown in a window.
func (m *Memo) rows(s *group.State, w Window) []group.LaneUnit {
	units := m.laneUnits(s)
	if len(units) > fewLanes {
		return units
	}
	lanes := m.lanesOf(s, units, units, 0)
	out := make([]group.LaneUnit, 0, len(units))
	for i, u := range units {
		if livedIn(lanes[i].Stretches, w) {
			out = append(out, u)
		}
	}
	return out
}

// livedIn says whether a unit existed at any time of a window.
func livedIn(stretches []group.Stretch, w Window) bool {
	for i := range stretches {
		if stretches[i].Kind != group.LaneNone && stretches[i].From.Before(w.To()) && (i+1 == len(stretches) || stretches[i+1].From.After(w.From)) {
			return true
		}
	}
	return false
}

// lanesOf gives the lanes of the units seen; those of a page before and after them are made with them.
func (m *Memo) lanesOf(s *group.State, seen, rows []group.LaneUnit, top int) []group.Lane {
	missing := func(units []group.LaneUnit) []group.LaneUnit {
		return slices.DeleteFunc(slices.Clone(units), func(u group.LaneUnit) bool { _, known := m.lanes[u]; return known })
	}
	if len(missing(seen)) > 0 {
		page := len(seen)
		want := missing(rows[max(top-page, 0):min(top+2*page, len(rows))])
		for i, l := range s.Lanes(want) {
			m.lanes[want[i]] = l
		}
	}
	out := make([]group.Lane, len(seen))
	for i, u := range seen {
		out[i] = m.lanes[u]
	}
	return out
}

// label gives what stands for a worker in a lane.
func (m *Memo) label(s *group.State) func(int32) string {
	if m.labels == nil {
		var names []string
		for _, l := range m.workerLanes(s) {
			names = append(names, l.Name)
			m.byID[l.Worker] = l.Name
		}
		m.labels = workerLabels(names)
	}
	return func(worker int32) string { return m.labels[m.byID[worker]] }
}
