package decode

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// ConfigKind tells the records of a config topic apart by their key.
type ConfigKind int

// The kinds, with the key each has on the topic.
const (
	ConfigUnknown     ConfigKind = iota // any other key: counted, shown, never fatal
	ConfigConnector                     // connector-<name>
	ConfigTask                          // task-<name>-<n>: buffered until its commit
	ConfigCommit                        // commit-<name>
	ConfigTargetState                   // target-state-<name>
	ConfigFencing                       // tasks-fencing-<name>
	ConfigSessionKey                    // session-key
	ConfigRestart                       // restart-connector-<name>
	ConfigLogger                        // logger-cluster-<namespace>
)

// Target states. Records before KIP-875 lack state.v2 and cannot say STOPPED.
const (
	TargetStarted = "STARTED"
	TargetPaused  = "PAUSED"
	TargetStopped = "STOPPED"
)

// ConfigRecord is one record of a config topic. Which fields mean something depends on Kind.
type ConfigRecord struct {
	Kind       ConfigKind
	Key        string // as on the topic
	Connector  string // also the namespace of ConfigLogger
	Task       int32  // ConfigTask
	Deleted    bool   // a tombstone
	Properties map[string]string
	Nulls      []string // properties whose value is null, sorted
	Tasks      int32    // ConfigCommit, ConfigFencing
	State      string   // ConfigTargetState, as written; ConfigLogger: the level
	Algorithm  string   // ConfigSessionKey; the key itself is never read
	CreatedAt  time.Time
	WithTasks  bool // ConfigRestart: false when not there, as workers take it
	OnlyFailed bool
}

// configKeys in the order in which Connect's own reader tries them.
var configKeys = [...]struct {
	prefix string
	kind   ConfigKind
}{
	{"target-state-", ConfigTargetState},
	{"connector-", ConfigConnector},
	{"task-", ConfigTask},
	{"commit-", ConfigCommit},
	{"restart-connector-", ConfigRestart},
	{"tasks-fencing-", ConfigFencing},
	{"session-key", ConfigSessionKey},
	{"logger-cluster-", ConfigLogger},
}

// ParseConfigKey tells what a config topic's key names, without its value.
func ParseConfigKey(key []byte) ConfigRecord {
	c := ConfigRecord{Key: string(key)}
	for _, k := range configKeys {
		rest, ok := strings.CutPrefix(c.Key, k.prefix)
		if !ok || k.kind == ConfigSessionKey && rest != "" || k.kind != ConfigSessionKey && rest == "" {
			continue
		}
		if k.kind == ConfigTask {
			name, n, ok := cutTask(rest)
			if !ok {
				return c
			}
			c.Task, rest = n, name
		}
		c.Kind, c.Connector = k.kind, rest
		return c
	}
	return c
}

// cutTask splits at the last dash: names have dashes and digits of their own.
func cutTask(s string) (name string, task int32, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 32)
	if err != nil || n < 0 {
		return "", 0, false
	}
	return s[:i], int32(n), true
}

// configValue is every field that some kind of config record has. Pointers tell a field that is not there from a zero.
type configValue struct {
	Properties map[string]*string `json:"properties"`
	Tasks      *int32             `json:"tasks"`
	Count      *int32             `json:"task-count"`
	State      *string            `json:"state"`
	StateV2    *string            `json:"state.v2"`
	Algorithm  string             `json:"algorithm"`
	Created    *int64             `json:"creation-timestamp"`
	WithTasks  bool               `json:"include-tasks"`
	OnlyFailed bool               `json:"only-failed"`
	Level      *string            `json:"level"`
}

// configReaders take from a value what its kind has to have; they return the field that is wrong, and how.
var configReaders = map[ConfigKind]func(*ConfigRecord, *configValue) (field, why string){
	ConfigConnector:   readProperties,
	ConfigTask:        readProperties,
	ConfigCommit:      func(c *ConfigRecord, v *configValue) (string, string) { return readCount(c, v.Tasks, "tasks") },
	ConfigFencing:     func(c *ConfigRecord, v *configValue) (string, string) { return readCount(c, v.Count, "task-count") },
	ConfigTargetState: readTargetState,
	ConfigSessionKey:  readSessionKey,
	ConfigRestart:     readRestart,
	ConfigLogger:      func(c *ConfigRecord, v *configValue) (string, string) { return readState(c, v.Level, "level") },
}

// ParseConfig reads one record of a config topic. A null value is a tombstone. With an error the record still has what the
// key says, and nothing else.
func ParseConfig(key, value []byte) (ConfigRecord, error) {
	c := ParseConfigKey(key)
	if c.Kind == ConfigUnknown {
		return c, nil
	}
	if value == nil {
		c.Deleted = true
		return c, nil
	}
	var v configValue
	if err := parseJSON("config record", c.Key, value, &v); err != nil {
		return c, err
	}
	full := c
	if field, why := configReaders[c.Kind](&full, &v); why != "" {
		return c, badValue("config record", c.Key, value, field, why)
	}
	return full, nil
}

const notThere = "not there"

func readProperties(c *ConfigRecord, v *configValue) (string, string) {
	if v.Properties == nil {
		return "properties", notThere
	}
	c.Properties = make(map[string]string, len(v.Properties))
	for k, p := range v.Properties {
		if p == nil {
			c.Nulls = append(c.Nulls, k)
			continue
		}
		c.Properties[k] = *p
	}
	slices.Sort(c.Nulls)
	return "", ""
}

func readCount(c *ConfigRecord, n *int32, field string) (string, string) {
	if n == nil {
		return field, notThere
	}
	if *n < 0 {
		return field, "less than none"
	}
	c.Tasks = *n
	return "", ""
}

func readState(c *ConfigRecord, state *string, field string) (string, string) {
	if state == nil {
		return field, notThere
	}
	if *state == "" {
		return field, "empty"
	}
	c.State = *state
	return "", ""
}

func readTargetState(c *ConfigRecord, v *configValue) (string, string) {
	if v.StateV2 != nil {
		return readState(c, v.StateV2, "state.v2")
	}
	return readState(c, v.State, "state")
}

func readSessionKey(c *ConfigRecord, v *configValue) (string, string) {
	if v.Created == nil {
		return "creation-timestamp", notThere
	}
	if *v.Created < 0 || *v.Created > maxTime {
		return "creation-timestamp", "no time"
	}
	c.Algorithm, c.CreatedAt = v.Algorithm, time.UnixMilli(*v.Created).UTC()
	return "", ""
}

func readRestart(c *ConfigRecord, v *configValue) (string, string) {
	c.WithTasks, c.OnlyFailed = v.WithTasks, v.OnlyFailed
	return "", ""
}
