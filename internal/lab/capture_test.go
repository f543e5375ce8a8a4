package lab_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// rawRecord is a line of testdata/captures.
type rawRecord struct {
	Topic     string
	Partition int32
	Offset    int64
	TS        int64
	Key       []byte
	Value     []byte
}

// captured folds the records of a real group.
func captured(t *testing.T, name string) (*group.State, []rawRecord) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "captures", name+"-4.3.1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := group.New(group.Options{Group: "connect-rig"})
	var raw []rawRecord
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r rawRecord
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		raw = append(raw, r)
	}
	// A partition in its own order: the capture is in the order of time stamps.
	byOffset := slices.Clone(raw)
	slices.SortStableFunc(byOffset, func(a, b rawRecord) int {
		if a.Topic == b.Topic && a.Partition == b.Partition {
			return int(a.Offset - b.Offset)
		}
		return strings.Compare(b.Topic, a.Topic) // the log last: its rounds want the configs that they were decided with
	})
	for _, r := range byOffset {
		fold(t, m, r)
	}
	return m.State(time.UnixMilli(raw[len(raw)-1].TS + 3000)), raw
}

func fold(t *testing.T, m *group.Model, r rawRecord) {
	t.Helper()
	at := time.UnixMilli(r.TS).UTC()
	switch {
	case r.Topic == "__consumer_offsets":
		var g *decode.GroupRecord
		if r.Value != nil {
			var err error
			if g, err = decode.ParseGroupRecord(r.Value); err != nil {
				t.Fatal(err)
			}
		}
		m.Apply(group.LogRecord{At: at, Partition: r.Partition, Offset: r.Offset, Record: g}, at)
	case strings.HasSuffix(r.Topic, "configs"):
		c, err := decode.ParseConfig(r.Key, r.Value)
		m.Apply(group.ConfigRecord{At: at, Topic: r.Topic, Offset: r.Offset, Record: c, Err: err}, at)
	case strings.HasSuffix(r.Topic, "status"):
		s, err := decode.ParseStatus(r.Key, r.Value)
		m.Apply(group.StatusRecord{At: at, Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Record: s, Err: err}, at)
	}
}

// memberIDs are the ids of a capture's members, a client's in the order in which they came.
func memberIDs(t *testing.T, raw []rawRecord) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, r := range raw {
		if r.Topic != "__consumer_offsets" || r.Value == nil {
			continue
		}
		g, err := decode.ParseGroupRecord(r.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range g.Members {
			if !slices.Contains(out[m.Client], m.ID) {
				out[m.Client] = append(out[m.Client], m.ID)
			}
		}
	}
	return out
}
