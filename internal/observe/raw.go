package observe

import (
	"time"

	"regroup/decode"
	"regroup/group"
)

// LogTopic is where brokers keep their groups.
const LogTopic = "__consumer_offsets"

// Raw is a record of a topic, as it lies there.
type Raw struct {
	Topic     string
	Partition int32
	Offset    int64
	At        time.Time // the record's own time
	Key       []byte
	Value     []byte // nil: a tombstone
}

// LogFact reads a record of the coordinator's log.
func (r Raw) LogFact() group.LogRecord {
	f := group.LogRecord{At: r.At, Partition: r.Partition, Offset: r.Offset, Bytes: len(r.Key) + len(r.Value)}
	if r.Value != nil {
		f.Record, f.Err = decode.ParseGroupRecord(r.Value)
	}
	return f
}

// ConfigFact reads a record of a config topic.
func (r Raw) ConfigFact() group.ConfigRecord {
	f := group.ConfigRecord{At: r.At, Topic: r.Topic, Offset: r.Offset}
	f.Record, f.Err = decode.ParseConfig(r.Key, r.Value)
	return f
}

// StatusFact reads a record of a status topic.
func (r Raw) StatusFact() group.StatusRecord {
	f := group.StatusRecord{At: r.At, Topic: r.Topic, Partition: r.Partition, Offset: r.Offset}
	f.Record, f.Err = decode.ParseStatus(r.Key, r.Value)
	return f
}
