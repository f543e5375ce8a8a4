package observe

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestTailOutOfRange: what was deleted before it was read is told, and reading goes on behind it.
func TestTailOutOfRange(t *testing.T) {
	c, dial := newCluster(t, kfake.SeedTopics(1, "t"))
	all := numbered("t", 1, 0, 100)
	write(t, dial, all...)
	// The first fetch finds that the records it was to start with are gone.
	deleted := make(chan struct{})
	c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		select {
		case <-deleted:
			return nil, nil, false
		default:
		}
		close(deleted)
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		in := req.(*kmsg.FetchRequest)
		rt := kmsg.NewFetchResponseTopic()
		rt.Topic, rt.TopicID = in.Topics[0].Topic, in.Topics[0].TopicID
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.ErrorCode = kerr.NotLeaderForPartition.Code
		rt.Partitions = append(rt.Partitions, rp)
		resp.Topics = append(resp.Topics, rt)
		return resp, nil, true
	})
	f := follow(t, dial, &tail{topic: "t", partition: 0, from: atStart})
	<-deleted
	if err := c.DeleteRecords("t", 0, 60); err != nil {
		t.Fatal(err)
	}
	f.have(t, 40)
	f.once(t, all[60:])
	f.mu.Lock()
	defer f.mu.Unlock()
	if want := []string{"t-0: records 0 to 59 were deleted before they were read"}; !slices.Equal(f.lost, want) {
		t.Errorf("lost: %q, want %q", f.lost, want)
	}
}

// TestTailMadeAnew: a topic that was deleted and made anew is read from its start.
func TestTailMadeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, dial := newVirtual(t, kfake.SeedTopics(1, "t"))
		write(t, dial, numbered("t", 1, 0, 10)...)
		f := follow(t, dial, &tail{topic: "t", partition: 0, from: atStart})
		f.have(t, 10)
		if err := c.DeleteTopic("t"); err != nil {
			t.Fatal(err)
		}
		createTopic(t, c, "t", 1, "compact")
		again := numbered("t", 1, 50, 53)
		write(t, dial, again...)
		f.have(t, 13)
		f.mu.Lock()
		defer f.mu.Unlock()
		if got := f.keys[0][10:]; !slices.Equal(got, []string{"k50", "k51", "k52"}) || len(f.lost) != 1 {
			t.Errorf("then came %q; lost %q", got, f.lost)
		}
	})
}

// TestTailDamaged: an answer that was damaged on its way is asked for again; one that stays damaged is told and passed over.
func TestTailDamaged(t *testing.T) {
	good := made{base: 0, deltas: []int32{0}, pid: -1, keys: [][]byte{[]byte("k0")}, values: [][]byte{nil}}.bytes(t)
	bad := slices.Clone(good)
	bad[len(bad)-1] ^= 1
	next := made{base: 1, deltas: []int32{0}, pid: -1, keys: [][]byte{[]byte("k1")}, values: [][]byte{nil}}.bytes(t)
	for _, test := range []struct {
		name  string
		spoil int // so many answers are damaged
		want  []string
		lost  int
	}{
		{"once", 1, []string{"k0", "k1"}, 0},
		{"for good", 1000, []string{"k1"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, dial := newCluster(t, kfake.SeedTopics(1, "t"))
			write(t, dial, numbered("t", 1, 0, 2)...)
			spoilt := 0
			c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				in := req.(*kmsg.FetchRequest)
				from := in.Topics[0].Partitions[0].FetchOffset
				if from > 1 {
					return nil, nil, false
				}
				resp := req.ResponseKind().(*kmsg.FetchResponse)
				rt := kmsg.NewFetchResponseTopic()
				rt.Topic, rt.TopicID = in.Topics[0].Topic, in.Topics[0].TopicID
				rp := kmsg.NewFetchResponseTopicPartition()
				rp.HighWatermark = 2
				switch {
				case from == 1:
					rp.RecordBatches = next
				case spoilt < test.spoil:
					spoilt++
					rp.RecordBatches = bad
				default:
					rp.RecordBatches = good
				}
				rt.Partitions = append(rt.Partitions, rp)
				resp.Topics = append(resp.Topics, rt)
				return resp, nil, true
			})
			f := follow(t, dial, &tail{topic: "t", partition: 0, from: atStart})
			f.have(t, len(test.want))
			f.mu.Lock()
			defer f.mu.Unlock()
			if !slices.Equal(f.keys[0], test.want) || len(f.lost) != test.lost {
				t.Errorf("records %q, want %q; lost %q", f.keys[0], test.want, f.lost)
			}
		})
	}
}
