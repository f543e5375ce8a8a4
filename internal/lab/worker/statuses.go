package worker

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
	"regroup/internal/lab/herder"
)

// statuses is what a worker has read of the status topic, and how it writes there.
type statuses struct {
	w      *Worker
	mu     sync.Mutex
	claims map[decode.Unit]decode.StatusRecord
}

func newStatuses(w *Worker) *statuses {
	return &statuses{w: w, claims: map[decode.Unit]decode.StatusRecord{}}
}

// status is a claim as workers write it. Version is left out by workers before 4.0.
type status struct {
	State      string  `json:"state"`
	Trace      *string `json:"trace"`
	WorkerID   string  `json:"worker_id"`
	Generation int32   `json:"generation"`
}

type versionedStatus struct {
	status
	Version *string `json:"version"`
}

func (s *statuses) apply(key, value []byte) {
	r, err := decode.ParseStatus(key, value)
	if err != nil || r.Kind != decode.StatusOfUnit {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Deleted {
		delete(s.claims, r.Unit)
		return
	}
	// A task's UNASSIGNED that comes after another worker's RUNNING of the same or a later generation says nothing new.
	was, ok := s.claims[r.Unit]
	if ok && !r.Unit.IsInstance() && r.State == decode.Unassigned && was.State == decode.Running && r.WorkerID != was.WorkerID && r.Generation <= was.Generation {
		return
	}
	s.claims[r.Unit] = r
}

func (s *statuses) of(u decode.Unit) (decode.StatusRecord, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.claims[u]
	return r, ok
}

func (s *statuses) failed(u decode.Unit) bool {
	r, ok := s.of(u)
	return ok && r.State == decode.Failed
}

// ofConnector lists the claims about a connector's units, the instance first.
func (s *statuses) ofConnector(name string) []decode.StatusRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []decode.StatusRecord
	for u, r := range s.claims {
		if u.Connector == name {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b decode.StatusRecord) int { return cmp.Compare(a.Unit.Task, b.Unit.Task) })
	return out
}

// all lists every unit that a claim is about.
func (s *statuses) all() []decode.Unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]decode.Unit, 0, len(s.claims))
	for u := range s.claims {
		out = append(out, u)
	}
	return decode.SortUnits(out)
}

// put writes a claim. UNASSIGNED and FAILED give way to another worker's claim of a later generation.
func (s *statuses) put(u decode.Unit, state, trace string) {
	generation := s.w.herder.place().Claimed
	if was, ok := s.of(u); ok && was.WorkerID != s.w.id && herder.GivesWay(state, generation, was.Generation) {
		return
	}
	claim := status{State: state, WorkerID: s.w.id, Generation: generation}
	if trace != "" {
		claim.Trace = &trace
	}
	var value any = claim
	if !s.w.opt.old() {
		v := versionedStatus{status: claim}
		if state != decode.Unassigned && state != decode.Restarting {
			v.Version = &s.w.opt.Version
		}
		value = v
	}
	b, err := json.Marshal(value)
	if err != nil {
		return // strings and numbers always can
	}
	s.produce(u, b)
}

// forget writes the tombstone of a unit that was deleted.
func (s *statuses) forget(u decode.Unit) { s.produce(u, nil) }

func (s *statuses) produce(u decode.Unit, value []byte) {
	key := "status-connector-" + u.Connector
	if !u.IsInstance() {
		key = "status-task-" + u.Connector + "-" + strconv.Itoa(int(u.Task))
	}
	s.w.cl.Produce(s.w.ctx, &kgo.Record{Topic: s.w.opt.Topics.Status, Key: []byte(key), Value: value}, nil)
}
