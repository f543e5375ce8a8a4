package group

import (
	"regroup/decode"
)

// tables give connectors, units and workers small numbers, so that a round of 100,000 units is arrays of int32. Numbers are
// never reused and slices only grow, so a copy of a tables (its slice headers) stays right while the original grows on.
type tables struct {
	connectors []string
	units      []unitRef
	members    []memberInfo
	workers    int32   // how many worker numbers were given
	order      []int32 // unit numbers as units are listed; see sorted

	connectorIDs map[string]int32
	unitIDs      []connectorUnits // by connector
	memberIDs    map[memberInfo]int32
	workerIDs    map[workerKey][]int32
}

type unitRef struct{ connector, task int32 }

type connectorUnits struct {
	instance int32 // unit number, -1 when not seen
	tasks    []int32
	far      map[int32]int32 // task numbers too large to be an index
}

// memberInfo is what stays the same while a member id lives.
type memberInfo struct {
	id, client, host, url string
	session               int32 // timeout, ms
	worker                int32
}

// workerKey tells workers apart over rounds. Members of one round that share a client id and a URL get several numbers.
type workerKey struct{ client, url string }

const maxHole = 4096

func newTables() *tables {
	return &tables{
		connectorIDs: map[string]int32{},
		memberIDs:    map[memberInfo]int32{},
		workerIDs:    map[workerKey][]int32{},
	}
}

// view is what readers of a State get: no maps.
func (t *tables) view() tables {
	return tables{connectors: t.connectors, units: t.units, members: t.members, workers: t.workers, order: t.sorted()}
}

func (t *tables) connector(name string) int32 {
	if id, ok := t.connectorIDs[name]; ok {
		return id
	}
	id := int32(len(t.connectors))
	t.connectorIDs[name] = id
	t.connectors = append(t.connectors, name)
	t.unitIDs = append(t.unitIDs, connectorUnits{instance: -1})
	return id
}

// unit gives the number of one unit of a connector, making it if need be. Task numbers that would leave a large hole lie
// in a map: a number on the wire must not decide how much memory is used.
func (t *tables) unit(connector, task int32) int32 {
	c := &t.unitIDs[connector]
	if task == decode.Instance {
		if c.instance < 0 {
			c.instance = t.newUnit(connector, task)
		}
		return c.instance
	}
	if int(task) < len(c.tasks) && c.tasks[task] >= 0 {
		return c.tasks[task]
	}
	if id, ok := c.far[task]; ok {
		return id
	}
	id := t.newUnit(connector, task)
	if int(task) >= len(c.tasks)+maxHole {
		if c.far == nil {
			c.far = map[int32]int32{}
		}
		c.far[task] = id
		return id
	}
	for len(c.tasks) <= int(task) {
		c.tasks = append(c.tasks, -1)
	}
	c.tasks[task] = id
	return id
}

func (t *tables) newUnit(connector, task int32) int32 {
	t.units = append(t.units, unitRef{connector, task})
	return int32(len(t.units) - 1)
}

// shares appends the numbers of the units in an assignment.
func (t *tables) shares(out []int32, shares []decode.Share) []int32 {
	for _, s := range shares {
		c := t.connector(s.Connector)
		for _, task := range s.Tasks {
			out = append(out, t.unit(c, task))
		}
	}
	return out
}

func (t *tables) unitOf(id int32) Unit {
	u := t.units[id]
	return Unit{Connector: t.connectors[u.connector], Task: u.task}
}

// unitsOf lists units sorted.
func (t *tables) unitsOf(ids []int32) []Unit {
	out := make([]Unit, len(ids))
	for i, id := range ids {
		out[i] = t.unitOf(id)
	}
	return decode.SortUnits(out)
}

func (t *tables) member(m memberInfo) int32 {
	if id, ok := t.memberIDs[m]; ok {
		return id
	}
	id := int32(len(t.members))
	t.memberIDs[m] = id
	t.members = append(t.members, m)
	return id
}

func (t *tables) newWorker(k workerKey) int32 {
	w := t.workers
	t.workers++
	t.workerIDs[k] = append(t.workerIDs[k], w)
	return w
}

func (t *tables) unheld(units []unheldUnit) []Unit {
	out := make([]Unit, len(units))
	for i, u := range units {
		out[i] = t.unitOf(u.unit)
	}
	return decode.SortUnits(out)
}
