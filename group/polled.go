package group

import "regroup/decode"

// readDescription makes a record of a Stable or Empty description: what DescribeGroups tells has no generation, and the
// leader stands only inside the assignments.
func (m *Model) readDescription(f *Description) *record {
	g := decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: -1, Protocol: f.Protocol, StateAt: f.At, Members: f.Members}
	if f.State == "Empty" {
		g.Protocol, g.Members = "", nil
	}
	rec := m.tables.readRecord(&m.decoder, &g, f.At)
	rec.polled, rec.offset, rec.partition = true, -1, -1
	return rec
}
