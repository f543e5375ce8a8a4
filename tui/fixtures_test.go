package tui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/observe/observetest"
	"regroup/tui/scene"
)

var sizes = [][2]int{{0, 0}, {1, 1}, {40, 8}, {59, 40}, {60, 14}, {60, 15}, {80, 24}, {100, 30}, {120, 36}, {200, 60}, {300, 100}}

var captured sync.Map

// captureBytes reads a round's bytes out of the lifecycle capture.
func captureBytes(_ context.Context, name string, r *group.Round) ([]byte, error) {
	file, err := lifecycle()
	if err != nil {
		return nil, err
	}
	raw, err := observe.BytesIn(bytes.NewReader(file), name, r.Partition, r.Offset)
	return raw.Value, err
}

var lifecycle = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile(filepath.Join("..", "testdata", "captures", "lifecycle-4.3.1.jsonl"))
})

// captureAt is the lifecycle capture up to a place in it, as --at names it.
func captureAt(t testing.TB, at string) *group.State {
	t.Helper()
	return fileAt(t, "lifecycle-4.3.1", at)
}

func fileAt(t testing.TB, name, at string) *group.State {
	t.Helper()
	if s, ok := captured.Load(name + at); ok {
		return s.(*group.State)
	}
	s := observetest.File(t, filepath.Join("..", "testdata", "captures", name+".jsonl"), at)
	captured.Store(name+at, s)
	return s
}

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// made is a State with so many workers, connectors and tasks a connector, all running but for a few in every other state.
// name makes names of all kinds.
func made(workers, connectors, tasks int, name func(i int) string) *group.State {
	s := &group.State{Group: name(0), Now: noon, HistoryFrom: noon.Add(-time.Hour), Connectors: connectors, Tasks: connectors * tasks}
	for i := range workers {
		n := name(i)
		s.Workers = append(s.Workers, group.Worker{Leader: i == 0, Member: group.Member{
			ID: n + "-0123", Client: n, Name: n,
			URL: "http://" + n + ":8083/", Worker: int32(i), Kept: i % 7, Started: i % 3, Stopped: i % 2,
		}})
	}
	for c := range connectors {
		for task := -1; task < tasks; task++ {
			i := len(s.Units)
			u := group.UnitState{Unit: group.Unit{Connector: name(c), Task: int32(task)}, State: group.UnitRunning, Since: noon, Worker: i % workers}
			if i%97 < scene.UnitKinds {
				u.State = group.UnitStateKind(i % 97)
			}
			w := &s.Workers[u.Worker]
			w.Holds, w.Held = append(w.Holds, i), w.Held+1
			s.Units = append(s.Units, u)
		}
	}
	for i := range 40 {
		r := &group.Round{
			Seq: i, Generation: int32(i * i * 1000), At: noon.Add(time.Duration(i-40) * time.Minute), Mode: group.ModeCooperative,
			Protocol: "sessioned", Workers: workers, Units: len(s.Units), Kept: len(s.Units) - i, Started: i, Stopped: i % 3, EpisodeSeq: i / 3 * 3,
			Causes: []group.Cause{{Kind: group.CauseWorkerLeft, Name: name(i)}, {Kind: group.CauseTasksChanged, Connector: name(i + 1), Tasks: i}},
		}
		s.Rounds = append(s.Rounds, r)
		s.Events = append(s.Events, group.Event{At: r.At, Source: group.SourceStatus, Text: name(i) + " FAILED", Seq: -1})
	}
	s.At = len(s.Rounds) - 1
	s.Rounds[s.At].Settled = true // a State made by hand has no leader to ask what comes next
	s.Verdict = group.Verdict{Word: "DELAYED", Sentence: name(0) + " left. Its 5 units wait.", Ends: noon.Add(18 * time.Second), Total: 20 * time.Second}
	s.Delay = &group.Delay{Total: 20 * time.Second, Remaining: 18 * time.Second, Ends: noon.Add(18 * time.Second), Units: 5}
	s.Sources = []group.SourceState{{Source: group.SourceLog, Health: group.HealthOK, Heard: noon}, {
		Source: group.SourceStatus,
		Name:   name(0), Health: group.HealthDenied, Detail: name(1),
	}}
	return s
}

// strangeNames are names that a group may have and a screen must bear.
var strangeNames = []string{
	"worker-1", strings.Repeat("long-name-", 50), "日本語のワーカー", "e\u0301t\u0065\u0301-a\u0300\u0301\u0302\u0303\u0304\u0305", "👨‍👩‍👧‍👦-family", "❤️-🇩🇪-👍🏽",
	"\u202Eevil\u202C", "\x1b[31mred\x1b[0m\x1b]0;title\x07", "tab\there\nline\r", "\u200Bzero\u200D", "क्षि", "\xff\xfe\xfd", "",
	"…·×■░", "a b c", "\U000E0041tag",
}

func strangeName(i int) string { return strangeNames[i%len(strangeNames)] }

func plainName(i int) string { return fmt.Sprintf("name-%d", i) }

