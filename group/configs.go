package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// configLog is what the config topic said, by offset. Events only grow at the end, so a copy of the slice stays right.
type configLog struct {
	tables *tables
	topic  string
	seen   bool // any record at all: without one, known units come from the rounds
	upTo   int64
	solid  int64 // below it every offset was seen: compaction took nothing
	whole  bool  // it was read to its end once: what is left of its past is known
	events []configEvent
	byName [][]configEvent // by connector number; only what decides which units exist
}

// configEvent is a record that matters to the group.
type configEvent struct {
	offset    int64
	at        time.Time
	kind      decode.ConfigKind
	connector int32 // -1 for records that name none
	tasks     int32
	deleted   bool
	state     string
	digest    uint64 // of the properties: tells whether a record changed anything
	class     string // connector.class
}

// apply takes a record in; one at an offset already passed is a repetition and ignored.
func (c *configLog) apply(f ConfigRecord) bool {
	if f.Offset == c.solid {
		c.solid++
	}
	if f.Offset < c.upTo || f.Err != nil && f.Record.Kind == decode.ConfigUnknown {
		return false
	}
	c.seen, c.upTo, c.topic = true, f.Offset+1, f.Topic
	e := configEvent{
		offset: f.Offset, at: f.At, kind: f.Record.Kind, connector: -1, tasks: f.Record.Tasks,
		deleted: f.Record.Deleted, state: f.Record.State, digest: digest(f.Record.Properties), class: f.Record.Properties["connector.class"],
	}
	switch e.kind {
	case decode.ConfigUnknown, decode.ConfigLogger, decode.ConfigTask:
		return true
	case decode.ConfigSessionKey:
		e.at = f.Record.CreatedAt
	default:
		e.connector = c.tables.connector(f.Record.Connector)
	}
	if f.Err != nil && !e.deleted {
		return true
	}
	e.tasks = min(e.tasks, maxTasks)
	c.events = append(c.events, e)
	if !e.deleted {
		c.units(e)
	}
	if e.kind == decode.ConfigConnector || e.kind == decode.ConfigCommit {
		for int(e.connector) >= len(c.byName) {
			c.byName = append(c.byName, nil)
		}
		c.byName[e.connector] = append(c.byName[e.connector], e)
	}
	return true
}

// maxTasks bounds the units that a number in a commit record makes. Assignments of more would not fit into the group's
// record, 1 MiB.
const maxTasks = 1 << 18

// units gives numbers to what a record configures: a State lists it before any round gives it out.
func (c *configLog) units(e configEvent) {
	switch e.kind {
	case decode.ConfigConnector:
		c.tables.unit(e.connector, decode.Instance)
	case decode.ConfigCommit:
		for task := range e.tasks {
			c.tables.unit(e.connector, task)
		}
	}
}

// connectorAt is what the topic says of a connector below a config offset.
type connectorAt struct {
	record, commit           bool // there is one below the offset; a tombstone counts as a record, and takes the commit away
	live                     bool // the newest record below is no tombstone
	tasks                    int32
	recordOffset, commitOffs int64
	newerRecord, newerCommit bool // at or above the offset, and may have replaced one below it
}

func (c *configLog) at(connector int32, offset int64) connectorAt {
	var s connectorAt
	if int(connector) >= len(c.byName) {
		return s
	}
	for _, e := range c.byName[connector] {
		if e.offset >= offset {
			if e.offset < c.solid {
				continue
			}
			if e.kind == decode.ConfigConnector {
				s.newerRecord = true
			} else {
				s.newerCommit = true
			}
			continue
		}
		s.take(e)
	}
	return s
}

func (s *connectorAt) take(e configEvent) {
	switch {
	case e.kind == decode.ConfigConnector:
		s.record, s.live, s.recordOffset = true, !e.deleted, e.offset
		if e.deleted {
			s.commit, s.tasks = false, 0
		}
	case e.deleted:
		s.commit, s.tasks = false, 0
	default:
		s.commit, s.tasks, s.commitOffs = true, e.tasks, e.offset
	}
}

