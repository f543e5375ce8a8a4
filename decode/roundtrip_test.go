package decode_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

// What real brokers and workers wrote comes out of our encoders byte for byte.
func TestCapturedBytesComeBack(t *testing.T) {
	for _, c := range captures(t) {
		if !c.ofGroup() || c.Value == nil {
			continue
		}
		group, ours, err := decode.ParseGroupKey(c.Key)
		if err != nil || !ours {
			t.Fatalf("%s %d: key: ours %t, %v", c.File, c.Offset, ours, err)
		}
		if !bytes.Equal(decode.AppendGroupKey(nil, group), c.Key) || !decode.IsGroupKey(c.Key, group) || decode.IsGroupKey(c.Key, group+"x") {
			t.Errorf("%s %d: another key for %q", c.File, c.Offset, group)
		}
		g, err := decode.ParseGroupRecord(c.Value)
		if err != nil {
			t.Fatalf("%s %d: %v", c.File, c.Offset, err)
		}
		same(t, "group record", decode.AppendGroupRecord(nil, *g), c.Value)
		for _, m := range g.Members {
			s, err := decode.ParseSubscription(m.Subscription)
			if err != nil {
				t.Fatalf("%s %d: %s: %v", c.File, c.Offset, m.Client, err)
			}
			same(t, "subscription", decode.AppendSubscription(nil, s), m.Subscription)
			a, err := decode.ParseAssignment(m.Assignment)
			if err != nil || a == nil {
				t.Fatalf("%s %d: %s: %v, %v", c.File, c.Offset, m.Client, a, err)
			}
			same(t, "assignment", decode.AppendAssignment(nil, *a), m.Assignment)
		}
	}
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("another %s:\n got %x\nwant %x", what, got, want)
	}
}

// kmsg reads the coordinator's records right, and independently of us: every version that it can write reads the same here.
func TestGroupRecordAgreesWithKmsg(t *testing.T) {
	var values []kmsg.GroupMetadataValue
	for _, b := range groupRecords(t) {
		v := kmsg.NewGroupMetadataValue()
		if err := v.ReadFrom(b); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	for _, v := range values {
		for version := range int16(5) {
			v.Version = version
			b := v.AppendTo(nil)
			g, err := decode.ParseGroupRecord(b)
			if err != nil {
				t.Fatalf("version %d: %v\n%x", version, err, b)
			}
			if d := cmp.Diff(fromKmsg(v), *g); d != "" {
				t.Fatalf("version %d (-kmsg +ours):\n%s", version, d)
			}
		}
	}
}

func fromKmsg(v kmsg.GroupMetadataValue) decode.GroupRecord {
	g := decode.GroupRecord{Version: v.Version, ProtocolType: v.ProtocolType, Generation: v.Generation}
	g.Protocol, g.Leader = orEmpty(v.Protocol), orEmpty(v.Leader)
	if v.Version >= 2 && v.CurrentStateTimestamp >= 0 {
		g.StateAt = time.UnixMilli(v.CurrentStateTimestamp).UTC()
	}
	for _, m := range v.Members {
		ms := func(n int32) time.Duration { return time.Duration(n) * time.Millisecond }
		member := decode.Member{
			ID: m.MemberID, InstanceID: orEmpty(m.InstanceID), Client: m.ClientID, Host: m.ClientHost,
			RebalanceTimeout: ms(m.RebalanceTimeoutMillis), SessionTimeout: ms(m.SessionTimeoutMillis),
			Subscription: m.Subscription, Assignment: m.Assignment,
		}
		if v.Version == 0 {
			member.RebalanceTimeout = member.SessionTimeout
		}
		g.Members = append(g.Members, member)
	}
	return g
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Every captured record of the config and status topics reads without an error and says what its JSON says.
func TestCapturedTopicRecords(t *testing.T) {
	seen := map[decode.ConfigKind]int{}
	units := 0
	for _, c := range captures(t) {
		switch {
		case c.ofConfig():
			r, err := decode.ParseConfig(c.Key, c.Value)
			if err != nil || r.Kind == decode.ConfigUnknown || r.Deleted != (c.Value == nil) {
				t.Fatalf("%s %d: %+v, %v", c.File, c.Offset, r, err)
			}
			seen[r.Kind]++
			if !r.Deleted && r.Kind != decode.ConfigSessionKey {
				sameJSON(t, configJSON(t, r), c.Value)
			}
		case c.ofStatus():
			r, err := decode.ParseStatus(c.Key, c.Value)
			if err != nil || r.Kind != decode.StatusOfUnit || r.Deleted != (c.Value == nil) {
				t.Fatalf("%s %d: %+v, %v", c.File, c.Offset, r, err)
			}
			units++
			if !r.Deleted {
				sameJSON(t, statusJSON(t, r), c.Value)
			}
		}
	}
	for _, k := range []decode.ConfigKind{decode.ConfigConnector, decode.ConfigTask, decode.ConfigCommit, decode.ConfigTargetState, decode.ConfigSessionKey, decode.ConfigRestart} {
		if seen[k] == 0 {
			t.Errorf("no captured record is a %s", configKinds[k])
		}
	}
	if units == 0 {
		t.Error("no captured status")
	}
}

// sameJSON leaves out a version that is null: within one topic some workers write it and some states lack it.
func sameJSON(t *testing.T, got, want []byte) {
	t.Helper()
	var g, w map[string]any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if w["version"] == nil {
		delete(w, "version")
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("another value (-captured +ours):\n%s", d)
	}
}

// configJSON writes a value as a worker does, except that a session key's secret is not known.
func configJSON(t testing.TB, c decode.ConfigRecord) []byte {
	t.Helper()
	v := map[string]any{}
	switch c.Kind {
	case decode.ConfigConnector, decode.ConfigTask:
		properties := map[string]any{}
		for k, p := range c.Properties {
			properties[k] = p
		}
		for _, k := range c.Nulls {
			properties[k] = nil
		}
		v["properties"] = properties
	case decode.ConfigCommit:
		v["tasks"] = c.Tasks
	case decode.ConfigFencing:
		v["task-count"] = c.Tasks
	case decode.ConfigTargetState:
		v["state"], v["state.v2"] = c.State, c.State
		if c.State == decode.TargetStopped {
			v["state"] = decode.TargetPaused
		}
	case decode.ConfigSessionKey:
		v["algorithm"], v["creation-timestamp"] = c.Algorithm, c.CreatedAt.UnixMilli()
	case decode.ConfigRestart:
		v["include-tasks"], v["only-failed"] = c.WithTasks, c.OnlyFailed
	case decode.ConfigLogger:
		v["level"] = c.State
	}
	return asJSON(t, v)
}

// statusJSON writes a value as a worker does: before 4.x without a version.
func statusJSON(t testing.TB, s decode.StatusRecord) []byte {
	t.Helper()
	if s.Kind == decode.StatusOfTopics {
		return asJSON(t, map[string]any{"topic": map[string]any{"task": s.Unit.Task}})
	}
	v := map[string]any{"state": s.State, "trace": nil, "worker_id": s.WorkerID, "generation": s.Generation}
	if s.Trace != "" {
		v["trace"] = s.Trace
	}
	if s.Version != "" {
		v["version"] = s.Version
	}
	return asJSON(t, v)
}

func asJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
