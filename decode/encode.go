package decode

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// AppendSubscription writes s as a worker of s.Version does: the allocation only from version 1 on.
func AppendSubscription(b []byte, s Subscription) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(s.Version))
	b = appendString(b, s.URL)
	b = binary.BigEndian.AppendUint64(b, uint64(s.ConfigOffset))
	if s.Version < 1 {
		return b
	}
	if s.Allocation == nil {
		return binary.BigEndian.AppendUint32(b, ^uint32(0))
	}
	at := len(b)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = AppendAssignment(b, *s.Allocation)
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// AppendAssignment writes a as a leader of a.Version does: arrays always there, revoked and delay only from version 1 on.
func AppendAssignment(b []byte, a Assignment) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(a.Version))
	b = binary.BigEndian.AppendUint16(b, uint16(a.Error))
	b = appendString(b, a.Leader)
	b = appendString(b, a.LeaderURL)
	b = binary.BigEndian.AppendUint64(b, uint64(a.ConfigOffset))
	b = appendShares(b, a.Assigned)
	if a.Version < 1 {
		return b
	}
	b = appendShares(b, a.Revoked)
	return binary.BigEndian.AppendUint32(b, uint32(a.DelayMs))
}

func appendShares(b []byte, shares []Share) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(shares)))
	for _, s := range shares {
		b = appendString(b, s.Connector)
		b = binary.BigEndian.AppendUint32(b, uint32(len(s.Tasks)))
		for _, t := range s.Tasks {
			b = binary.BigEndian.AppendUint32(b, uint32(t))
		}
	}
	return b
}

func appendString(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(s)))
	return append(b, s...)
}

// AppendGroupKey writes the metadata key of group.
func AppendGroupKey(b []byte, group string) []byte {
	return appendString(binary.BigEndian.AppendUint16(b, groupMetadataKey), group)
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

// Offers are the group protocols that a worker advertises, most wanted first, by its connect.protocol: eager, compatible or
// sessioned. nil: there is no such setting.
func Offers(connectProtocol string) []string {
	switch connectProtocol {
	case "eager":
		return []string{ProtocolEager}
	case "compatible":
		return []string{ProtocolCompatible, ProtocolEager}
	case "sessioned":
		return []string{ProtocolSessioned, ProtocolCompatible, ProtocolEager}
	}
	return nil
}

// JoinProtocols is what a worker says of itself under each protocol that it offers. The version of it is the protocol's place from
// the end: 0 for default, 1 for compatible, 2 for sessioned. What it holds goes under the same version.
func JoinProtocols(offers []string, s Subscription) []kmsg.JoinGroupRequestProtocol {
	out := make([]kmsg.JoinGroupRequestProtocol, len(offers))
	held := s.Allocation
	for i, name := range offers {
		s.Version = int16(len(offers) - 1 - i)
		if held != nil {
			a := *held
			a.Version = s.Version
			s.Allocation = &a
		}
		out[i] = kmsg.NewJoinGroupRequestProtocol()
		out[i].Name, out[i].Metadata = name, AppendSubscription(nil, s)
	}
	return out
}
