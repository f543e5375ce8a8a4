package group_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"regroup/decode"
	"regroup/group"
)

// TestGoldens compares every round of the captures, as JSON and as text for a person to review, with testdata/golden.
// With -rewrite it writes them. Beside the whole captures stand logs that compaction cut: earlier records of the group are
// gone, and in some the config topic has only the newest record of each key.
func TestGoldens(t *testing.T) {
	for _, g := range []struct {
		name, capture string
		from          int32 // the first generation that is left
		compacted     bool
	}{
		{"lifecycle", "lifecycle", 0, false},
		{"eager-rolling", "eager-rolling", 0, false},
		{"clash", "clash", 0, false},
		{"lifecycle-from-14", "lifecycle", 14, false},
		{"lifecycle-from-18", "lifecycle", 18, false},
		{"lifecycle-from-22", "lifecycle", 22, false},
		{"lifecycle-from-14-compacted", "lifecycle", 14, true},
		{"lifecycle-from-18-compacted", "lifecycle", 18, true},
		{"lifecycle-from-22-compacted", "lifecycle", 22, true},
	} {
		t.Run(g.name, func(t *testing.T) {
			records := from(capture(t, g.capture), g.from)
			if g.compacted {
				records = newestConfig(records)
			}
			s := fold(records)
			checkState(t, s)
			var lines bytes.Buffer
			var text strings.Builder
			out := json.NewEncoder(&lines)
			out.SetEscapeHTML(false)
			for i := range s.Rounds {
				d := s.Detail(i)
				if err := out.Encode(d); err != nil {
					t.Fatal(err)
				}
				text.WriteString(roundText(d))
			}
			golden(t, g.name+".jsonl", lines.Bytes())
			golden(t, g.name+".txt", []byte(text.String()))
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if f := flag.Lookup("rewrite"); f != nil && f.Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: go test -rewrite writes it", err)
	}
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(gotLines), len(wantLines)) {
		if !bytes.Equal(gotLines[i], wantLines[i]) {
			t.Fatalf("%s, line %d:\n got %s\nwant %s", path, i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%s: %d lines, want %d", path, len(gotLines), len(wantLines))
	}
}

// from leaves out the group's records before a generation.
func from(records []rawRecord, generation int32) []rawRecord {
	var out []rawRecord
	for _, r := range records {
		if f, ok := r.fact().(group.LogRecord); ok && f.Record != nil && f.Record.Generation < generation {
			continue
		}
		out = append(out, r)
	}
	return out
}

// newestConfig leaves the config topic as compaction does: the newest record of each key.
func newestConfig(records []rawRecord) []rawRecord {
	newest := map[string]int64{}
	for _, r := range records {
		if strings.HasSuffix(r.Topic, "-configs") {
			newest[string(r.Key)] = r.Offset
		}
	}
	var out []rawRecord
	for _, r := range records {
		if !strings.HasSuffix(r.Topic, "-configs") || newest[string(r.Key)] == r.Offset {
			out = append(out, r)
		}
	}
	return out
}

// TestLifecycleFigures holds the model to the figures that DESIGN.md, section 4, lists for captures/lifecycle.
func TestLifecycleFigures(t *testing.T) {
	records := capture(t, "lifecycle")
	s := fold(records)
	by := map[int32]*group.Round{}
	for _, r := range s.Rounds {
		by[r.Generation] = r
	}
	for _, want := range []struct {
		generation int32
		figure     string
		got        func(*group.Round) int
		n          int
	}{
		{14, "kept", kept, 10},
		{14, "delayed", delayed, 5},
		{15, "started", started, 5},
		{16, "stopped", stopped, 5},
		{16, "released", released, 5},
		{17, "started", started, 5},
		{19, "kept", kept, 15},
		{20, "kept", kept, 7},
		{20, "started", started, 8},
		{20, "stopped", stopped, 0},
		{20, "twice", twice, 8},
		{21, "stopped", stopped, 12},
		{21, "started", started, 15},
		{24, "stopped", stopped, 10},
		{26, "started", started, 2},
		{26, "restarted", restarted, 5},
		{27, "restarted", restarted, 5},
		{30, "stopped", stopped, 5},
		{30, "released", released, 1},
		{33, "stopped", stopped, 4},
		{33, "released", released, 1},
	} {
		r := by[want.generation]
		if r == nil {
			t.Fatalf("no round of generation %d", want.generation)
		}
		if got := want.got(r); got != want.n {
			t.Errorf("generation %d: %d %s, want %d", want.generation, got, want.figure, want.n)
		}
	}
	// The status topic says the same of the downgrade and of the way back: so many units came up in that generation (one of
	// them FAILED at once), and so many that its members had were stopped in the one before.
	for _, want := range []struct {
		generation  int32
		up, stopped int
	}{{20, 8, 0}, {21, 15, 12}} {
		at := slices.Index(s.Rounds, by[want.generation])
		if got := said(records, want.generation, s.Detail(at), decode.Running, decode.Failed); got != want.up {
			t.Errorf("generation %d: %d units came up, want %d", want.generation, got, want.up)
		}
		if got := said(records, want.generation-1, s.Detail(at), decode.Unassigned); got != want.stopped {
			t.Errorf("before generation %d: %d units were stopped, want %d", want.generation, got, want.stopped)
		}
	}
	for _, r := range s.Rounds {
		if r.Mode == group.ModeCooperative && r.Shadow != "same" {
			t.Errorf("generation %d: the shadow leader says %s: %s", r.Generation, r.Shadow, r.ShadowWhy)
		}
	}
}

// said counts what the members of a round wrote to the status topic in a generation.
func said(records []rawRecord, generation int32, d *group.Detail, states ...string) int {
	n := 0
	for _, r := range records {
		f, ok := r.fact().(group.StatusRecord)
		if !ok || f.Record.Kind != decode.StatusOfUnit || f.Record.Generation != generation || !slices.Contains(states, f.Record.State) {
			continue
		}
		if slices.ContainsFunc(d.Members, func(m group.WorkerDetail) bool { return strings.Contains(m.URL, f.Record.WorkerID) }) {
			n++
		}
	}
	return n
}

func kept(r *group.Round) int      { return r.Kept }
func started(r *group.Round) int   { return r.Started }
func stopped(r *group.Round) int   { return r.Stopped }
func restarted(r *group.Round) int { return r.Restarted }
func released(r *group.Round) int  { return r.Released }
func delayed(r *group.Round) int   { return r.Delayed }
func twice(r *group.Round) int     { return r.Twice }
