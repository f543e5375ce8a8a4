package decode

import (
	"slices"
	"time"
)

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
