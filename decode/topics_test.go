package decode_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
)

// A record of a config or status topic is a key and, on the following lines, a value of JSON; "null" in brackets is a
// tombstone.
func TestTopicScripts(t *testing.T) {
	for _, name := range []string{"config", "status"} {
		t.Run(name, func(t *testing.T) {
			datadriven.RunTest(t, "testdata/"+name, func(t *testing.T, d *datadriven.TestData) string {
				t.Helper()
				key, text, _ := strings.Cut(d.Input, "\n")
				value := []byte(text)
				if text == "(null)" {
					value = nil
				}
				switch d.Cmd {
				case "config":
					c, err := decode.ParseConfig([]byte(key), value)
					return configText(c, err)
				case "status":
					s, err := decode.ParseStatus([]byte(key), value)
					return statusText(s, err)
				}
				t.Fatalf("no command %q", d.Cmd)
				return ""
			})
		})
	}
}

var configKinds = map[decode.ConfigKind]string{
	decode.ConfigUnknown: "unknown", decode.ConfigConnector: "connector", decode.ConfigTask: "task",
	decode.ConfigCommit: "commit", decode.ConfigTargetState: "target state", decode.ConfigFencing: "fencing",
	decode.ConfigSessionKey: "session key", decode.ConfigRestart: "restart", decode.ConfigLogger: "logger",
}

func configText(c decode.ConfigRecord, err error) string {
	var p printer
	p.line("%s %q", configKinds[c.Kind], c.Connector)
	switch {
	case err != nil:
		p.line("error: %v", err)
	case c.Deleted:
		p.line("deleted")
	default:
		p.config(c)
	}
	return p.String()
}

func (p *printer) config(c decode.ConfigRecord) {
	switch c.Kind {
	case decode.ConfigTask:
		p.line("task %d", c.Task)
	case decode.ConfigCommit, decode.ConfigFencing:
		p.line("tasks %d", c.Tasks)
	case decode.ConfigTargetState, decode.ConfigLogger:
		p.line("state %q", c.State)
	case decode.ConfigSessionKey:
		p.line("%s, %s", c.Algorithm, c.CreatedAt.Format(time.RFC3339Nano))
	case decode.ConfigRestart:
		p.line("with tasks %t, only failed %t", c.WithTasks, c.OnlyFailed)
	}
	for _, k := range slices.Sorted(maps.Keys(c.Properties)) {
		p.line("%q = %q", k, c.Properties[k])
	}
	for _, k := range c.Nulls {
		p.line("%q is null", k)
	}
}

func statusText(s decode.StatusRecord, err error) string {
	var p printer
	switch s.Kind {
	case decode.StatusUnknown:
		p.line("unknown")
	case decode.StatusOfUnit:
		p.line("unit %q %d", s.Unit.Connector, s.Unit.Task)
	case decode.StatusOfTopics:
		p.line("topic %q of %q", s.Topic, s.Unit.Connector)
	}
	switch {
	case err != nil:
		p.line("error: %v", err)
	case s.Deleted:
		p.line("deleted")
	case s.Kind == decode.StatusOfUnit:
		p.line("state %q, by %q, generation %d, version %q, trace %q", s.State, s.WorkerID, s.Generation, s.Version, s.Trace)
	case s.Kind == decode.StatusOfTopics:
		p.line("task %d", s.Unit.Task)
	}
	return p.String()
}
