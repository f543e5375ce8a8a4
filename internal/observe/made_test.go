package observe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// made is a batch to be written: what a broker may hold.
type made struct {
	base    int64
	deltas  []int32 // of the records; a compacted batch has holes
	last    int32   // delta of the last offset, beyond the last record where compaction took it
	codec   kgo.CompressionCodecType
	attr    uint16
	pid     int64
	keys    [][]byte
	values  [][]byte
	control int16 // 0 abort, 1 commit; with attrControl
}

var codecs = map[kgo.CompressionCodecType]kgo.CompressionCodec{
	1: kgo.GzipCompression(), 2: kgo.SnappyCompression(),
	3: kgo.Lz4Compression(), 4: kgo.ZstdCompression(),
}

// compressor is kept, for making one is slow.
func compressor(codec kgo.CompressionCodecType) kgo.Compressor {
	if c, ok := compressors[codec]; ok {
		return c
	}
	c, err := kgo.DefaultCompressor(codecs[codec])
	if err != nil {
		panic(err)
	}
	compressors[codec] = c
	return c
}

var compressors = map[kgo.CompressionCodecType]kgo.Compressor{}

func (m made) bytes(t testing.TB) []byte {
	t.Helper()
	var body []byte
	for i, delta := range m.deltas {
		r := kmsg.Record{TimestampDelta64: int64(10 * i), OffsetDelta: delta}
		if m.attr&attrControl != 0 {
			r.Key = binary.BigEndian.AppendUint16([]byte{0, 0}, uint16(m.control))
			r.Value = []byte{0, 0, 0, 0, 0, 0}
		} else {
			r.Key, r.Value = m.keys[i], m.values[i]
			r.Headers = []kmsg.Header{{Key: "h", Value: []byte("v")}}
		}
		one := r.AppendTo(nil)
		r.Length = int32(len(one) - 1) // a length of 0 took one byte
		body = r.AppendTo(body)
	}
	attr := m.attr
	if m.codec != 0 {
		body, _ = compressor(m.codec).Compress(new(bytes.Buffer), body)
		attr |= uint16(m.codec)
	}
	b := kmsg.RecordBatch{
		FirstOffset: m.base, PartitionLeaderEpoch: 3, Magic: 2, Attributes: int16(attr), LastOffsetDelta: m.last,
		FirstTimestamp: 1000 * m.base, MaxTimestamp: 1000*m.base + 900, ProducerID: m.pid, ProducerEpoch: -1, FirstSequence: -1,
		NumRecords: int32(len(m.deltas)), Records: body,
	}
	raw := b.AppendTo(nil)
	binary.BigEndian.PutUint32(raw[8:], uint32(len(raw)-12))
	binary.BigEndian.PutUint32(raw[17:], crc32.Checksum(raw[21:], castagnoli))
	return raw
}

// logOf makes a log of batches of all kinds: codecs, null keys and values, holes, control batches, transactions, log-append
// time. The aborted transactions are those of producer 7.
func logOf(t testing.TB, rng *rand.Rand, n int) (whole []byte, aborted []kmsg.FetchResponseTopicPartitionAbortedTransaction, end int64) {
	base := int64(rng.IntN(5))
	for range n {
		m := made{base: base, codec: kgo.CompressionCodecType(rng.IntN(5)), pid: -1}
		if rng.IntN(4) == 0 {
			m.attr |= attrLogAppendTime
		}
		for delta := int32(rng.IntN(2)); delta < 6; delta += int32(1 + rng.IntN(2)) {
			m.deltas = append(m.deltas, delta)
			key := fmt.Appendf(nil, "key-%d", rng.IntN(3))
			value := bytes.Repeat([]byte{byte(rng.IntN(256))}, rng.IntN(200))
			if rng.IntN(8) == 0 {
				key = nil
			}
			if rng.IntN(8) == 0 {
				value = nil
			}
			m.keys, m.values = append(m.keys, key), append(m.values, value)
		}
		m.last = 6
		switch rng.IntN(5) {
		case 0: // a transaction of producer 7, aborted
			m.pid, m.attr = 7, m.attr|attrTransactional
			aborted = append(aborted, kmsg.FetchResponseTopicPartitionAbortedTransaction{ProducerID: 7, FirstOffset: base})
			whole = append(whole, m.bytes(t)...)
			base += 7
			m = made{base: base, attr: attrControl | attrTransactional, pid: 7, deltas: []int32{0}, control: 0}
		case 1: // one that is committed, of the same producer
			m.pid, m.attr = 7, m.attr|attrTransactional
			whole = append(whole, m.bytes(t)...)
			base += 7
			m = made{base: base, attr: attrControl | attrTransactional, pid: 7, deltas: []int32{0}, control: 1}
		case 2: // all records compacted away
			m.deltas, m.codec = nil, 0
		}
		whole = append(whole, m.bytes(t)...)
		base += int64(m.last) + 1
	}
	return whole, aborted, base
}
