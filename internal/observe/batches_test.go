package observe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeRecord(offset, at int64, key, value []byte) string {
	return fmt.Sprintf("%d at %d: %q=%q null %v %v", offset, at, key, value, key == nil, value == nil)
}

func walkAll(w *walker, in []byte, from int64, a aborts) (out []string, next int64, err error) {
	next, err = w.walk(in, from, a, func(r record) { out = append(out, describeRecord(r.offset, r.at, r.key, r.value)) })
	return out, next, err
}

// TestWalkAsClient: on any log, from any offset, committed or not, the walk gives exactly what the client library gives.
func TestWalkAsClient(t *testing.T) {
	w, dec := newWalker(nil), kgo.DefaultDecompressor()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		whole, list, end := logOf(t, rng, 1+rng.IntN(12))
		for _, committed := range []bool{false, true} {
			from := rng.Int64N(end + 1)
			rp := kmsg.NewFetchResponseTopicPartition()
			rp.RecordBatches, rp.HighWatermark, rp.LastStableOffset = whole, end, end
			level := kgo.ReadUncommitted()
			var a aborts
			if committed {
				// A broker lists the aborted transactions that reach into what was asked for: seven records and a marker here.
				reach := slices.DeleteFunc(slices.Clone(list), func(a kmsg.FetchResponseTopicPartitionAbortedTransaction) bool {
					return a.FirstOffset+7 < from
				})
				rp.AbortedTransactions, level = reach, kgo.ReadCommitted()
				a = newAborts(slices.Clone(reach))
			}
			fp, wantNext := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{Offset: from, IsolationLevel: level, Topic: "t"},
				&rp, dec, nil)
			if fp.Err != nil {
				t.Fatal(fp.Err)
			}
			var want []string
			for _, r := range fp.Records {
				want = append(want, describeRecord(r.Offset, r.Timestamp.UnixMilli(), r.Key, r.Value))
			}
			got, next, err := walkAll(w, whole, from, a)
			if err != nil || !slices.Equal(got, want) || next != max(wantNext, from) {
				t.Fatalf("seed %d, from %d, committed %v: error %v, next %d, want %d, aborted %v\ngot  %.300q\nwant %.300q", seed, from, committed, err, next, wantNext, list, got, want)
			}
			if s := skim(whole, from); s != next {
				t.Fatalf("seed %d: headers say %d, records %d", seed, s, next)
			}
		}
	}
}

// TestWalkOnly: with a key, just its records are given, and the others counted.
func TestWalkOnly(t *testing.T) {
	whole, _, end := logOf(t, rand.New(rand.NewPCG(5, 5)), 40)
	all, _, _ := walkAll(newWalker(nil), whole, 0, aborts{})
	w := newWalker([]byte("key-1"))
	var want []string
	for _, r := range all {
		if strings.Contains(r, `: "key-1"=`) {
			want = append(want, r)
		}
	}
	got, next, err := walkAll(w, whole, 0, aborts{})
	if err != nil || next != end || !slices.Equal(got, want) || len(want) == 0 || w.foreign != len(all)-len(want) {
		t.Fatalf("error %v, next %d of %d, %d foreign of %d\ngot  %q\nwant %q", err, next, end, w.foreign, len(all), got, want)
	}
}

// TestWalkCut: wherever an answer is cut, walking what came and then the rest from next gives each record once.
func TestWalkCut(t *testing.T) {
	w := newWalker(nil)
	var whole []byte
	for i := range int64(5) {
		whole = append(whole, made{
			base: 3 * i, deltas: []int32{0, 2}, last: 2, codec: kgo.CompressionCodecType(i), pid: -1,
			keys: [][]byte{[]byte("key"), nil}, values: [][]byte{nil, []byte("value")},
		}.bytes(t)...)
	}
	want, end, _ := walkAll(w, whole, 0, aborts{})
	for n := range len(whole) + 1 {
		first, next, err := walkAll(w, whole[:n:n], 0, aborts{})
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		rest, last, err := walkAll(w, whole, next, aborts{})
		if got := slices.Concat(first, rest); err != nil || last != end || !slices.Equal(got, want) {
			t.Fatalf("cut at %d: error %v, %d records, want %d", n, err, len(got), len(want))
		}
	}
}

