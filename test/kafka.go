//go:build kafka && unix

package test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func (r *Rig) client(t testing.TB, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	c, err := kgo.NewClient(append(opts, kgo.SeedBrokers(strings.Split(r.Addr, ",")...), kgo.DisableClientMetrics())...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Groups lists every group that the broker knows.
func Groups(t testing.TB, rig *Rig) []string {
	t.Helper()
	listed, err := kadm.NewClient(rig.client(t)).ListGroups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return listed.Groups()
}

// Commits counts the offset commits of each group in all of __consumer_offsets.
func Commits(t testing.TB, rig *Rig) map[string]int {
	t.Helper()
	c := rig.client(t, kgo.ConsumeTopics(offsetsTopic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	ends, err := kadm.NewClient(c).ListEndOffsets(t.Context(), offsetsTopic)
	if err != nil {
		t.Fatal(err)
	}
	left := map[int32]int64{}
	ends.Each(func(o kadm.ListedOffset) {
		if o.Offset > 0 {
			left[o.Partition] = o.Offset
		}
	})
	counts := map[string]int{}
	for len(left) > 0 {
		fetches := c.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(rec *kgo.Record) {
			if group, ok := committer(rec.Key); ok {
				counts[group]++
			}
			if rec.Offset+1 >= left[rec.Partition] {
				delete(left, rec.Partition)
			}
		})
	}
	return counts
}

// committer names the group of an offset commit's key: versions 0 and 1 are commits, then the group, topic and partition.
func committer(key []byte) (string, bool) {
	if len(key) < 4 || binary.BigEndian.Uint16(key) > 1 {
		return "", false
	}
	n := int(binary.BigEndian.Uint16(key[2:]))
	if len(key) < 4+n {
		return "", false
	}
	return string(key[4 : 4+n]), true
}
