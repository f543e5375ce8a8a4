package tui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/internal/observe"
)

func duration(t *testing.T, d *datadriven.TestData, name string) time.Duration {
	t.Helper()
	var text string
	d.ScanArgs(t, name, &text)
	out, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return out
}

var brokerSources = []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus}

// lostAfter is a capture that was read to its end as if it were live, and then its broker was gone for so long.
func lostAfter(t *testing.T, name string, silent time.Duration) *group.State {
	t.Helper()
	in, err := os.Open(filepath.Join("..", "testdata", "captures", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	facts, err := observe.ReadFacts(in, "")
	if err != nil {
		t.Fatal(err)
	}
	m := group.New(group.Options{Group: facts.Group})
	now, err := facts.Play(observe.Stop{}, m.Apply)
	if err != nil {
		t.Fatal(err)
	}
	lose(m, now.Add(10*time.Second))
	return m.State(now.Add(10*time.Second + silent))
}

// unreachable is a group of which no source has ever told anything.
func unreachable(t *testing.T, d *datadriven.TestData) *group.State {
	t.Helper()
	m := group.New(group.Options{Group: "connect-rig"})
	lose(m, noon)
	return m.State(noon.Add(duration(t, d, "after")))
}

func lose(m *group.Model, at time.Time) {
	for _, src := range brokerSources {
		m.Apply(group.SourceReport{At: at, Source: src, Health: group.HealthUnreachable, Detail: "kafka-1.lab:9092: connection refused"}, at)
	}
}
