package group_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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

// capture reads the records of a real group.
func capture(t testing.TB, name string) []rawRecord {
	t.Helper()
	return recorded(t, filepath.Join("captures", name+"-4.3.1.jsonl"))
}

// recorded reads the records of a file in testdata.
func recorded(t testing.TB, name string) []rawRecord {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []rawRecord
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte(`{"topic":`)) {
			continue // a recording's header, and what else it saw
		}
		var r rawRecord
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	inOffsetOrder(out)
	return out
}

// inOffsetOrder puts the records of each partition in its own order, each partition in the places that it has: a capture
// is written in the order of time stamps, which several writers give.
func inOffsetOrder(records []rawRecord) {
	places := map[string][]int{}
	for i, r := range records {
		k := fmt.Sprint(r.Topic, r.Partition)
		places[k] = append(places[k], i)
	}
	for _, at := range places {
		sorted := make([]rawRecord, len(at))
		for i, p := range at {
			sorted[i] = records[p]
		}
		slices.SortFunc(sorted, func(a, b rawRecord) int { return cmp.Compare(a.Offset, b.Offset) })
		for i, p := range at {
			records[p] = sorted[i]
		}
	}
}

// fact makes of a record what its source would.
func (r rawRecord) fact() group.Fact {
	at := time.UnixMilli(r.TS).UTC()
	switch {
	case r.Topic == "__consumer_offsets":
		f := group.LogRecord{At: at, Partition: r.Partition, Offset: r.Offset, Bytes: len(r.Key) + len(r.Value)}
		if r.Value != nil {
			f.Record, f.Err = decode.ParseGroupRecord(r.Value)
		}
		return f
	case strings.HasSuffix(r.Topic, "-configs") || strings.HasPrefix(r.Topic, "mm2-configs."):
		c, err := decode.ParseConfig(r.Key, r.Value)
		return group.ConfigRecord{At: at, Topic: r.Topic, Offset: r.Offset, Record: c, Err: err}
	}
	s, err := decode.ParseStatus(r.Key, r.Value)
	return group.StatusRecord{At: at, Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Record: s, Err: err}
}

func (r rawRecord) at() time.Time { return time.UnixMilli(r.TS).UTC() }

// ended tells a model that nothing more comes.
func ended(m *group.Model, at time.Time) {
	for _, s := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
		m.Apply(group.SourceReport{At: at, Source: s, Health: group.HealthEnded}, at)
	}
}

// fold folds records in their order.
func fold(records []rawRecord) *group.State {
	m := group.New(group.Options{Group: "connect-rig"})
	var end time.Time
	for _, r := range records {
		m.Apply(r.fact(), r.at())
		end = r.at()
	}
	ended(m, end)
	return m.State(end)
}
