package worker

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/herder"
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
	changes    herder.Changes
	changed    func(decode.ConfigRecord)
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

func newConfigs(changed func(decode.ConfigRecord)) *configs {
	return &configs{
		offset: -1, connectors: map[string]*connectorConfig{}, commits: map[string]commit{},
		deferred: map[string]map[int32]map[string]string{}, targets: map[string]string{}, changed: changed,
	}
}

// apply takes a record in; records that cannot be read do not move the offset, as in Connect.
func (c *configs) apply(key, value []byte, offset int64) {
	r, err := decode.ParseConfig(key, value)
	if err != nil {
		return
	}
	c.mu.Lock()
	c.offset = offset + 1
	if f := appliers[r.Kind]; f != nil {
		f(c, r, value)
	}
	started := c.started
	c.mu.Unlock()
	if started {
		c.changed(r)
	}
}

var appliers = map[decode.ConfigKind]func(*configs, decode.ConfigRecord, []byte){
	decode.ConfigConnector:   (*configs).connector,
	decode.ConfigTask:        (*configs).task,
	decode.ConfigCommit:      (*configs).commit,
	decode.ConfigTargetState: (*configs).target,
	decode.ConfigSessionKey:  (*configs).session,
}

func (c *configs) connector(r decode.ConfigRecord, _ []byte) {
	_, was := c.connectors[r.Connector]
	if r.Deleted {
		delete(c.connectors, r.Connector)
		delete(c.commits, r.Connector)
		delete(c.deferred, r.Connector)
		c.changes.Rebalance = c.changes.Rebalance || c.started && was
		return
	}
	c.connectors[r.Connector] = &connectorConfig{r.Properties}
	if c.targets[r.Connector] == "" {
		c.targets[r.Connector] = decode.TargetStarted
	}
	if c.started {
		c.changes.Add(herder.Changes{Rebalance: !was, Connectors: map[string]bool{r.Connector: true}})
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
		more := herder.Changes{Rebalance: true}
		if len(deferred) > 0 {
			more.Tasks = map[string]bool{r.Connector: true}
		}
		c.changes.Add(more)
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
		c.changes.Add(herder.Changes{Targets: map[string]bool{r.Connector: true}})
	}
}

func (c *configs) session(_ decode.ConfigRecord, value []byte) {
	var k sessionKey
	if json.Unmarshal(value, &k) == nil {
		c.key = k
	}
}

// begin ends the first read.
func (c *configs) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = true
}

// Config is what an assignor needs to know.
func (c *configs) Config() assign.Config {
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

// KeyCreated is the session key's; zero: there is none.
func (c *configs) KeyCreated() time.Time {
	key := c.sessionKey()
	if key.Key == nil {
		return time.Time{}
	}
	return time.UnixMilli(key.Created)
}

// Take gives the changes since the last time.
func (c *configs) Take() herder.Changes {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.changes
	c.changes = herder.Changes{}
	return out
}

// stale says whether a rebalance is due that has not been asked for: until then some requests are refused.
func (c *configs) stale() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes.Rebalance
}

// Pending reports whether there are changes that were not taken.
func (c *configs) Pending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes.Any()
}
