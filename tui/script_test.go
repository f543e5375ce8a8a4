package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui/keys"
)

func modelOf(s *group.State, w, h int, profile colorprofile.Profile) *model {
	m := newModel(Options{Location: time.UTC, Bytes: captureBytes})
	m.host = still{m}
	m.Update(tea.ColorProfileMsg{Profile: profile})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	if s != nil {
		m.group = s.Group
		m.Update(stateMsg{state: s})
	}
	return m
}

// TestScripts drives the model by keys, as testdata/scripts tells:
//
//	state [at=22+2s] [of=clash-4.3.1]
//	                          the lifecycle capture, or another one, up to there becomes the newest State
//	state lost=24s            the whole capture, and since so long no source has answered
//	nothing after=34s         no source has ever answered, for so long
//	fleet [watched]           a list of groups arrives: described alone, or with what happened to them
//	size 120x36               the terminal gets another size
//	key left ? esc            keys are pressed
//	screen [rows=10-20]       what is on the screen; "|" ends each line
//	title                     the window's title, and the progress in percent
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		m := modelOf(nil, 0, 0, colorprofile.NoTTY)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "state":
				at, of := "", "lifecycle-4.3.1"
				d.MaybeScanArgs(t, "at", &at)
				d.MaybeScanArgs(t, "of", &of)
				s := fileAt(t, of, at)
				if d.HasArg("lost") {
					s = lostAfter(t, of, duration(t, d, "lost"))
				}
				m.group = s.Group
				m.Update(stateMsg{state: s})
			case "nothing":
				s := unreachable(t, d)
				m.group = s.Group
				m.Update(stateMsg{state: s})
			case "fleet":
				f := scriptFleet()
				if d.HasArg("watched") {
					f = watchedFleet(t)
				}
				m.Update(fleetMsg{f})
				m.show(keys.Fleet)
			case "size":
				resize(t, d, m)
			case "key":
				pressAll(t, d, m)
			case "screen":
				return screen(t, d, m)
			case "title":
				v := seen(m)
				if v.ProgressBar == nil {
					return v.WindowTitle + "\n"
				}
				return fmt.Sprintf("%s\n%d %%\n", v.WindowTitle, v.ProgressBar.Value)
			default:
				d.Fatalf(t, "no such command")
			}
			return ""
		})
	})
}

func screen(t *testing.T, d *datadriven.TestData, m *model) string {
	t.Helper()
	lines := strings.Split(seen(m).Content, "\n")
	rows := ""
	if d.MaybeScanArgs(t, "rows", &rows); rows != "" {
		var from, to int
		if _, err := fmt.Sscanf(rows, "%d-%d", &from, &to); err != nil {
			d.Fatalf(t, "%v", err)
		}
		lines = lines[from:min(to+1, len(lines))]
	}
	return strings.Join(lines, "|\n") + "|\n"
}

// watchedFleet is the captures' groups at the end of the last of them, one that is described alone, and one that may not be seen.
func watchedFleet(t *testing.T) *observe.Fleet {
	t.Helper()
	f := &observe.Fleet{
		Now: fileAt(t, "clash-4.3.1", "").Now, Brokers: "kafka-1.lab:9092",
		Groups: []observe.FleetGroup{{
			Group: "connect-cdc", Phase: "Stable", Verdict: group.Verdict{Word: "SETTLED", Likely: true}, Mode: group.ModeCooperative, Workers: 11,
			Connectors: 82, Tasks: 310, Generation: -1,
		}},
		NotShown: []observe.NotShown{{Group: "payments-sinks", Why: "no right to describe this group. It needs Describe on Group."}},
	}
	for _, name := range []string{"lifecycle-4.3.1", "eager-rolling-4.3.1", "clash-4.3.1"} {
		s := fileAt(t, name, "")
		r := doctor.Examine(s, doctor.Options{Passed: true})
		f.Groups = append(f.Groups, observe.Watched(s, &r))
	}
	return f
}

// scriptFleet is a fleet of three groups and one that may not be seen.
func scriptFleet() *observe.Fleet {
	now := time.Date(2026, 11, 29, 17, 44, 51, 0, time.UTC)
	return &observe.Fleet{
		Now: now, Brokers: "kafka-1.lab:9092",
		Sources: []group.SourceState{{Source: group.SourceDescribe, Health: group.HealthOK, Heard: now}},
		Groups: []observe.FleetGroup{
			{
				Group: "connect-cdc", Verdict: group.Verdict{Word: "SETTLED"}, Mode: group.ModeCooperative, Workers: 11, Connectors: 82, Tasks: 310,
				Generation: 1207, LastRound: now.Add(-50 * time.Hour), States: map[group.UnitStateKind]int{group.UnitRunning: 392},
			},
			{
				Group: "connect-rig", Mode: group.ModeCooperative, Workers: 2, Connectors: 3, Tasks: 12, Generation: 22, LastRound: now.Add(-2 * time.Second),
				Verdict: group.Verdict{Word: "DELAYED", Sentence: "worker-3 left. Its 5 units wait.", Ends: now.Add(18 * time.Second), Total: 20 * time.Second},
				States:  map[group.UnitStateKind]int{group.UnitRunning: 8, group.UnitFailed: 1, group.UnitDuplicated: 1, group.UnitDelayed: 5}, Findings: 2,
			},
			{
				Group: "mirror-eu", Mode: group.ModeCooperative, Workers: 4, Connectors: 8, Tasks: 48, Generation: 97, LastRound: now.Add(-46 * time.Minute),
				Verdict: group.Verdict{Word: "STUCK", Sentence: "11 units are in nobody's hands and no delay runs. Nothing will start them by itself."},
				States:  map[group.UnitStateKind]int{group.UnitRunning: 45, group.UnitUnassigned: 11}, Findings: 2,
			},
		},
		NotShown: []observe.NotShown{{Group: "payments-sinks", Why: "no right to describe this group. It needs Describe on Group."}, {Why: "41 groups are not Connect groups."}},
	}
}
