package decode

import (
	"encoding/binary"
	"time"
)

// ProtocolType is the protocol type of every Connect group.
const ProtocolType = "connect"

// groupMetadataKey is the version that marks a key of __consumer_offsets as a group's metadata; 0 and 1 are offset
// commits, 3 and above belong to other kinds of groups.
const groupMetadataKey = 2

// maxGroupRecord is the newest value version known here. Brokers from 2.3 to 4.4 write 3.
const maxGroupRecord = 4

// GroupRecord is the coordinator's record of one generation: what every member said, and what it was told.
type GroupRecord struct {
	Version      int16
	ProtocolType string
	Generation   int32
	Protocol     string    // "" when null: an empty group
	Leader       string    // member id; "" when null
	StateAt      time.Time // when the group entered its state, UTC; zero before version 2
	Members      []Member
}

// Member is one worker in a GroupRecord. Subscription and Assignment are the bytes as recorded; Connect reads them.
type Member struct {
	ID               string
	InstanceID       string // "" when null; Connect never sets it
	Client           string
	Host             string // as recorded, with a leading "/"
	RebalanceTimeout time.Duration
	SessionTimeout   time.Duration
	Subscription     []byte
	Assignment       []byte
}

// ParseGroupKey reads a key of __consumer_offsets. Ours is false for keys of other kinds, which are no error.
func ParseGroupKey(key []byte) (group string, ours bool, err error) {
	r := &reader{what: "group key", b: key}
	v := r.int16("version")
	if r.err != nil || v != groupMetadataKey {
		return "", false, r.err
	}
	group = r.string("group")
	return group, r.err == nil, r.err
}

// IsGroupKey says whether key is the metadata key of group, without allocating: the log reader asks it of every record.
func IsGroupKey(key []byte, group string) bool {
	return len(key) == 4+len(group) &&
		binary.BigEndian.Uint16(key) == groupMetadataKey &&
		int(binary.BigEndian.Uint16(key[2:])) == len(group) &&
		string(key[4:]) == group
}

// AppendGroupKey writes the metadata key of group.
func AppendGroupKey(b []byte, group string) []byte {
	return appendString(binary.BigEndian.AppendUint16(b, groupMetadataKey), group)
}

// GroupPartition is the partition of __consumer_offsets that holds a group: Java's hash of its id, over UTF-16 units.
func GroupPartition(group string, partitions int32) int32 {
	if partitions <= 0 {
		return 0
	}
	h := JavaHash(group)
	if h == -1<<31 {
		return 0
	}
	if h < 0 {
		h = -h
	}
	return h % partitions
}

// ParseGroupRecord reads a value of a group metadata record, versions 0 to 4. A newer version is an error.
func ParseGroupRecord(b []byte) (*GroupRecord, error) {
	r := &flexReader{reader: reader{what: "group record", b: b}}
	var g GroupRecord
	g.Version = r.int16("version")
	if r.err == nil && (g.Version < 0 || g.Version > maxGroupRecord) {
		return nil, &Error{r.what, "version", 0, unknownVersion(g.Version)}
	}
	r.flexible = g.Version >= 4
	g.ProtocolType = r.text("protocol type")
	g.Generation = r.int32("generation")
	g.Protocol = r.nullableText("protocol")
	g.Leader = r.nullableText("leader")
	if g.Version >= 2 {
		if ms := r.int64("current state timestamp"); ms >= 0 && r.err == nil {
			g.StateAt = time.UnixMilli(ms).UTC()
		}
	}
	n := r.length("members", 10)
	if n > 0 {
		g.Members = make([]Member, n)
	}
	for i := range g.Members {
		r.member(&g.Members[i], g.Version)
	}
	r.tags()
	if r.err != nil {
		return nil, r.err
	}
	return &g, nil
}

func (r *flexReader) member(m *Member, version int16) {
	m.ID = r.text("member id")
	if version >= 3 {
		m.InstanceID = r.nullableText("group instance id")
	}
	m.Client = r.text("client id")
	m.Host = r.text("client host")
	if version >= 1 {
		m.RebalanceTimeout = time.Duration(r.int32("rebalance timeout")) * time.Millisecond
	}
	m.SessionTimeout = time.Duration(r.int32("session timeout")) * time.Millisecond
	m.Subscription = r.blob("subscription")
	m.Assignment = r.blob("assignment")
	r.tags()
}

// AppendGroupRecord writes g as brokers since 2.3 do, version 3.
func AppendGroupRecord(b []byte, g GroupRecord) []byte {
	b = binary.BigEndian.AppendUint16(b, 3)
	b = appendString(b, g.ProtocolType)
	b = binary.BigEndian.AppendUint32(b, uint32(g.Generation))
	b = appendNullable(b, g.Protocol)
	b = appendNullable(b, g.Leader)
	at := int64(-1)
	if !g.StateAt.IsZero() {
		at = g.StateAt.UnixMilli()
	}
	b = binary.BigEndian.AppendUint64(b, uint64(at))
	b = binary.BigEndian.AppendUint32(b, uint32(len(g.Members)))
	for _, m := range g.Members {
		b = appendString(b, m.ID)
		b = appendNullable(b, m.InstanceID)
		b = appendString(b, m.Client)
		b = appendString(b, m.Host)
		b = binary.BigEndian.AppendUint32(b, uint32(m.RebalanceTimeout.Milliseconds()))
		b = binary.BigEndian.AppendUint32(b, uint32(m.SessionTimeout.Milliseconds()))
		b = appendBytes(b, m.Subscription)
		b = appendBytes(b, m.Assignment)
	}
	return b
}

func appendNullable(b []byte, s string) []byte {
	if s == "" {
		return binary.BigEndian.AppendUint16(b, ^uint16(0))
	}
	return appendString(b, s)
}

func appendBytes(b, v []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
}
