package observe

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// captured are the records of a capture, in their order.
func captured(t testing.TB, name string) (out []Raw) {
	t.Helper()
	in, err := os.Open("../../testdata/captures/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		if !strings.HasPrefix(scan.Text(), `{"topic":`) {
			continue // a recording's header, and what else it saw
		}
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		r, err := l.raw()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
