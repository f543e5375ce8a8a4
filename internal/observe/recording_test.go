package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
)

// TestRecording tells, in testdata/recording, what is read from a file and where `--at` stops.
func TestRecording(t *testing.T) {
	datadriven.RunTest(t, "testdata/recording", func(t *testing.T, d *datadriven.TestData) string {
		var name string
		d.MaybeScanArgs(t, "group", &name)
		facts, err := read(t, d, name)
		if err != nil {
			return "error: " + err.Error()
		}
		switch d.Cmd {
		case "facts":
			return counts(facts)
		case "at":
			var out strings.Builder
			for _, s := range strings.Fields(d.Input) {
				stop, err := ParseStop(s)
				if err != nil {
					fmt.Fprintf(&out, "%s: error: %v\n", s, err)
					continue
				}
				fmt.Fprintf(&out, "%s: %s\n", s, ending(facts, stop))
			}
			return out.String()
		case "reports":
			var out strings.Builder
			_, err := facts.Play(Stop{}, func(f group.Fact, _ time.Time) {
				if f, ok := f.(group.SourceReport); ok {
					fmt.Fprintf(&out, "%s %q: %s %s\n", f.Source, f.Name, f.Health, f.Detail)
				}
			})
			if err != nil {
				return err.Error()
			}
			return out.String()
		}
		d.Fatalf(t, "no such command")
		return ""
	})
}

func read(t *testing.T, d *datadriven.TestData, name string) (*Facts, error) {
	if !d.HasArg("file") {
		return ReadFacts(strings.NewReader(d.Input), name)
	}
	var path string
	d.ScanArgs(t, "file", &path)
	in, err := os.Open("../../testdata/captures/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	return ReadFacts(in, name)
}

func counts(f *Facts) string {
	n := map[string]int{}
	for _, s := range f.All {
		n[strings.TrimPrefix(fmt.Sprintf("%T", s.Fact), "group.")]++
	}
	return fmt.Sprintf("group %s: %v", f.Group, n)
}

// ending is the last record before a stop, how many lines lie before it, and the time.
func ending(f *Facts, stop Stop) string {
	n, now, err := f.cut(stop)
	if err != nil {
		return "error: " + err.Error()
	}
	last := "nothing"
	for _, s := range f.All[:n] {
		if r, ok := s.Fact.(group.LogRecord); ok {
			last = fmt.Sprintf("offset %d", r.Offset)
			if r.Record != nil {
				last += fmt.Sprintf(", generation %d", r.Record.Generation)
			}
			last += r.At.Format(" (15:04:05.000)")
		}
	}
	return fmt.Sprintf("%d facts, the last round at %s, now %s", n, last, now.Format("15:04:05.000"))
}

// TestFactLines: what is not a record comes back from a recording as it was.
func TestFactLines(t *testing.T) {
	at := time.UnixMilli(1795973809062).UTC()
	facts := []group.Fact{
		group.Description{At: at, State: "Stable", Protocol: "sessioned", Coordinator: "b:9092"},
		group.SourceReport{At: at, Source: group.SourceLog, Name: "__consumer_offsets-3", Health: group.HealthDenied, Detail: "no right"},
		group.TopicSettings{At: at, Role: "config", Topic: "c", Partitions: 1, Replication: 3, CleanupPolicy: "compact"},
		group.RESTReport{At: at, URL: "http://w", Latency: time.Second, Statuses: []group.RESTStatus{{Unit: group.Unit{Connector: "a", Task: -1}, State: "RUNNING"}}},
		group.Action{At: at, ID: "1", Verb: "evict", Target: "worker-1"},
	}
	file := `{"recording":1,"group":"g"}` + "\n"
	for _, f := range facts {
		l, err := FactLine(f, at)
		if err != nil {
			t.Fatal(err)
		}
		file += string(l) + "\n"
	}
	got, err := ReadFacts(strings.NewReader(file), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.All) != len(facts) {
		t.Fatalf("%d facts came back, %d were written", len(got.All), len(facts))
	}
	for i, f := range facts {
		if want := fmt.Sprintf("%#v", f); fmt.Sprintf("%#v", got.All[i].Fact) != want {
			t.Errorf("came back as %#v, was %s", got.All[i].Fact, want)
		}
	}
	if l, err := FactLine(group.Progress{}, at); l != nil || err != nil {
		t.Errorf("progress has a line: %s %v", l, err)
	}
}

// TestRecordLines: records written as lines give the facts that they gave.
func TestRecordLines(t *testing.T) {
	for _, name := range []string{"lifecycle-4.3.1", "eager-rolling-4.3.1", "clash-4.3.1"} {
		whole, err := os.ReadFile("../../testdata/captures/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var again strings.Builder
		n := 0
		for l := range strings.Lines(string(whole)) {
			var in line
			if err := json.Unmarshal([]byte(l), &in); err != nil {
				t.Fatal(err)
			}
			raw, err := in.raw()
			if err != nil {
				t.Fatal(err)
			}
			out, err := RecordLine(raw)
			if err != nil {
				t.Fatal(err)
			}
			again.Write(append(out, '\n'))
			n++
		}
		if again.String() != string(whole) {
			t.Errorf("%s: the %d lines do not come back as they were", name, n)
		}
	}
}

// A file of zeros has no lines: that is said of it, by the number of the line.
func TestLineWithoutEnd(t *testing.T) {
	_, err := ReadFacts(io.LimitReader(zeros{}, 2*maxLine), "")
	if err == nil || err.Error() != "line 1: not a line of a recording: longer than 64 MB" {
		t.Error(err)
	}
}

// A recorder that was killed leaves half a line behind: what stands before it is read, and that it breaks off is told.
func TestTornLastLine(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/captures/clash-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	upTo := bytes.Join(lines[:12], nil)
	want, err := Read(bytes.NewReader(upTo), "", Stop{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(io.MultiReader(bytes.NewReader(upTo), bytes.NewReader(lines[12][:20])), "", Stop{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rounds) != len(want.Rounds) || got.SourceOf(group.SourceLog).Detail != "the file breaks off in the middle of line 13" {
		t.Errorf("%d rounds, want %d; %+v", len(got.Rounds), len(want.Rounds), got.SourceOf(group.SourceLog))
	}
	if _, err := Read(io.MultiReader(bytes.NewReader(upTo), bytes.NewReader(lines[12][:20]), bytes.NewReader([]byte("\n"))), "", Stop{}); err == nil {
		t.Error("half a line with an end is taken for one that broke off")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
