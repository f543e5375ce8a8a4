package worker

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"regroup/decode"
	"regroup/group/assign"
)

// configs is what a worker has read of the config topic.
type configs struct {
	mu         sync.Mutex
	offset     int64 // of the next record; -1 before any
	connectors map[string]*connectorConfig
	commits    map[string]commit // also of connectors that have no record yet or any more
	deferred   map[string]map[int32]map[string]string
	targets    map[string]string
	key        sessionKey
	started    bool // the first read is over: from now on changes are told
	changes    changes
	wake       func()
}

type connectorConfig struct{ properties map[string]string }

type commit struct {
	tasks        []map[string]string
	inconsistent bool
}

// sessionKey signs what workers ask of each other.
type sessionKey struct {
	Key       []byte `json:"key"`
	Algorithm string `json:"algorithm"`
	Created   int64  `json:"creation-timestamp"`
}

// changes are what the herder has not acted on yet.
type changes struct {
	rebalance  bool            // a connector came or went, or tasks were committed
	connectors map[string]bool // whose own config changed
	targets    map[string]bool
	tasks      map[string]bool // connectors with tasks that were committed
	restarts   []decode.ConfigRecord
}

func newConfigs(wake func()) *configs {
	c := &configs{
		offset: -1, connectors: map[string]*connectorConfig{}, commits: map[string]commit{},
		deferred: map[string]map[int32]map[string]string{}, targets: map[string]string{}, wake: wake,
	}
	c.changes = newChanges()
	return c
}

func newChanges() changes {
	return changes{connectors: map[string]bool{}, targets: map[string]bool{}, tasks: map[string]bool{}}
}

// apply takes a record in; records that cannot be read do not move the offset, as in Connect.
func (c *configs) apply(key, value []byte, offset int64) {
	r, err := decode.ParseConfig(key, value)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = offset + 1
	if f := appliers[r.Kind]; f != nil {
		f(c, r, value)
	}
	if c.started {
		c.wake()
	}
}

var appliers = map[decode.ConfigKind]func(*configs, decode.ConfigRecord, []byte){
	decode.ConfigConnector:   (*configs).connector,
	decode.ConfigTask:        (*configs).task,
	decode.ConfigCommit:      (*configs).commit,
	decode.ConfigTargetState: (*configs).target,
	decode.ConfigSessionKey:  (*configs).session,
	decode.ConfigRestart:     (*configs).restart,
}

func (c *configs) connector(r decode.ConfigRecord, _ []byte) {
	_, was := c.connectors[r.Connector]
	if r.Deleted {
		delete(c.connectors, r.Connector)
		delete(c.commits, r.Connector)
		delete(c.deferred, r.Connector)
		c.changes.rebalance = c.changes.rebalance || c.started && was
		return
	}
	c.connectors[r.Connector] = &connectorConfig{r.Properties}
	if c.targets[r.Connector] == "" {
		c.targets[r.Connector] = decode.TargetStarted
	}
	if c.started {
		c.changes.connectors[r.Connector] = true
		c.changes.rebalance = c.changes.rebalance || !was
	}
}

func (c *configs) task(r decode.ConfigRecord, _ []byte) {
	if r.Deleted {
		return
	}
	if c.deferred[r.Connector] == nil {
		c.deferred[r.Connector] = map[int32]map[string]string{}
	}
	c.deferred[r.Connector][r.Task] = r.Properties
}

// commit applies the tasks that were written before it, if all of them were. Connect ignores the commit of a connector that
// has no record; a worker that starts after compaction has moved the records meets that.
func (c *configs) commit(r decode.ConfigRecord, _ []byte) {
	if r.Deleted || c.connectors[r.Connector] == nil {
		return
	}
	deferred := c.deferred[r.Connector]
	delete(c.deferred, r.Connector)
	done := commit{tasks: make([]map[string]string, r.Tasks)}
	for i := range done.tasks {
		config, ok := deferred[int32(i)]
		done.tasks[i] = config
		done.inconsistent = done.inconsistent || !ok
	}
	done.inconsistent = done.inconsistent || len(deferred) != len(done.tasks)
	c.commits[r.Connector] = done
	if c.started {
		c.changes.rebalance = true
		if len(deferred) > 0 {
			c.changes.tasks[r.Connector] = true
		}
	}
}

func (c *configs) target(r decode.ConfigRecord, _ []byte) {
	state := r.State
	if r.Deleted {
		state = decode.TargetStarted
	}
	was := c.targets[r.Connector]
	if r.Deleted {
		delete(c.targets, r.Connector)
	} else {
		c.targets[r.Connector] = state
	}
	if c.started && was != state {
		c.changes.targets[r.Connector] = true
	}
}

func (c *configs) session(_ decode.ConfigRecord, value []byte) {
	var k sessionKey
	if json.Unmarshal(value, &k) == nil {
		c.key = k
	}
}

func (c *configs) restart(r decode.ConfigRecord, _ []byte) {
	if c.started && !r.Deleted {
		c.changes.restarts = append(c.changes.restarts, r)
	}
}

// begin ends the first read.
func (c *configs) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = true
}

func (c *configs) at() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

// config is what an assignor needs to know.
func (c *configs) config() assign.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := assign.Config{Offset: c.offset, Connectors: make(map[string]int, len(c.connectors))}
	for name := range c.connectors {
		out.Connectors[name] = c.commits[name].count()
	}
	return out
}

func (c commit) count() int {
	if c.inconsistent {
		return 0
	}
	return len(c.tasks)
}

func (c *configs) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.connectors))
}

// of gives a connector's properties, its tasks' and its target state; ok is false when there is no such connector.
func (c *configs) of(name string) (properties map[string]string, tasks []map[string]string, target string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := c.connectors[name]
	if conn == nil {
		return nil, nil, "", false
	}
	if done := c.commits[name]; !done.inconsistent {
		tasks = done.tasks
	}
	return conn.properties, tasks, c.targets[name], true
}

func (c *configs) sessionKey() sessionKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.key
}

// take gives the changes since the last time, but for restarts.
func (c *configs) take() changes {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.changes
	c.changes = newChanges()
	c.changes.restarts, out.restarts = out.restarts, nil
	return out
}

// takeRestarts gives the restarts that were asked for.
func (c *configs) takeRestarts() []decode.ConfigRecord {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.changes.restarts
	c.changes.restarts = nil
	return out
}

// stale says whether a rebalance is due that has not been asked for: until then some requests are refused.
func (c *configs) stale() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes.rebalance
}

func (c *configs) pending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.changes
	return p.rebalance || len(p.connectors)+len(p.targets)+len(p.tasks)+len(p.restarts) > 0
}