// storied is a small group folded from records, whose names and traces are of all kinds: units that moved, one that failed, and
// some that wait for a worker that left.
func storied(t testing.TB) *group.State {
	t.Helper()
	m := group.New(group.Options{Group: strangeName(1)})
	at, offset := noon.Add(-time.Minute), int64(0)
	config := func(r decode.ConfigRecord) {
		m.Apply(group.ConfigRecord{At: at, Topic: "configs", Offset: offset, Record: r}, at)
		offset++
	}
	connectors := []string{strangeNames[1], strangeNames[7], strangeNames[8]}
	for _, name := range connectors {
		config(decode.ConfigRecord{Kind: decode.ConfigConnector, Connector: name, Properties: map[string]string{"connector.class": strangeName(6)}})
		config(decode.ConfigRecord{Kind: decode.ConfigCommit, Connector: name, Tasks: 2})
	}
	held := [][]decode.Share{{}, {}, {}}
	for i, name := range connectors {
		held[i] = []decode.Share{{Connector: name, Tasks: []int32{-1, 0, 1}}}
	}
	url := func(w int) string { return fmt.Sprintf("http://%s:%d/", "host", 8000+w) }
	round := func(generation int32, members []int, assigned, revoked [][]decode.Share, delay int32) {
		at = at.Add(5 * time.Second)
		g := &decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: generation, Protocol: decode.ProtocolSessioned, Leader: "m-0", StateAt: at}
		for _, w := range members {
			g.Members = append(g.Members, decode.Member{
				ID: fmt.Sprint("m-", w), Client: strangeNames[w+3], Host: "/" + strangeName(w), SessionTimeout: 10 * time.Second,
				Subscription: decode.AppendSubscription(nil, decode.Subscription{Version: 2, URL: url(w), ConfigOffset: offset, Allocation: &decode.Assignment{
					Version: 2, Leader: "m-0", ConfigOffset: offset, Assigned: held[w],
				}}),
				Assignment: decode.AppendAssignment(nil, decode.Assignment{
					Version: 2, Leader: "m-0", LeaderURL: url(0), ConfigOffset: offset, Assigned: assigned[w], Revoked: revoked[w], DelayMs: delay,
				}),
			})
		}
		m.Apply(group.LogRecord{At: at, Offset: int64(generation), Record: g}, at)
	}
	said := int64(0)
	status := func(w int, connector string, task int32, state, trace string) {
		said++
		r := decode.StatusRecord{Kind: decode.StatusOfUnit, Unit: decode.Unit{Connector: connector, Task: task}, State: state, Trace: trace, WorkerID: fmt.Sprint("host:", 8000+w), Generation: 1}
		m.Apply(group.StatusRecord{At: at, Topic: "status", Offset: said, Record: r}, at)
	}
	none := make([][]decode.Share, 3)
	round(1, []int{0, 1, 2}, none, none, 0)
	for w, name := range connectors {
		for task := int32(-1); task < 2; task++ {
			status(w, name, task, decode.Running, "")
		}
	}
	status(0, connectors[0], 1, decode.Failed, "a.b.C\x1b[31m: "+strangeNames[1]+" "+strings.Repeat("\u202Ewörd ", 40)+"\n\tat "+strings.Repeat("日本語.", 60)+"(X.java:1)\nCaused by: x.Y: \x07bell\n\t... 3 more")
	moved := [][]decode.Share{nil, {{Connector: connectors[1], Tasks: []int32{1}}}, nil}
	round(2, []int{0, 1, 2}, none, moved, 0)
	status(1, connectors[1], 1, decode.Unassigned, "")
	held[1] = []decode.Share{{Connector: connectors[1], Tasks: []int32{-1, 0}}}
	round(3, []int{0, 1, 2}, [][]decode.Share{{{Connector: connectors[1], Tasks: []int32{1}}}, nil, nil}, none, 0)
	status(0, connectors[1], 1, decode.Running, "")
	held[0] = append(held[0], decode.Share{Connector: connectors[1], Tasks: []int32{1}})
	round(4, []int{0, 1}, none, none, 20_000)
	return m.State(at.Add(time.Second))
}

// checkLines holds a frame to its size, by both ways in which terminals count columns.
func checkLines(t *testing.T, what, frame string, w, h int) {
	t.Helper()
	if w == 0 || h == 0 {
		if frame != "" {
			t.Errorf("%s at %dx%d: %q, want nothing", what, w, h, frame)
		}
		return
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Errorf("%s at %dx%d has %d lines", what, w, h, len(lines))
	}
	for i, l := range lines {
		if ansi.StringWidth(l) != w || ansi.StringWidthWc(l) != w {
			t.Errorf("%s at %dx%d: line %d is %d wide, or %d: %q", what, w, h, i, ansi.StringWidth(l), ansi.StringWidthWc(l), l)
		}
		if bad := strings.IndexFunc(ansi.Strip(l), func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 || r >= 0x202A && r <= 0x202E }); bad >= 0 {
			t.Errorf("%s at %dx%d: line %d has a control character: %q", what, w, h, i, l)
		}
	}
}

// seen is what is on the screen, after a test changed the model with its own hands.
func seen(m *model) tea.View {
	m.stale = true
	m.redraw()
	return m.View()
}
