package group

import (
	"time"

	"regroup/decode"
)

// Unit is what an assignment hands out.
type Unit = decode.Unit

// Source names where facts come from. REST has one source a worker, "rest http://…".
type Source string

// The sources of DESIGN.md, section 3.
const (
	SourceLog      Source = "log"      // the group's partition of __consumer_offsets
	SourceDescribe Source = "describe" // DescribeGroups, polled
	SourceConfig   Source = "config"   // the config topic
	SourceStatus   Source = "status"   // the status topic
	SourceREST     Source = "rest"
)

// Fact is one thing that a source saw. The set is closed. Facts of one source come in that source's own order (a topic's:
// offsets within a partition); between sources there is no order.
type Fact interface{ fact() }

// LogRecord is a record of the coordinator's log for this group.
type LogRecord struct {
	At        time.Time // the record's own time
	Partition int32
	Offset    int64
	Record    *decode.GroupRecord // nil: a tombstone, the group was deleted
	Bytes     int                 // size of key and value together
	Err       error               // the value could not be read; Record is nil and this is no tombstone
}

// ConfigRecord is a record of the config topic.
type ConfigRecord struct {
	At     time.Time
	Topic  string
	Offset int64
	Record decode.ConfigRecord
	Err    error // the value could not be read; Record has what the key says
}

// StatusRecord is a record of the status topic.
type StatusRecord struct {
	At        time.Time
	Topic     string
	Partition int32
	Offset    int64
	Record    decode.StatusRecord
	Err       error
}

// Progress says how far a source has been read. For topics, every record below UpTo (of that partition) has been given as
// a fact, or was none of this group's. A config topic that was compacted or holds control records needs it to say that
// nothing more comes below a round's config offset.
type Progress struct {
	At        time.Time // the observer's clock
	Source    Source
	Partition int32
	UpTo      int64 // offset of the next record to be read
	CaughtUp  bool  // UpTo was the end of the partition when it was read
}

// Description is one answer of DescribeGroups.
type Description struct {
	At       time.Time // the observer's clock
	State    string    // Kafka's word: Stable, PreparingRebalance, CompletingRebalance, Empty, Dead
	Protocol string
	// Members have subscription and assignment bytes that mean something only while Stable: brokers of 4.x send stale
	// assignments otherwise.
	Members     []decode.Member
	Coordinator string // host:port
}

// Health is how a source does.
type Health string

// The healths.
const (
	HealthOK          Health = "ok"
	HealthCatchingUp  Health = "catching up"
	HealthDenied      Health = "denied"      // a right is missing: Detail names it and its resource
	HealthUnreachable Health = "unreachable" // since At
	HealthMissing     Health = "missing"     // no such topic or group
	HealthAmbiguous   Health = "ambiguous"   // several candidates: Detail names them
	HealthOff         Health = "off"         // not asked for, or a recording that lacks it
	HealthEnded       Health = "ended"       // a file: nothing more will come
)

// SourceReport says that a source's health changed.
type SourceReport struct {
	At     time.Time
	Source Source
	Name   string // topic and partition, or URL
	Health Health
	Detail string // one line: what, why, what to do
	// Answered is when a source that is unreachable gave its last answer; zero where nothing tells.
	Answered time.Time `json:",omitzero"`
}

// TopicSettings are the settings of an internal topic, as the broker tells them.
type TopicSettings struct {
	At              time.Time
	Role            string // "config", "status", "offsets", "log" (__consumer_offsets)
	Topic           string
	Partitions      int
	Replication     int
	CleanupPolicy   string // "" when not known
	MaxMessageBytes int    // 0 when not known
	Hidden          bool   // this user may not see its settings, which takes DescribeConfigs on it
}

// OtherGroup is another group of Connect workers whose members write to this group's topics.
type OtherGroup struct {
	At    time.Time
	Group string
	State string // Kafka's word
	// Workers are the addresses of its members, as statuses name them.
	Workers []string
}

// RESTReport is what one worker's REST interface said, or that it said nothing.
type RESTReport struct {
	At      time.Time
	URL     string // as advertised in the group
	Version string // "" when / did not answer
	Cluster string
	Latency time.Duration
	// Closed: the worker closed an idle connection, or refused one, at At: its process ended, or is ending.
	Closed  bool
	Root    string // "ok", or the error of GET /
	Status  int    `json:",omitempty"` // of an answer to GET / that is an error; 0 when it was none, or none came
	Herder  string // "ok", "starting", or what GET /health says, or the error of asking for a connector; "" when not asked
	Plugins []string
	// Statuses are what the expanded connectors call says; nil when it was not asked of this worker.
	Statuses []RESTStatus
}

// RESTStatus is a unit's state over REST: a claim without a generation.
type RESTStatus struct {
	Unit     Unit
	State    string
	WorkerID string
	Trace    string
}

// Action is something that somebody did to the group with this program.
type Action struct {
	At     time.Time
	ID     string // the same for its beginning and its end
	Who    string // user@host
	Verb   string // "evict", "pause", …
	Target string
	Answer string // "" while it runs; "ok", or the error
}

func (LogRecord) fact()     {}
func (ConfigRecord) fact()  {}
func (StatusRecord) fact()  {}
func (Progress) fact()      {}
func (Description) fact()   {}
func (SourceReport) fact()  {}
func (TopicSettings) fact() {}
func (OtherGroup) fact()    {}
func (RESTReport) fact()    {}
func (Action) fact()        {}