// configChange is what happened on the config topic between two config offsets.
type configChange struct {
	connectors []connectorChange // by name
	instances  map[int32]bool    // existing connectors with a new record: their instance restarts
	commits    map[int32]bool    // their tasks restart
}

type connectorChange struct {
	connector        int32
	created, deleted bool
	committed        bool
	was, now         int32 // tasks
	wasKnown         bool  // was counts something
}

func (c configChange) rebalances() bool {
	return slices.ContainsFunc(c.connectors, func(k connectorChange) bool { return k.created || k.deleted || k.committed })
}

func (c configChange) restarts(u unitRef) bool {
	if u.task == decode.Instance {
		return c.instances[u.connector]
	}
	return c.commits[u.connector]
}

// between is what changed from the config offset before to now. existed says whether a connector was seen to have units:
// its older records may be compacted away.
func (c *configLog) between(before, now int64, existed func(connector int32) bool) configChange {
	change := configChange{instances: map[int32]bool{}, commits: map[int32]bool{}}
	if before == noOffset || now <= before {
		return change
	}
	from, _ := slices.BinarySearchFunc(c.events, max(before, 0), func(e configEvent, o int64) int { return int(e.offset - o) })
	touched := map[int32]*connectorChange{}
	for _, e := range c.events[from:] {
		if e.offset >= now {
			break
		}
		if e.kind != decode.ConfigConnector && e.kind != decode.ConfigCommit {
			continue
		}
		k := touched[e.connector]
		if k == nil {
			k = &connectorChange{connector: e.connector}
			touched[e.connector] = k
		}
		k.committed = k.committed || e.kind == decode.ConfigCommit && !e.deleted
		if e.kind == decode.ConfigConnector && !e.deleted {
			change.instances[e.connector] = true
		}
	}
	for id, k := range touched {
		old, cur := c.at(id, max(before, 0)), c.at(id, now)
		was := old.live || !old.record && existed(id)
		k.created, k.deleted = !was && cur.live, was && cur.record && !cur.live
		k.was, k.now, k.wasKnown = old.tasks, cur.tasks, old.commit
		if !was {
			delete(change.instances, id)
		}
		if k.deleted {
			k.committed = false
		}
		if k.committed {
			change.commits[id] = true
		}
		change.connectors = append(change.connectors, *k)
	}
	slices.SortFunc(change.connectors, func(a, b connectorChange) int {
		return cmpStrings(c.tables.connectors[a.connector], c.tables.connectors[b.connector])
	})
	return change
}

// targetAt is a connector's target state below a config offset. One that nobody paused or stopped is started.
func (c *configLog) targetAt(connector int32, offset int64) string {
	for _, e := range slices.Backward(c.events) {
		if e.offset < offset && e.connector == connector && e.kind == decode.ConfigTargetState {
			if e.deleted || e.state == "" {
				break
			}
			return e.state
		}
	}
	return decode.TargetStarted
}

// knownUnits calls yield for every unit that is configured at a config offset. held says whether a unit was held in the
// rounds seen: it counts while only newer records of it remain.
func (c *configLog) knownUnits(offset int64, ever func(unit int32) bool, yield func(unit int32)) {
	for id := range c.byName {
		connector := int32(id)
		s := c.at(connector, offset)
		units := &c.tables.unitIDs[connector]
		if s.live {
			yield(c.tables.unit(connector, decode.Instance))
		} else if !s.record && s.newerRecord && units.instance >= 0 && ever(units.instance) {
			yield(units.instance)
		}
		switch {
		case s.commit:
			for task := range s.tasks {
				yield(c.tables.unit(connector, task))
			}
		case s.record && !s.live, !s.newerCommit:
		default:
			for _, u := range units.tasks {
				if u >= 0 && ever(u) {
					yield(u)
				}
			}
		}
	}
}
