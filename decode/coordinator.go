package decode

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"
)

// ProtocolType is the protocol type of every Connect group.
const ProtocolType = "connect"

// groupMetadataKey is the version that marks a key of __consumer_offsets as a group's metadata; 0 and 1 are offset
// commits, 3 and above belong to other kinds of groups.
const groupMetadataKey = 2

// maxGroupRecord is the newest value version known here. Brokers from 2.3 to 4.4 write 3.
const maxGroupRecord = 4

// maxTime is the last millisecond of the year 9999, the last that JSON can print.
const maxTime = 253402300799999

// GroupRecord is the coordinator's record of one generation: what every member said, and what it was told.
type GroupRecord struct {
	Version      int16
	ProtocolType string
	Generation   int32
	Protocol     string    // "" when null: an empty group
	Leader       string    // member id; "" when null
	StateAt      time.Time // when the group entered its state, UTC; zero when -1, and before version 2
	Members      []Member
	Trailing     int // bytes after the last known field
}

// Member is one worker in a GroupRecord. Subscription and Assignment are the bytes as recorded; Connect reads them.
type Member struct {
	ID               string
	InstanceID       string // "" when null; Connect never sets it
	Client           string
	Host             string        // as recorded, with a leading "/"
	RebalanceTimeout time.Duration // before version 1 the session timeout, as brokers take it
	SessionTimeout   time.Duration
	Subscription     []byte
	Assignment       []byte
}

// ParseGroupKey reads a key of __consumer_offsets. Ours is false for keys of other kinds, which are no error.
func ParseGroupKey(key []byte) (group string, ours bool, err error) {
	r := reader{what: "group key", b: key}
	v := r.int16("version")
	if r.err != nil || v != groupMetadataKey {
		return "", false, r.err
	}
	group = string(r.text("group", false))
	if !r.done() {
		r.fail("group", r.at, "%d %s behind it", r.left(), plural(r.left(), "byte"))
	}
	if r.err != nil {
		return "", false, r.err
	}
	return group, true, nil
}

// IsGroupKey says whether key is the metadata key of group, without allocating: the log reader asks it of every record.
func IsGroupKey(key []byte, group string) bool {
	return len(key) == 4+len(group) &&
		binary.BigEndian.Uint16(key) == groupMetadataKey &&
		int(binary.BigEndian.Uint16(key[2:])) == len(group) &&
		len(group) <= math.MaxInt16 &&
		string(key[4:]) == group
}

// GroupPartition is the partition of __consumer_offsets that holds a group: Java's hash of its id, over UTF-16 units. It
// is -1 when there are no partitions.
func GroupPartition(group string, partitions int32) int32 {
	if partitions <= 0 {
		return -1
	}
	h := JavaHash(group)
	switch {
	case h == math.MinInt32: // has no positive counterpart: Kafka's Utils.abs gives 0
		return 0
	case h < 0:
		return -h % partitions
	}
	return h % partitions
}

// ParseGroupRecord reads a value of a group metadata record, versions 0 to 4. A newer version is an error. The members'
// Subscription and Assignment lie in b itself.
func ParseGroupRecord(b []byte) (*GroupRecord, error) {
	r := flexReader{reader: reader{what: "group record", b: b}}
	var g GroupRecord
	g.Version = r.int16("version")
	if r.err == nil && (g.Version < 0 || g.Version > maxGroupRecord) {
		return nil, &Error{r.what, "version", 0, "version " + strconv.Itoa(int(g.Version)) + " is not known"}
	}
	r.flexible = g.Version >= 4
	g.ProtocolType = r.string("protocol type", false)
	g.Generation = r.int32("generation")
	g.Protocol = r.string("protocol", true)
	g.Leader = r.string("leader", true)
	if g.Version >= 2 {
		g.StateAt = r.time("current state timestamp")
	}
	if n := r.array("members", minMember); n > 0 {
		g.Members = make([]Member, n)
	}
	for i := range g.Members {
		if r.member(&g.Members[i], g.Version); r.err != nil {
			return nil, inMember(r.err, i+1)
		}
	}
	r.tags()
	g.Trailing = r.rest()
	if r.err != nil {
		return nil, r.err
	}
	return &g, nil
}

// inMember says which member could not be read: they are all alike, and an offset alone is hard to find.
func inMember(err error, n int) error {
	var e *Error
	if errors.As(err, &e) {
		e.What += ": member " + strconv.Itoa(n)
	}
	return err
}

// minMember is the size of the smallest member that any version can write.
const minMember = 15

func (r *flexReader) member(m *Member, version int16) {
	m.ID = r.string("member id", false)
	if version >= 3 {
		m.InstanceID = r.string("group instance id", true)
	}
	m.Client = r.string("client id", false)
	m.Host = r.string("client host", false)
	if version >= 1 {
		m.RebalanceTimeout = r.millis("rebalance timeout")
	}
	m.SessionTimeout = r.millis("session timeout")
	if version < 1 {
		m.RebalanceTimeout = m.SessionTimeout
	}
	m.Subscription = r.bytes("subscription")
	m.Assignment = r.bytes("assignment")
	r.tags()
}

func (r *flexReader) millis(field string) time.Duration {
	return time.Duration(r.int32(field)) * time.Millisecond
}

// time reads milliseconds since 1970; -1 stands for none.
func (r *flexReader) time(field string) time.Time {
	from := r.at
	ms := r.int64(field)
	if ms < -1 || ms > maxTime {
		r.fail(field, from, "%d ms is no time", ms)
	}
	if ms == -1 || r.err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
