package broker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/coordinator"
)

const stormGroup = "storm"

// In a storm of joins, evictions, the leader's too, and crashes, every generation that any member was told of is in the log
// by then, just one member leads each, and it is the one that the record names.
func TestStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := broker.Virtual()
		n := 0
		b, err := broker.Start(t.Context(), broker.Options{Net: net, Groups: coordinator.Options{
			MinSession: time.Millisecond,
			NewMember:  func(client string) string { n++; return fmt.Sprintf("%s-%d", client, n) },
		}})
		if err != nil {
			t.Fatal(err)
		}
		dial := func(client string) *kgo.Client {
			cl, err := kgo.NewClient(kgo.SeedBrokers(b.Addr()), kgo.Dialer(net.Dial), kgo.ClientID(client), kgo.DisableClientMetrics())
			if err != nil {
				t.Fatal(err)
			}
			return cl
		}
		s := &storm{t: t, leaders: map[int32]string{}, told: map[int32]bool{}, reader: dial("reader")}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		var all sync.WaitGroup
		var clients []*kgo.Client
		for i := range 5 {
			m := &stormMember{storm: s, cl: dial(fmt.Sprintf("worker-%d", i)), random: rand.New(rand.NewPCG(7, uint64(i)))}
			clients = append(clients, m.cl)
			all.Go(func() {
				for ctx.Err() == nil {
					m.once(ctx)
				}
			})
		}
		all.Wait()
		records := s.log(t.Context())
		for _, cl := range append(clients, s.reader) {
			cl.Close()
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}

		recorded := map[int32]string{}
		for _, r := range records {
			if _, twice := recorded[r.Generation]; twice {
				t.Errorf("generation %d is recorded twice", r.Generation)
			}
			recorded[r.Generation] = r.Leader
		}
		for g, leader := range s.leaders {
			if in, ok := recorded[g]; ok && in != leader {
				t.Errorf("generation %d: %s led, the record says %s", g, leader, in)
			}
		}
		if len(s.told) < 100 {
			t.Errorf("%d generations: no storm", len(s.told))
		}
	})
}

// storm is what its members saw.
type storm struct {
	t       *testing.T
	reader  *kgo.Client
	mu      sync.Mutex
	leaders map[int32]string
	told    map[int32]bool
}

// synced checks that a generation that a member was just told of is in the log.
func (s *storm) synced(ctx context.Context, generation int32) {
	s.mu.Lock()
	first := !s.told[generation]
	s.told[generation] = true
	s.mu.Unlock()
	if !first {
		return
	}
	for _, r := range s.log(ctx) {
		if r.Generation == generation {
			return
		}
	}
	if ctx.Err() == nil {
		s.t.Errorf("a member was told of generation %d, which is not in the log", generation)
	}
}

func (s *storm) led(generation int32, member string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, ok := s.leaders[generation]; ok && other != member {
		s.t.Errorf("generation %d: both %s and %s were told that they lead", generation, other, member)
	}
	s.leaders[generation] = member
}

// log reads the group's records with one fetch.
func (s *storm) log(ctx context.Context) []*decode.GroupRecord {
	partition := decode.GroupPartition(stormGroup, broker.OffsetsPartitions)
	meta := kmsg.NewPtrMetadataRequest()
	mt := kmsg.NewMetadataRequestTopic()
	mt.Topic = kmsg.StringPtr(broker.OffsetsTopic)
	meta.Topics = append(meta.Topics, mt)
	found, err := meta.RequestWith(ctx, s.reader)
	if err != nil {
		return nil
	}
	req := kmsg.NewPtrFetchRequest()
	req.MaxBytes, req.SessionEpoch = 50<<20, -1
	ft := kmsg.NewFetchRequestTopic()
	ft.Topic, ft.TopicID = broker.OffsetsTopic, found.Topics[0].TopicID
	fp := kmsg.NewFetchRequestTopicPartition()
	fp.Partition, fp.PartitionMaxBytes, fp.CurrentLeaderEpoch = partition, 50<<20, -1
	ft.Partitions = append(ft.Partitions, fp)
	req.Topics = append(req.Topics, ft)
	raw, err := s.reader.Broker(int(found.Brokers[0].NodeID)).Request(ctx, req)
	if err != nil {
		return nil
	}
	got := raw.(*kmsg.FetchResponse).Topics[0].Partitions[0]
	p, _ := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{Topic: broker.OffsetsTopic, Partition: partition}, &got, kgo.DefaultDecompressor(), nil)
	var out []*decode.GroupRecord
	for _, r := range p.Records {
		g, err := decode.ParseGroupRecord(r.Value)
		if err != nil {
			s.t.Error(err)
			continue
		}
		out = append(out, g)
	}
	return out
}

type stormMember struct {
	*storm
	cl     *kgo.Client
	random *rand.Rand
	id     string
	said   int
}

// once joins, syncs, beats for a while, and ends that in some way.
func (m *stormMember) once(ctx context.Context) {
	join := kmsg.NewPtrJoinGroupRequest()
	join.Group, join.ProtocolType, join.MemberID = stormGroup, "connect", m.id
	join.SessionTimeoutMillis, join.RebalanceTimeoutMillis = 50, 200
	m.said++
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name, p.Metadata = "sessioned", []byte(fmt.Sprint(m.said))
	join.Protocols = append(join.Protocols, p)
	joined, err := join.RequestWith(ctx, m.cl)
	if err != nil {
		return
	}
	if joined.ErrorCode != 0 {
		m.id = ""
		if joined.ErrorCode == kerr.MemberIDRequired.Code {
			m.id = joined.MemberID
		}
		return
	}
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.MemberID, sync.Generation = stormGroup, m.id, joined.Generation
	if joined.LeaderID == m.id {
		m.led(joined.Generation, m.id)
		for _, other := range joined.Members {
			a := kmsg.NewSyncGroupRequestGroupAssignment()
			a.MemberID, a.MemberAssignment = other.MemberID, []byte("do")
			sync.GroupAssignment = append(sync.GroupAssignment, a)
		}
	}
	synced, err := sync.RequestWith(ctx, m.cl)
	if err != nil || synced.ErrorCode != 0 {
		return
	}
	m.synced(ctx, joined.Generation)
	for beats := m.random.IntN(8); beats > 0; beats-- {
		time.Sleep(4 * time.Millisecond)
		beat := kmsg.NewPtrHeartbeatRequest()
		beat.Group, beat.MemberID, beat.Generation = stormGroup, m.id, joined.Generation
		if resp, err := beat.RequestWith(ctx, m.cl); err != nil || resp.ErrorCode != 0 {
			return
		}
	}
	switch m.random.IntN(6) {
	case 0: // evicted, whether it leads or not
		leave := kmsg.NewPtrLeaveGroupRequest()
		leave.Group = stormGroup
		lm := kmsg.NewLeaveGroupRequestMember()
		lm.MemberID = m.id
		leave.Members = append(leave.Members, lm)
		_, _ = leave.RequestWith(ctx, m.cl)
	case 1: // crashed: silent for longer than a session, and then somebody new
		time.Sleep(80 * time.Millisecond)
		m.id = ""
	}
}
