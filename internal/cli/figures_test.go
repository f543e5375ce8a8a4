package cli

import (
	"bytes"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// evening is three workers' evening: crashes, a freeze, a downgrade, upgrades, outages of the broker.
const evening = "../../testdata/cases/evening-4.3.1.jsonl"

// figureMoments are moments of the evening: in rounds, between them, and after the last one.
var figureMoments = []string{
	"8",      // connectors were created
	"9",      // a crash: its units wait
	"9+9s",   // the same, with half of the delay left
	"11",     // a return: units are released
	"13",     // a worker died and was back before its session was over
	"18+12s", // a frozen worker was put out
	"20",     // and is back: units are reported twice
	"21",     // and settled
	"28",     // a connector was made smaller
	"33",     // units fail
	"34+7s",  // a polite stop
	"44",     // the leader left
	"53",     // a downgrade to eager
	"54",     // an eager round
	"55+30s", // cooperative again
	"62",     // an upgrade: the leader left
	"69",     // a polite stop after the downgrade was cured
	"75",     // the broker was away
	"76+20s", // the leader crashed
	"81",     // the broker was away
	"",       // the end
}

// TestFiguresAgree asks every view and every command for the figures of a moment: where two of them say the same figure, they say
// the same.
func TestFiguresAgree(t *testing.T) {
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
	file, err := filepath.Abs(evening)
	must(t, err)
	seen := map[string]int{} // how often each place told each kind of figure
	for _, at := range figureMoments {
		name := at
		if name == "" {
			name = "end"
		}
		t.Run(name, func(t *testing.T) {
			m := &figures{t: t, file: file, at: at, said: map[string][]figure{}}
			m.ask()
			for _, name := range slices.Sorted(maps.Keys(m.said)) {
				all := m.said[name]
				for _, f := range all {
					seen[f.place+": "+m.kind(name)]++
					if f.value != all[0].value {
						t.Errorf("%s: %s says %q, %s says %q", name, all[0].place, all[0].value, f.place, f.value)
					}
				}
			}
		})
	}
	for _, want := range figuresTold {
		if seen[want] == 0 {
			t.Errorf("%s: no moment tells it", want)
		}
		delete(seen, want)
	}
	for _, more := range slices.Sorted(maps.Keys(seen)) {
		t.Errorf("%s: told, and not in figuresTold", more)
	}
}

// figure is what one place says of one figure.
type figure struct{ place, value string }

// figures are those of a moment, by name.
type figures struct {
	t    *testing.T
	file string
	at   string
	said map[string][]figure

	rounds  []figureRound // as -o json has them
	workers []string      // names, in the order of the group
}

func (m *figures) say(place, name, value string) {
	m.said[name] = append(m.said[name], figure{place, value})
}

func (m *figures) number(place, name string, n int) { m.say(place, name, strconv.Itoa(n)) }

var digits = regexp.MustCompile(`\d+`)

// kind is a figure's name without whose it is: "round kept", "worker tasks".
func (m *figures) kind(name string) string {
	if first, what, ok := strings.Cut(name, ": "); ok {
		return strings.Fields(first)[0] + " " + what
	}
	return name
}

// figuresTold are the figures of every place.
var figuresTold = slices.Concat(
	told("rounds", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round eager",
		"round released", "round unassigned", "round duplicated", "round unit-s", "round why", "round story", "round longest gap", "round workers", "round delay"),
	told("rounds -o json", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round eager",
		"round released", "round unassigned", "round duplicated", "round unit-s", "round story", "round longest gap", "round workers", "round delay", "unit-s of all rounds",
		"unit-s of the hour", "unit-s of the timeline"),
	told("watch", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed",
		"round released", "round unassigned", "round duplicated", "round why", "round delay", "verdict", "sentence", "finding title"),
	told("watch -o json", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round eager",
		"round released", "round unassigned", "round duplicated", "round workers", "round delay", "round unit-s", "round story", "verdict", "sentence", "workers",
		"finding title", "finding evidence"),
	told("describe", "workers", "connectors", "tasks", "verdict", "sentence", "worker connectors", "worker tasks", "worker kept", "worker started", "worker stopped",
		"worker waiting", "units", "units of state", "delay left"),
	told("describe -o json", "workers", "connectors", "tasks", "worker connectors", "worker tasks", "units", "units of state", "delay left", "worker waiting"),
	told("doctor", "finding title", "findings critical", "findings warning", "findings info"),
	told("doctor -o json", "finding title", "finding evidence", "findings critical", "findings warning", "findings info", "findings that count"),
	told("report", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round eager", "round unit-s",
		"round why", "round story", "verdict", "sentence", "workers", "connectors", "tasks", "finding title", "unit-s of all rounds"),
	told("live view", "findings that count", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round eager", "round unit-s",
		"verdict", "sentence", "workers", "connectors", "tasks", "units", "worker connectors", "worker tasks", "worker kept", "worker started", "worker stopped",
		"worker waiting", "delay left"),
	told("round pane", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved"),
	told("events view", "round kept", "round started", "round stopped", "round restarted", "round dropped", "round delayed", "round moved", "round released",
		"round unassigned"),
	told("round view", "findings that count", "verdict", "units"),
	told("units view", "findings that count", "verdict", "units", "units of state"),
	told("matrix view", "findings that count", "verdict", "workers", "connectors", "tasks", "units", "worker connectors", "worker tasks"),
	told("timeline view", "findings that count", "verdict", "unit-s of the timeline"),
	told("doctor view", "findings that count", "verdict", "findings critical", "findings warning", "findings info"),
	told("fleet view", "verdict", "sentence", "workers", "connectors", "tasks", "unit-s of the hour", "findings that count"),
)

func told(place string, kinds ...string) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = place + ": " + k
	}
	return out
}

// run is what a command prints.
func (m *figures) run(args ...string) string {
	m.t.Helper()
	var out, errs bytes.Buffer
	if m.at != "" {
		args = append(args, "--at", m.at)
	}
	if code := Execute(m.t.Context(), args, strings.NewReader(""), &out, &errs); code > 1 {
		m.t.Fatalf("regroup %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// frame is a view of a screen that is wide and high enough for everything.
func (m *figures) frame(view string, keys ...string) []string {
	args := []string{"replay", m.file, "--print", "--size", "300x100", "--view", view}
	if len(keys) > 0 {
		args = append(args, "--keys", strings.Join(keys, ","))
	}
	return strings.Split(m.run(args...), "\n")
}

func (m *figures) ask() {
	m.roundsObjects()
	m.roundsTable()
	m.describeObject()
	m.describeTables()
	m.doctorObject()
	m.doctorText()
	m.watchObjects()
	m.watchLines()
	m.report()
	m.liveView()
	m.eventsView()
	m.unitsView()
	m.matrixView()
	m.timelineView()
	m.smallViews()
	m.fleetView()
}
