package decode

import (
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
