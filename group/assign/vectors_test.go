package assign

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// vectors calls f with each recorded question and Connect's own answer to it.
func vectors(t testing.TB, f func(n int, ask, answer json.RawMessage)) {
	t.Helper()
	file, err := os.Open("testdata/vectors.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	n := 0
	for s.Scan() {
		n++
		var v struct{ Ask, Answer json.RawMessage }
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		f(n, v.Ask, v.Answer)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestVectors asks what Connect's own leader was asked, and wants its answers: 200 groups, each a random walk.
func TestVectors(t *testing.T) {
	var l leader
	rounds := 0
	vectors(t, func(n int, ask, want json.RawMessage) {
		got, err := l.answer(ask)
		if err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if d := cmp.Diff(plain(t, want), plain(t, got)); d != "" {
			t.Fatalf("line %d: %s\nConnect (-), we (+):\n%s", n, ask, d)
		}
		rounds++
	})
	if rounds < 1900 {
		t.Fatalf("%d lines: the vectors are not all there", rounds)
	}
}

// plain reads an answer, without the bytes, which the vectors lack.
func plain(t testing.TB, b []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	for _, m := range v {
		if m, ok := m.(map[string]any); ok {
			delete(m, "bytes")
		}
	}
	return v
}
