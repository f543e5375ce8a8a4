package worker

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/decode"
)

// The connector classes that a simulated worker has. Both make as many tasks as tasks.max says; they move no data.
const (
	SinkClass   = "org.regroup.lab.SimulatedSinkConnector"
	SourceClass = "org.regroup.lab.SimulatedSourceConnector"
	taskSuffix  = "Task"
)

// The properties of theirs that make a story.
const (
	failTasks = "fail.tasks" // numbers of tasks that fail when they start
	startMs   = "start.ms"
	stopMs    = "stop.ms"
)

// plugin is a connector class.
type plugin struct {
	Class, Kind string // kind: sink or source
	keys        []configKey
}

func (w *Worker) plugins() []plugin {
	return []plugin{{SinkClass, "sink", sinkKeys}, {SourceClass, "source", sourceKeys}}
}

// pluginOf finds a class by its name, whole or short, as Connect does.
func (w *Worker) pluginOf(class string) (plugin, bool) {
	for _, p := range w.plugins() {
		short := p.Class[strings.LastIndexByte(p.Class, '.')+1:]
		if class == p.Class || class == short || class == strings.TrimSuffix(short, "Connector") {
			return p, true
		}
	}
	return plugin{}, false
}

// taskConfigs are what a connector gives its tasks: its own properties and the class, as Connect's file connector does.
func taskConfigs(properties map[string]string) []map[string]string {
	n, _ := strconv.Atoi(properties["tasks.max"])
	if properties["tasks.max"] == "" {
		n = 1
	}
	out := make([]map[string]string, max(n, 0))
	for i := range out {
		out[i] = maps.Clone(properties)
		out[i]["task.class"] = strings.TrimSuffix(properties["connector.class"], "Connector") + taskSuffix
	}
	return out
}

// plan is how a unit starts and stops.
type plan struct {
	start, stop time.Duration
	trace       string // why it fails; "" when it does not
	target      string
}

func (s *units) plan(u decode.Unit) plan {
	properties, _, target, _ := s.w.configs.of(u.Connector)
	p := plan{start: s.w.opt.Start, stop: s.w.opt.Stop, target: target, trace: s.w.opt.Fail(u)}
	if ms, err := strconv.Atoi(properties[startMs]); err == nil {
		p.start = time.Duration(ms) * time.Millisecond
	}
	if ms, err := strconv.Atoi(properties[stopMs]); err == nil {
		p.stop = time.Duration(ms) * time.Millisecond
	}
	if p.trace == "" && !u.IsInstance() && slices.Contains(splitList(properties[failTasks]), strconv.Itoa(int(u.Task))) {
		p.trace = "org.apache.kafka.connect.errors.ConnectException: " + u.Connector + " " + strconv.Itoa(int(u.Task)) +
			" is listed in " + failTasks + "\n\tat " + properties["connector.class"] + taskSuffix + ".start(Simulated.java)"
	}
	return p
}

func splitList(s string) []string {
	var out []string
	for _, item := range strings.Split(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}
