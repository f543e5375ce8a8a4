package coordinator

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"regroup/decode"
)

// Every record that a real broker wrote lists its members in the order of ours.
func TestMembersAreInABrokersOrder(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "captures", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	several := 0
	for _, name := range files {
		for _, r := range groupRecords(t, name) {
			g := newGroup("g", time.Time{})
			var want, got []string
			for _, m := range r.Members {
				g.add(&member{id: m.ID})
				want = append(want, m.ID)
			}
			for _, m := range g.inOrder() {
				got = append(got, m.id)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, generation %d: %v, want %v", filepath.Base(name), r.Generation, got, want)
			}
			if len(want) > 2 {
				several++
			}
		}
	}
	if several < 30 {
		t.Errorf("%d records with three members or more: too few to say anything", several)
	}
}

func groupRecords(t *testing.T, name string) []*decode.GroupRecord {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*decode.GroupRecord
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Topic string
			Value []byte
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Topic != "__consumer_offsets" || line.Value == nil {
			continue
		}
		r, err := decode.ParseGroupRecord(line.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}