// TestWalkDamage: a changed bit anywhere behind the length is noticed, says where to go on, and gives nothing wrong.
func TestWalkDamage(t *testing.T) {
	for codec := range kgo.CompressionCodecType(5) {
		one := made{
			base: 10, deltas: []int32{0, 1}, last: 1, codec: codec, pid: -1,
			keys: [][]byte{[]byte("a"), []byte("b")}, values: [][]byte{[]byte("one"), []byte("two")},
		}.bytes(t)
		two := made{base: 12, deltas: []int32{0}, last: 0, pid: -1, keys: [][]byte{[]byte("c")}, values: [][]byte{[]byte("three")}}.bytes(t)
		want, _, _ := walkAll(newWalker(nil), two, 12, aborts{})
		for i := 17; i < len(one); i++ {
			for bit := range 8 {
				bad := slices.Concat(one, two)
				bad[i] ^= 1 << bit
				got, next, err := walkAll(newWalker(nil), bad, 0, aborts{})
				var d *damage
				if !errors.As(err, &d) || next != 0 || len(got) != 0 {
					t.Fatalf("codec %d, byte %d, bit %d: error %v, next %d, records %q", codec, i, bit, err, next, got)
				}
				if i >= 27 { // the header's offsets are whole: what lies behind can be read
					got, _, err = walkAll(newWalker(nil), bad[len(one):], d.next, aborts{})
					if err != nil || !slices.Equal(got, want) {
						t.Fatalf("codec %d, byte %d: behind the damage: %v %q", codec, i, err, got)
					}
				}
			}
		}
	}
}

// TestWalkOldFormat: messages of the format before 0.11 are counted and passed over.
func TestWalkOldFormat(t *testing.T) {
	old := binary.BigEndian.AppendUint64(nil, 4)
	old = append(binary.BigEndian.AppendUint32(old, 14), 1, 2, 3, 4, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255)
	w := newWalker(nil)
	got, next, err := walkAll(w, slices.Concat(old, made{base: 5, pid: -1, deltas: []int32{0}, keys: [][]byte{nil}, values: [][]byte{nil}}.bytes(t)), 0, aborts{})
	if err != nil || next != 6 || w.old != 1 || len(got) != 1 {
		t.Fatalf("error %v, next %d, %d old, records %q", err, next, w.old, got)
	}
}

// FuzzWalk: whatever the bytes, no panic, no going back, and headers alone agree with the walk where it has no error.
func FuzzWalk(f *testing.F) {
	for seed := range uint64(5) {
		whole, _, _ := logOf(f, rand.New(rand.NewPCG(seed, 9)), 3)
		f.Add(whole, int64(2), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, from int64, mend bool) {
		if from < 0 {
			return
		}
		if mend { // make the checksums fit, or the fuzzer never gets behind them
			for rest := in; ; {
				b, more, ok, err := cutBatch(rest)
				if !ok || err != nil {
					break
				}
				if b.magic == 2 {
					binary.BigEndian.PutUint32(b.raw[17:], crc32.Checksum(b.raw[21:], castagnoli))
				}
				rest = more
			}
		}
		last := from - 1
		next, err := newWalker(nil).walk(in, from, newAborts(nil), func(r record) {
			if r.offset <= last {
				t.Fatalf("offset %d after %d", r.offset, last)
			}
			last = r.offset
		})
		if next < from || next <= last && err == nil {
			t.Fatalf("next %d after %d, from %d", next, last, from)
		}
	})
}

// BenchmarkWalk walks a partition of strangers' commits with one record of ours in a thousand.
func BenchmarkWalk(b *testing.B) {
	for _, codec := range []kgo.CompressionCodecType{0, 2, 3, 4, 1} {
		b.Run([]string{"none", "gzip", "snappy", "lz4", "zstd"}[codec], func(b *testing.B) {
			ours := []byte("\x00\x02\x00\x03obs")
			var whole []byte
			records := 0
			for base := int64(0); len(whole) < 4<<20 && base < 100_000; base += 250 {
				m := made{base: base, last: 249, pid: -1, codec: codec}
				for i := range int32(250) {
					key := fmt.Appendf(nil, "\x00\x01\x00\x0cgroup-%06d\x00\x05topic\x00\x00\x00\x07", i)
					if i == 100 && base%1000 == 0 {
						key = ours
					}
					m.deltas, m.keys, m.values = append(m.deltas, i), append(m.keys, key), append(m.values, make([]byte, 24))
					records++
				}
				whole = append(whole, m.bytes(b)...)
			}
			b.SetBytes(int64(len(whole)))
			b.ReportAllocs()
			w := newWalker(ours)
			for b.Loop() {
				if _, err := w.walk(whole, 0, aborts{}, func(record) {}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
		})
	}
}
