//go:build kafka && unix

package test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// KeysOnly is the least that anybody must do who looks for a group's records: fetch all bytes of the partition up to end and
// look at each key. It counts the keys of group metadata, and the bytes. Batches are uncompressed, as Crowd writes them.
func KeysOnly(t testing.TB, rig *Rig, partition int32, end int64) (found, bytes int) {
	t.Helper()
	c := rig.client(t)
	topics, err := kadm.NewClient(c).ListTopicsWithInternal(t.Context(), offsetsTopic)
	if err != nil {
		t.Fatal(err)
	}
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes, req.SessionEpoch = 1000, 1, 8<<20, -1
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID = offsetsTopic, topics[offsetsTopic].ID
	part := kmsg.NewFetchRequestTopicPartition()
	part.Partition, part.PartitionMaxBytes, part.CurrentLeaderEpoch = partition, 8<<20, -1
	leader := topics[offsetsTopic].Partitions[partition].Leader
	for part.FetchOffset < end {
		topic.Partitions = []kmsg.FetchRequestTopicPartition{part}
		req.Topics = []kmsg.FetchRequestTopic{topic}
		answer, err := req.RequestWith(t.Context(), c.Broker(int(leader)))
		if err != nil {
			t.Fatal(err)
		}
		p := answer.Topics[0].Partitions[0]
		if p.ErrorCode != 0 {
			t.Fatalf("fetch: error %d", p.ErrorCode)
		}
		n, next, err := walk(p.RecordBatches)
		if err != nil {
			t.Fatal(err)
		}
		if next == 0 {
			t.Fatalf("nothing at offset %d of %d", part.FetchOffset, end)
		}
		found, bytes, part.FetchOffset = found+n, bytes+len(p.RecordBatches), next
	}
	return found, bytes
}

// walk counts keys of group metadata in whole batches, and says which offset comes next.
func walk(in []byte) (found int, next int64, err error) {
	const header = 61
	for len(in) >= header {
		size := 12 + int(binary.BigEndian.Uint32(in[8:]))
		if size < header || in[16] != 2 || in[22]&7 != 0 {
			return 0, 0, fmt.Errorf("a batch of %d bytes, magic %d, attributes %x", size, in[16], in[21:23])
		}
		if size > len(in) {
			break
		}
		next = int64(binary.BigEndian.Uint64(in)) + int64(binary.BigEndian.Uint32(in[23:])) + 1
		records := in[header:size]
		for len(records) > 0 {
			length, n := binary.Varint(records)
			r := records[n : n+int(length)]
			records = records[n+int(length):]
			i := 1        // attributes
			for range 2 { // timestamp, offset
				_, n := binary.Varint(r[i:])
				i += n
			}
			key, n := binary.Varint(r[i:])
			if i += n; key >= 2 && binary.BigEndian.Uint16(r[i:]) == 2 {
				found++
			}
		}
		in = in[size:]
	}
	return found, next, nil
}
