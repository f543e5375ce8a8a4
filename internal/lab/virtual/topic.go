package virtual

import (
	"maps"
	"strconv"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/lab/herder"
)

// topic is the config topic. It grows by whole batches, and between two of them there is a view of what is configured.
type topic struct {
	views   []view           // one more than batches
	changes []herder.Changes // that each batch makes
	offset  int64            // of the next record
}

// view is what the topic says up to a point. It is immutable.
type view struct {
	offset     int64 // config offset: of the next record, -1 before any
	connectors map[string]connector
	keyCreated time.Time // of the session key; zero: there is none
}

// connector is its record and its last commit.
type connector struct {
	max, edits               int // of its own config: tasks.max, and how often anything changed
	committed, committedEdit int // tasks, and the config that they were made from; -1: no commit
}

func newTopic() topic {
	return topic{views: []view{{offset: -1, connectors: map[string]connector{}}}}
}

func (t *topic) now() *view { return &t.views[len(t.views)-1] }

// at is what the topic said up to a config offset.
func (t *topic) at(offset int64) *view {
	i := len(t.views) - 1
	for i > 0 && t.views[i].offset > offset {
		i--
	}
	return &t.views[i]
}

// write appends a batch: the records are told as facts, to the workers their sum.
func (t *topic) write(at time.Time, tell func(group.Fact), records []decode.ConfigRecord, then func(*view) herder.Changes) {
	next := *t.now()
	next.connectors = maps.Clone(next.connectors)
	made := then(&next)
	for _, r := range records {
		tell(group.ConfigRecord{At: at, Topic: "configs", Offset: t.offset, Record: r})
		t.offset++
	}
	next.offset = t.offset
	t.views, t.changes = append(t.views, next), append(t.changes, made)
	tell(group.Progress{At: at, Source: group.SourceConfig, UpTo: t.offset, CaughtUp: true})
}

// config is what an assignor needs to know.
func (v *view) config() assign.Config {
	out := assign.Config{Offset: v.offset, Connectors: make(map[string]int, len(v.connectors))}
	for name, c := range v.connectors {
		out.Connectors[name] = max(c.committed, 0)
	}
	return out
}

// due says whether a connector's tasks are not those that its config asks for.
func (c connector) due() bool { return c.committed != c.max || c.committedEdit != c.edits && c.max > 0 }

// The records that workers write.

func connectorRecord(name string, c connector) decode.ConfigRecord {
	return decode.ConfigRecord{Kind: decode.ConfigConnector, Key: "connector-" + name, Connector: name, Properties: map[string]string{
		"connector.class": "org.regroup.lab.SimulatedSinkConnector", "tasks.max": strconv.Itoa(c.max), "edit": strconv.Itoa(c.edits),
	}}
}

func taskRecords(name string, n int) []decode.ConfigRecord {
	out := make([]decode.ConfigRecord, n)
	for i := range out {
		out[i] = decode.ConfigRecord{Kind: decode.ConfigTask, Key: "task-" + name + "-" + strconv.Itoa(i), Connector: name, Task: int32(i)}
	}
	return out
}

func commitRecord(name string, n int) decode.ConfigRecord {
	return decode.ConfigRecord{Kind: decode.ConfigCommit, Key: "commit-" + name, Connector: name, Tasks: int32(n)}
}

// putConnector is the sum of a connector's own record.
func putConnector(name string, c connector) func(*view) herder.Changes {
	return func(v *view) herder.Changes {
		_, was := v.connectors[name]
		v.connectors[name] = c
		return herder.Changes{Rebalance: !was, Connectors: map[string]bool{name: true}}
	}
}

func deleteConnector(name string) func(*view) herder.Changes {
	return func(v *view) herder.Changes {
		_, was := v.connectors[name]
		delete(v.connectors, name)
		return herder.Changes{Rebalance: was}
	}
}

// commitTasks is the sum of a commit; one of no tasks restarts none.
func commitTasks(name string, n, edit int) func(*view) herder.Changes {
	return func(v *view) herder.Changes {
		c, ok := v.connectors[name]
		if !ok {
			return herder.Changes{}
		}
		c.committed, c.committedEdit = n, edit
		v.connectors[name] = c
		out := herder.Changes{Rebalance: true}
		if n > 0 {
			out.Tasks = map[string]bool{name: true}
		}
		return out
	}
}

func nothing(*view) herder.Changes { return herder.Changes{} }
