package observe

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"regroup/decode"
)

// TestBytesIn holds that every record that a capture's rounds were made of is found again, and is that record.
func TestBytesIn(t *testing.T) {
	path := filepath.Join("..", "..", "testdata", "captures", "lifecycle-4.3.1.jsonl")
	s, err := File(path, "", Stop{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Rounds {
		raw, err := BytesIn(bytes.NewReader(file), s.Group, r.Partition, r.Offset)
		if err != nil {
			t.Fatal(err)
		}
		record, err := decode.ParseGroupRecord(raw.Value)
		if err != nil || record.Generation != r.Generation || len(record.Members) != r.Workers {
			t.Errorf("round %d at offset %d: found generation %d with %d members, %v", r.Generation, r.Offset, record.Generation, len(record.Members), err)
		}
	}
	if _, err := BytesIn(bytes.NewReader(file), s.Group, s.Rounds[0].Partition, 1<<40); err == nil || !strings.Contains(err.Error(), "does not hold it") {
		t.Errorf("an offset that is not there gives %v", err)
	}
	if _, err := BytesIn(strings.NewReader("{"), s.Group, 0, 0); err == nil {
		t.Error("what is no recording must be refused")
	}
}
