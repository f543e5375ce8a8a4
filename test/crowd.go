//go:build kafka && unix

package test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"unicode/utf16"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

const offsetsTopic = "__consumer_offsets"

// Crowd writes n offset commits of strangers into the partition that will hold group's records, before group exists: what a
// busy cluster looks like to somebody who wants one group's history. It restarts the broker, whose coordinator does not
// know what was written behind its back.
func Crowd(t testing.TB, rig *Rig, group string, n int) (partition int32) {
	t.Helper()
	// Brokers let no other client write to that topic.
	c := rig.client(t, kgo.ClientID("__admin_client"), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.ProducerBatchMaxBytes(2<<10), kgo.MaxBufferedRecords(100_000))
	admin := kadm.NewClient(c)
	Until(t, offsetsTopic, func() (bool, string) {
		admin.FindGroupCoordinators(t.Context(), group) // asking makes the broker create it
		topics, err := admin.ListTopicsWithInternal(t.Context(), offsetsTopic)
		if err != nil || topics[offsetsTopic].Err != nil {
			return false, fmt.Sprint(err, topics[offsetsTopic].Err)
		}
		partition = partitionOf(group, len(topics[offsetsTopic].Partitions))
		return true, ""
	})
	var failed error
	for i := range n {
		c.Produce(t.Context(), commit(partition, i), func(_ *kgo.Record, err error) {
			if err != nil {
				failed = err // the callbacks of a client come one after another
			}
		})
	}
	if err := c.Flush(t.Context()); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	rig.BrokerStop(t)
	rig.BrokerStart(t)
	return partition
}

// commit is a stranger's offset commit as brokers write it. There are a thousand keys: more would not fit into the
// coordinator's memory when it loads them.
func commit(partition int32, i int) *kgo.Record {
	var key, value []byte
	key = binary.BigEndian.AppendUint16(key, 1)
	key = appendText(key, "billing-stream-processor")
	key = appendText(key, "orders.events.v1")
	key = binary.BigEndian.AppendUint32(key, uint32(i%1000))
	value = binary.BigEndian.AppendUint16(value, 3)
	value = binary.BigEndian.AppendUint64(value, uint64(i))
	value = binary.BigEndian.AppendUint32(value, 7)
	value = appendText(value, "")
	value = binary.BigEndian.AppendUint64(value, uint64(1_790_000_000_000+i))
	return &kgo.Record{Topic: offsetsTopic, Partition: partition, Key: key, Value: value}
}

func appendText(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// partitionOf is where a broker keeps a group: the absolute value of Java's hash of its name, where that has one.
func partitionOf(group string, partitions int) int32 {
	var h int32
	for _, u := range utf16.Encode([]rune(group)) {
		h = 31*h + int32(u)
	}
	if h < 0 && h != math.MinInt32 {
		h = -h
	}
	return max(h, 0) % int32(partitions)
}

// End is the offset after the last record of a partition.
func End(t testing.TB, rig *Rig, partition int32) int64 {
	t.Helper()
	ends, err := kadm.NewClient(rig.client(t)).ListEndOffsets(t.Context(), offsetsTopic)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := ends.Lookup(offsetsTopic, partition)
	return o.Offset
}
