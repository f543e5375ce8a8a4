package decode

import "strings"

// StatusKind tells the records of a status topic apart by their key.
type StatusKind int

// The kinds, with the key each has on the topic.
const (
	StatusUnknown  StatusKind = iota // any other key
	StatusOfUnit                     // status-connector-<name>, status-task-<name>-<n>
	StatusOfTopics                   // status-topic-<topic>:connector-<name>: which topics a connector uses
)

// States as workers write them. Others are shown as they are.
const (
	Running    = "RUNNING"
	Unassigned = "UNASSIGNED"
	Paused     = "PAUSED"
	Stopped    = "STOPPED"
	Failed     = "FAILED"
	Restarting = "RESTARTING"
	Destroyed  = "DESTROYED"
)

// StatusRecord is a claim that a worker made about a unit: true when written, often not any more.
type StatusRecord struct {
	Kind       StatusKind
	Key        string
	Unit       Unit   // StatusOfUnit; StatusOfTopics: its task
	Deleted    bool   // a tombstone: the unit was destroyed
	State      string // as written
	Trace      string
	WorkerID   string // as written; ParseWorkerID splits it
	Generation int32  // that the writing worker believed in
	Version    string // of the plugin, since 4.x
	Topic      string // StatusOfTopics
}

// ParseStatusKey tells what a status topic's key names, without its value.
func ParseStatusKey(key []byte) StatusRecord {
	s := StatusRecord{Key: string(key)}
	if name, ok := strings.CutPrefix(s.Key, "status-connector-"); ok && name != "" {
		s.Kind, s.Unit = StatusOfUnit, Unit{name, Instance}
	} else if rest, ok := strings.CutPrefix(s.Key, "status-task-"); ok {
		if name, n, ok := cutTask(rest); ok {
			s.Kind, s.Unit = StatusOfUnit, Unit{name, n}
		}
	} else if rest, ok := strings.CutPrefix(s.Key, "status-topic-"); ok {
		// Topic names have no colon, connector names may.
		if topic, name, ok := strings.Cut(rest, ":connector-"); ok && topic != "" && name != "" {
			s.Kind, s.Topic, s.Unit = StatusOfTopics, topic, Unit{name, Instance}
		}
	}
	return s
}

// statusValue is every field that some kind of status record has. Pointers tell a field that is not there from a zero.
type statusValue struct {
	State      *string `json:"state"`
	Trace      string  `json:"trace"`
	WorkerID   *string `json:"worker_id"`
	Generation *int32  `json:"generation"`
	Version    string  `json:"version"`
	Topic      *struct {
		Task *int32 `json:"task"`
	} `json:"topic"`
}

// ParseStatus reads one record of a status topic. A null value is a tombstone. With an error the record still has what the
// key says, and nothing else.
func ParseStatus(key, value []byte) (StatusRecord, error) {
	s := ParseStatusKey(key)
	if s.Kind == StatusUnknown {
		return s, nil
	}
	if value == nil {
		s.Deleted = true
		return s, nil
	}
	var v statusValue
	if err := parseJSON("status record", s.Key, value, &v); err != nil {
		return s, err
	}
	if missing := s.missing(&v); missing != "" {
		return s, badValue("status record", s.Key, value, missing, notThere)
	}
	if s.Kind == StatusOfTopics {
		s.Unit.Task = *v.Topic.Task
		return s, nil
	}
	s.State, s.Trace, s.WorkerID, s.Generation, s.Version = *v.State, v.Trace, *v.WorkerID, *v.Generation, v.Version
	return s, nil
}

// missing names a field that every worker writes and that is not there.
func (s *StatusRecord) missing(v *statusValue) string {
	switch {
	case s.Kind == StatusOfTopics && (v.Topic == nil || v.Topic.Task == nil):
		return "topic.task"
	case s.Kind == StatusOfTopics:
		return ""
	case v.State == nil || *v.State == "":
		return "state"
	case v.WorkerID == nil:
		return "worker_id"
	case v.Generation == nil:
		return "generation"
	}
	return ""
}
