package observe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
)

// TestDiscovery tells, in testdata/discovery, which topics are taken for a group's own, and what is said when none is.
//
// Each command starts a broker with the topics of its input, one a line: name, partitions, cleanup policy, and what it holds:
// the configs or statuses of the captured group (also after renaming its connectors, or its workers), or other records.
func TestDiscovery(t *testing.T) {
	datadriven.RunTest(t, "testdata/discovery", func(t *testing.T, d *datadriven.TestData) string {
		var out string
		t.Run("", func(t *testing.T) { // a bubble needs a test of its own
			synctest.Test(t, func(t *testing.T) { out = discover(t, d) })
		})
		return out
	})
}

func discover(t *testing.T, d *datadriven.TestData) string {
	c, dial := newVirtual(t, kfake.SeedTopics(50, LogTopic))
	opt := Options{Group: "connect-rig", Dial: dial}
	d.MaybeScanArgs(t, "config-topic", &opt.ConfigTopic)
	d.MaybeScanArgs(t, "status-topic", &opt.StatusTopic)
	capture := captured(t, "lifecycle-4.3.1")
	if d.HasArg("mirror") {
		opt.Group, capture = "amber-mm2", mirrored(t)
	}
	if !d.HasArg("no-rounds") {
		write(t, dial, of(capture, LogTopic)...)
	}
	for l := range strings.Lines(d.Input) {
		var name, policy, holds string
		var partitions int32
		if _, err := fmt.Sscan(l, &name, &partitions, &policy, &holds); err != nil {
			d.Fatalf(t, "%q: %v", l, err)
		}
		createTopic(t, c, name, partitions, strings.ReplaceAll(policy, "+", ","))
		trimmed, isTrimmed := strings.CutPrefix(holds, "trimmed-") // up to where sink-b was written last
		deleted, isDeleted := strings.CutPrefix(trimmed, "deleted-")
		records := content(t, capture, deleted, name, partitions)
		write(t, dial, records...)
		switch {
		case isDeleted:
			deleteRecords(t, dial, name, int64(len(records)))
		case isTrimmed:
			for i, r := range slices.Backward(records) {
				if string(r.Key) == "connector-sink-b" {
					deleteRecords(t, dial, name, int64(i))
					break
				}
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	g := gather()
	if err := untilTold(ctx, opt, g); err != nil {
		return "error: " + err.Error()
	}
	var out strings.Builder
	told := reports(g.facts)
	for _, source := range []group.Source{group.SourceConfig, group.SourceStatus} {
		r := told[source]
		fmt.Fprintf(&out, "%s %q: %s %s\n", source, r.Name, r.Health, r.Detail)
	}
	var settings []string
	for _, f := range g.facts {
		if s, ok := f.(group.TopicSettings); ok && s.Role != "log" {
			settings = append(settings, fmt.Sprintf("  the %s topic is %s: %d partitions, cleanup.policy=%s\n", s.Role, s.Topic, s.Partitions, s.CleanupPolicy))
		}
	}
	slices.Sort(settings)
	return out.String() + strings.Join(settings, "")
}

// untilTold runs until all sources have said how they do.
func untilTold(ctx context.Context, opt Options, g *gathered) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return Run(ctx, opt, func(f group.Fact, seen time.Time) {
		g.emit(f, seen)
		n := 0
		for _, r := range reports(g.facts) {
			if r.Health != group.HealthCatchingUp {
				n++
			}
		}
		if n == 4 { // what was asked for beside that comes before any time has passed
			time.AfterFunc(100*time.Millisecond, cancel)
		}
	})
}

// mirrored are the records of a pair of clusters, and those of the statuses of a retired one, as MirrorMaker wrote them.
func mirrored(t *testing.T) (out []Raw) {
	t.Helper()
	elder := of(captured(t, "../cases/mm2-wrong-status-topic-4.3.1"), "mm2-status.elder.internal")
	return append(captured(t, "../cases/mm2-internal-rest-4.3.1"), elder...)
}

func of(records []Raw, topic string) (out []Raw) {
	for _, r := range records {
		if r.Topic == topic {
			out = append(out, r)
		}
	}
	return out
}

// content makes records for a topic of a test.
func content(t *testing.T, capture []Raw, holds, topic string, partitions int32) (out []Raw) {
	var from string
	rename := strings.NewReplacer()
	holds, earlier := strings.CutSuffix(holds, "-of-yesterday") // those of another group that had the same work before
	switch holds {
	case "configs":
		from = "connect-rig-configs"
	case "statuses":
		from = "connect-rig-status"
	case "configs-of-others": // another group's: other connectors
		from, rename = "connect-rig-configs", strings.NewReplacer("sink-", "pipe-")
	case "statuses-of-other-workers": // the same connectors on other workers: a second cluster with the same set-up
		from, rename = "connect-rig-status", strings.NewReplacer("127.0.0.1:1808", "10.0.0.9:808")
	case "retired": // the statuses of a retired pair of clusters: MirrorMaker's connectors have the same names
	case "few-configs": // as configs, but shorter than the group's config offset
		from = "connect-rig-configs"
	case "offsets":
		return []Raw{{Topic: topic, Key: []byte(`["sink-a",{"filename":"x"}]`), Value: []byte(`{"position":1}`)}}
	case "orders":
		for i := range 20 {
			out = append(out, Raw{Topic: topic, Partition: int32(i) % partitions, Key: fmt.Appendf(nil, "order-%d", i), Value: []byte("{}")})
		}
		return out
	case "nothing":
		return nil
	default:
		t.Fatalf("no such content: %s", holds)
	}
	if holds == "retired" {
		from = "mm2-status.elder.internal"
	} else if len(of(capture, from)) == 0 {
		from = map[string]string{"connect-rig-configs": "mm2-configs.amber.internal", "connect-rig-status": "mm2-status.amber.internal"}[from]
	}
	for i, r := range of(capture, from) {
		if holds == "few-configs" && i >= 10 {
			break
		}
		r.Topic, r.Partition = topic, r.Partition%partitions
		if earlier {
			r.At = r.At.Add(-24 * time.Hour)
		}
		r.Key = []byte(rename.Replace(string(r.Key)))
		if r.Value != nil {
			r.Value = []byte(rename.Replace(string(r.Value)))
		}
		out = append(out, r)
	}
	return out
}

// deleteRecords deletes all records of a topic's only partition below an offset, as DeleteRecords and retention do.
func deleteRecords(t *testing.T, dial Dial, topic string, before int64) {
	t.Helper()
	cl, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	req := kmsg.NewPtrDeleteRecordsRequest()
	rt := kmsg.NewDeleteRecordsRequestTopic()
	rt.Topic = topic
	rp := kmsg.NewDeleteRecordsRequestTopicPartition()
	rp.Offset = before
	rt.Partitions = append(rt.Partitions, rp)
	req.Topics = append(req.Topics, rt)
	resp, err := req.RequestWith(t.Context(), cl)
	if err != nil || resp.Topics[0].Partitions[0].ErrorCode != 0 {
		t.Fatal(err, resp)
	}
}

// join makes one member of a group, with the bytes it says and is told, and leaves it in the group.
func join(t *testing.T, dial Dial, name, protocolType, protocol string, subscription, assignment []byte) {
	t.Helper()
	cl, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	join := kmsg.NewPtrJoinGroupRequest()
	join.Group, join.ProtocolType, join.SessionTimeoutMillis, join.RebalanceTimeoutMillis = name, protocolType, 60_000, 60_000
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name, p.Metadata = protocol, subscription
	join.Protocols = append(join.Protocols, p)
	joined, err := join.RequestWith(ctx, cl)
	if err == nil && joined.ErrorCode == 79 { // the broker gives the member id first
		join.MemberID = joined.MemberID
		joined, err = join.RequestWith(ctx, cl)
	}
	if err != nil || joined.ErrorCode != 0 {
		t.Fatal(err, joined)
	}
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.MemberID, sync.Generation = name, joined.MemberID, joined.Generation
	sync.ProtocolType, sync.Protocol = &protocolType, &protocol
	a := kmsg.NewSyncGroupRequestGroupAssignment()
	a.MemberID, a.MemberAssignment = joined.MemberID, assignment
	sync.GroupAssignment = append(sync.GroupAssignment, a)
	synced, err := sync.RequestWith(ctx, cl)
	if err != nil || synced.ErrorCode != 0 {
		t.Fatal(err, synced)
	}
}

// TestFoundWhileLogIsRead: a description is enough to find the topics by; the log may take its time.
func TestFoundWhileLogIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, dial, name := replayed(t, "lifecycle-4.3.1")
		log := of(captured(t, "lifecycle-4.3.1"), LogTopic)
		rec, err := decode.ParseGroupRecord(log[len(log)-1].Value)
		if err != nil {
			t.Fatal(err)
		}
		join(t, dial, name, "connect", rec.Protocol, rec.Members[0].Subscription, rec.Members[0].Assignment)
		logID := c.TopicInfo(LogTopic).TopicID
		var held atomic.Bool
		held.Store(true)
		c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			in := req.(*kmsg.FetchRequest)
			if in.Topics[0].TopicID != logID || !held.Load() {
				return nil, nil, false
			}
			resp := req.ResponseKind().(*kmsg.FetchResponse)
			rt := kmsg.NewFetchResponseTopic()
			rt.TopicID = logID
			rp := kmsg.NewFetchResponseTopicPartition()
			rp.Partition, rp.HighWatermark = in.Topics[0].Partitions[0].Partition, int64(len(log))
			rt.Partitions = append(rt.Partitions, rp)
			resp.Topics = append(resp.Topics, rt)
			return resp, nil, true
		})
		g := running(t, Options{Group: name, Dial: dial})
		ok := func(source group.Source) func([]group.Fact) bool {
			return func(facts []group.Fact) bool { return reports(facts)[source].Health == group.HealthOK }
		}
		g.until(t, "the config topic", ok(group.SourceConfig))
		g.until(t, "the status topic", ok(group.SourceStatus))
		g.mu.Lock()
		read := ok(group.SourceLog)(g.facts)
		g.mu.Unlock()
		if read {
			t.Error("the log is read to its end, though the broker gives nothing of it")
		}
		held.Store(false)
		g.until(t, "the log", ok(group.SourceLog))
	})
}
