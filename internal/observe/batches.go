package observe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// headerSize is the size of a v2 record batch before its records.
const headerSize = 61

// Bits of a batch's attributes.
const (
	attrCodec         = 0x07
	attrLogAppendTime = 0x08
	attrTransactional = 0x10
	attrControl       = 0x20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// record is one record of a batch. Its key and value are slices of the response: whoever keeps them copies them.
type record struct {
	offset     int64
	at         int64 // milliseconds
	key, value []byte
}

// damage says that a batch cannot be read. next is where reading can go on behind it.
type damage struct {
	offset, next int64
	why          string
}

func (d *damage) Error() string { return fmt.Sprintf("batch at offset %d: %s", d.offset, d.why) }

// batch is a record batch's header, and its bytes.
type batch struct {
	base, last int64
	magic      byte
	attr       uint16
	firstAt    int64
	maxAt      int64
	producer   int64
	count      int
	raw        []byte
}

// cutBatch takes the first batch off in. ok is false when in holds no whole one: a broker cuts the last batch of a
// response where the byte limit falls.
func cutBatch(in []byte) (b batch, rest []byte, ok bool, err error) {
	if len(in) < 17 {
		return b, in, false, nil
	}
	b.base = int64(binary.BigEndian.Uint64(in))
	b.last = b.base
	b.magic = in[16]
	size := int64(int32(binary.BigEndian.Uint32(in[8:]))) + 12
	least := int64(headerSize)
	if b.magic < 2 {
		least = 26 // a message of the formats before 0.11, with null key and value
	}
	if size < least {
		return b, in, false, &damage{b.base, b.base + 1, fmt.Sprintf("a size of %d bytes", size)}
	}
	if size > int64(len(in)) {
		return b, in, false, nil
	}
	b.raw, rest = in[:size:size], in[size:]
	if b.magic < 2 {
		return b, rest, true, nil
	}
	b.attr = binary.BigEndian.Uint16(in[21:])
	delta := int32(binary.BigEndian.Uint32(in[23:]))
	b.last = b.base + int64(delta)
	b.firstAt = int64(binary.BigEndian.Uint64(in[27:]))
	b.maxAt = int64(binary.BigEndian.Uint64(in[35:]))
	b.producer = int64(binary.BigEndian.Uint64(in[43:]))
	b.count = int(int32(binary.BigEndian.Uint32(in[57:])))
	if delta < 0 || b.count < 0 {
		return b, in, false, &damage{b.base, b.base + 1, fmt.Sprintf("%d records up to offset %d", b.count, b.last)}
	}
	return b, rest, true, nil
}

// skim says where the next fetch begins once in has been walked from offset from, looking at headers only.
func skim(in []byte, from int64) int64 {
	for {
		b, rest, ok, err := cutBatch(in)
		if err != nil || !ok {
			return from
		}
		from = max(from, b.last+1)
		in = rest
	}
}

// walker walks record batches. It looks at keys and makes no objects: a group's record is one among millions of
// strangers' commits.
type walker struct {
	dec     kgo.Decompressor
	scratch *scratch
	only    []byte // the key that is wanted; nil: all records
	foreign int    // records passed over, over all walks
	old     int    // batches of a format before 0.11, passed over
}

func newWalker(only []byte) *walker {
	s := &scratch{}
	return &walker{dec: kgo.DefaultDecompressor(s), scratch: s, only: only}
}

// scratch is where a walker's batches are decompressed, one after the other.
type scratch struct{ b []byte }

func (s *scratch) GetDecompressBytes([]byte, kgo.CompressionCodecType) []byte { return s.b }
func (s *scratch) PutDecompressBytes([]byte)                                  {}

func (w *walker) decompress(body []byte, codec kgo.CompressionCodecType) ([]byte, error) {
	out, err := w.dec.Decompress(body, codec)
	if cap(out) > cap(w.scratch.b) {
		w.scratch.b = out[:0]
	}
	return out, err
}

// walk gives each wanted record of in at or above from to each, in order, and returns the offset to go on from: batches of
// a compacted log have holes, also at their end, so that is told by headers. A *damage as error means that the batch at
// next cannot be read; records before it have been given.
func (w *walker) walk(in []byte, from int64, aborted aborts, each func(record)) (next int64, err error) {
	next = from
	for {
		b, rest, ok, err := cutBatch(in)
		if err != nil || !ok {
			return next, err
		}
		in = rest
		if b.last < next {
			continue // a broker's answer starts with the batch that holds the offset asked for
		}
		if b.magic != 2 {
			w.old++
			next = b.last + 1
			continue
		}
		if crc32.Checksum(b.raw[21:], castagnoli) != binary.BigEndian.Uint32(b.raw[17:]) {
			return next, &damage{b.base, b.last + 1, "its checksum does not fit"}
		}
		body := b.raw[headerSize:]
		if codec := b.attr & attrCodec; codec != 0 {
			if body, err = w.decompress(body, kgo.CompressionCodecType(codec)); err != nil {
				return next, &damage{b.base, b.last + 1, err.Error()}
			}
		}
		switch {
		case b.attr&attrControl != 0:
			aborted.marker(b, body)
		case b.attr&attrTransactional != 0 && aborted.covers(b):
		default:
			if next, err = w.records(b, body, next, each); err != nil {
				return next, err
			}
		}
		next = b.last + 1
	}
}

// records walks one batch. Keys that are not wanted cost five bytes of looking.
func (w *walker) records(b batch, body []byte, next int64, each func(record)) (int64, error) {
	i := 0
	for n := range b.count {
		size, at := varint(body, i)
		end := at + int(size)
		if at < 0 || size < 6 || size > int64(len(body)) || end > len(body) {
			return next, &damage{b.base, b.last + 1, fmt.Sprintf("record %d of %d is cut", n+1, b.count)}
		}
		one := body[:end]
		i = end
		ts, at := varint(one, at+1) // one byte of attributes that mean nothing
		delta, at := varint(one, at)
		keyLen, at := varint(one, at)
		if at < 0 || keyLen > int64(end-at) {
			return next, &damage{b.base, b.last + 1, fmt.Sprintf("record %d of %d has a key beyond its end", n+1, b.count)}
		}
		var key []byte
		if keyLen >= 0 {
			key = one[at : at+int(keyLen)]
			at += int(keyLen)
		}
		if w.only != nil && !bytes.Equal(key, w.only) {
			w.foreign++
			continue
		}
		offset := b.base + delta
		if offset < next {
			continue
		}
		valueLen, at := varint(one, at)
		if at < 0 || valueLen > int64(end-at) {
			return next, &damage{b.base, b.last + 1, fmt.Sprintf("record %d of %d has a value beyond its end", n+1, b.count)}
		}
		r := record{offset: offset, at: b.firstAt + ts, key: key}
		if b.attr&attrLogAppendTime != 0 {
			r.at = b.maxAt
		}
		if valueLen >= 0 {
			r.value = one[at : at+int(valueLen)]
		}
		each(r)
		next = offset + 1
	}
	return next, nil
}

// nowhere is a place before any bytes; adding a few to it gives another.
const nowhere = -1 << 30

// varint reads a zigzag number at b[i:] and returns where it ends, or a negative place when there is none; reading on from
// that gives a negative place again, so that several reads need one look.
func varint(b []byte, i int) (int64, int) {
	if uint(i) >= uint(len(b)) {
		return 0, nowhere
	}
	if c := b[i]; c < 0x80 {
		return int64(c>>1) ^ -int64(c&1), i + 1
	}
	v, n := binary.Varint(b[i:])
	if n <= 0 {
		return 0, nowhere
	}
	return v, i + n
}

// aborts are the transactions of a response whose records a committed reader must not see. The zero value aborts none.
type aborts struct {
	list []kmsg.FetchResponseTopicPartitionAbortedTransaction
	open map[int64]bool // producers inside an aborted transaction
}

func newAborts(list []kmsg.FetchResponseTopicPartitionAbortedTransaction) aborts {
	if len(list) == 0 {
		return aborts{}
	}
	return aborts{list: list, open: map[int64]bool{}}
}

// covers says whether a batch of a transaction was aborted.
func (a *aborts) covers(b batch) bool {
	for i := range a.list {
		if t := &a.list[i]; t.FirstOffset >= 0 && t.FirstOffset <= b.last {
			a.open[t.ProducerID] = true
			t.FirstOffset = -1
		}
	}
	return a.open[b.producer]
}

// marker takes note of a control batch: one of type 0 ends an aborted transaction.
func (a *aborts) marker(b batch, body []byte) {
	if !a.covers(b) { // taken note of here too: compaction may have left nothing of the transaction but its end
		return
	}
	w := walker{}
	_, _ = w.records(b, body, b.base, func(r record) {
		if len(r.key) >= 4 && binary.BigEndian.Uint16(r.key[2:]) == 0 {
			delete(a.open, b.producer)
		}
	})
}
