package observe

import (
	"encoding/json"
	"fmt"
	"time"

	"regroup/group"
)

// Facts that are no records have a line of their own kind in a recording. What a recording must not hold is taken out by
// whoever makes one, before it comes here.

// factName is a fact's word in a recording; "" for records, and for what a reader works out itself.
func factName(f group.Fact) string {
	switch f := f.(type) {
	case group.Description:
		return "describe"
	case group.SourceReport:
		return "source"
	case group.TopicSettings:
		return "topic"
	case group.OtherGroup:
		if f.Group != "" {
			return "group"
		}
	case group.RESTReport:
		return "rest"
	case group.Action:
		return "action"
	}
	return ""
}

// FactLine writes a fact as a line of a recording, without its newline; nil for a fact that has none.
func FactLine(f group.Fact, seen time.Time) ([]byte, error) {
	name := factName(f)
	if name == "" {
		return nil, nil
	}
	return json.Marshal(struct {
		Fact  string     `json:"fact"`
		TS    int64      `json:"ts"`
		Value group.Fact `json:"value"`
	}{name, seen.UnixMilli(), f})
}

// RecordLine writes a record as a line of a recording, without its newline.
func RecordLine(r Raw) ([]byte, error) {
	return json.Marshal(struct {
		Topic     string `json:"topic"`
		Partition int32  `json:"partition"`
		Offset    int64  `json:"offset"`
		TS        int64  `json:"ts"`
		Key       []byte `json:"key"`
		Value     []byte `json:"value"` // null for a tombstone
	}{r.Topic, r.Partition, r.Offset, r.At.UnixMilli(), r.Key, r.Value})
}

// decodeFact reads the value of a fact's line. A kind that is not known is of a newer program: nil, no error.
func decodeFact(name string, value []byte) (group.Fact, error) {
	switch name {
	case "describe":
		return valueOf[group.Description](name, value)
	case "source":
		return valueOf[group.SourceReport](name, value)
	case "topic":
		return valueOf[group.TopicSettings](name, value)
	case "group":
		return valueOf[group.OtherGroup](name, value)
	case "rest":
		return valueOf[group.RESTReport](name, value)
	case "action":
		return valueOf[group.Action](name, value)
	}
	return nil, nil
}

func valueOf[F group.Fact](name string, value []byte) (group.Fact, error) {
	var f F
	if err := json.Unmarshal(value, &f); err != nil {
		return nil, fmt.Errorf("fact %q: %w", name, err)
	}
	return f, nil
}
