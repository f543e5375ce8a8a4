package decode_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"regroup/decode"
)

// captured is one line of a file in testdata/captures: a record of a real group.
type captured struct {
	File   string `json:"-"`
	Topic  string `json:"topic"`
	Offset int64  `json:"offset"`
	Key    []byte `json:"key"`
	Value  []byte `json:"value"`
}

func (c captured) ofGroup() bool { return c.Topic == "__consumer_offsets" }

func (c captured) ofConfig() bool { return strings.HasSuffix(c.Topic, "-configs") }

func (c captured) ofStatus() bool { return strings.HasSuffix(c.Topic, "-status") }

func captures(t testing.TB) []captured {
	t.Helper()
	files, err := filepath.Glob("../testdata/captures/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	var out []captured
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c := captured{File: filepath.Base(name)}
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out = append(out, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// groupRecords gives every captured value of the coordinator's log.
func groupRecords(t testing.TB) [][]byte {
	t.Helper()
	var out [][]byte
	for _, c := range captures(t) {
		if c.ofGroup() && c.Value != nil {
			out = append(out, c.Value)
		}
	}
	return out
}

// messages gives every captured subscription and assignment.
func messages(t testing.TB) (subscriptions, assignments [][]byte) {
	t.Helper()
	for _, value := range groupRecords(t) {
		g, err := decode.ParseGroupRecord(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range g.Members {
			subscriptions = append(subscriptions, m.Subscription)
			assignments = append(assignments, m.Assignment)
		}
	}
	if len(subscriptions) == 0 {
		t.Fatal("no members in any capture")
	}
	return subscriptions, assignments
}
