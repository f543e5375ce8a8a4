package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"regroup/group"
	"regroup/internal/observe"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// TestFramesKeepTheirSize holds every line of every frame to exactly the screen's width, whatever the names.
func TestFramesKeepTheirSize(t *testing.T) {
	states := map[string]*group.State{
		"nothing":  nil,
		"empty":    {Group: "g", Now: noon, At: -1},
		"strange":  made(6, 5, 4, strangeName),
		"storied":  storied(t),
		"one":      made(1, 1, 0, strangeName),
		"many":     made(120, 40, 30, plainName),
		"22":       captureAt(t, "22"),
		"20 + 2 s": captureAt(t, "20+2s"),
		"the end":  captureAt(t, ""),
	}
	keys := [][]string{
		nil,
		{"?"},
		{"e", "left", "left"},
		{"tab", "tab", "/", "é", "👍", "enter"},
		{"!", "tab", "down", "G"},
		{"shift+left", "?"},
		{"2"},
		{"2", "z", "right", "down", "tab", "enter"},
		{"4"},
		{"4", "z", "b", "w", "w", ",", ","},
		{"5", "s", "down", "enter", "tab", "down"},
		{"5", "/", "a", "enter", "esc"},
		{"6", "down", "tab", "down", "z"},
		{"6", "enter", "esc", "esc"},
		{"7", "s", "down", "enter"},
		{"7", "/", "R", "enter"},
	}
	options := []FrameOptions{{}, {ASCII: true}, {Profile: colorprofile.TrueColor}, {Profile: colorprofile.ANSI, Theme: theme.Light}}
	turn := 0
	for name, s := range states {
		for _, size := range sizes {
			for _, pressed := range keys {
				turn++ // by turns: 9 states, 11 sizes and 16 scripts meet each of the 4 options often enough
				o := options[turn%len(options)]
				o.Width, o.Height, o.Keys, o.Location, o.Bytes = size[0], size[1], pressed, time.UTC, captureBytes
				frame, err := Frame(s, o)
				if err != nil {
					t.Fatal(err)
				}
				checkLines(t, fmt.Sprint(name, pressed), frame, size[0], size[1])
				if o.ASCII && strings.ContainsFunc(frame, func(r rune) bool { return r >= 0x80 }) {
					t.Errorf("%s %v at %v is not ASCII", name, pressed, size)
				}
			}
		}
	}
}

// TestEverySizeIsDrawn steps through every width and height around the borders of the layouts, in each view by turns.
func TestEverySizeIsDrawn(t *testing.T) {
	states := []*group.State{made(9, 4, 5, strangeName), captureAt(t, "29+2s"), storied(t)}
	opened := [][]string{nil, {"5", "enter"}, {"5", "enter", "tab"}}
	turn := 0
	for w := range 210 {
		for _, h := range []int{1, 14 + w%3, 20 + w%20} {
			turn++
			for _, s := range states {
				o := FrameOptions{Width: w, Height: h, Location: time.UTC, View: string(tabs[turn%len(tabs)].id), Bytes: captureBytes, Keys: opened[turn/7%3]}
				frame, err := Frame(s, o)
				if err != nil {
					t.Fatal(err)
				}
				checkLines(t, o.View, frame, w, h)
			}
		}
	}
}

// TestTheSameStateGivesTheSameFrame, in every theme.
func TestTheSameStateGivesTheSameFrame(t *testing.T) {
	for _, kind := range theme.Kinds {
		o := FrameOptions{Width: 120, Height: 36, Theme: kind, Profile: colorprofile.TrueColor, Location: time.UTC}
		a, _ := Frame(captureAt(t, "22+2s"), o)
		b, _ := Frame(captureAt(t, "22+2s"), o)
		if a != b || a == "" {
			t.Errorf("%s: two frames of one state differ, or are empty", kind)
		}
	}
}

func TestFrameRefusesWhatItDoesNotKnow(t *testing.T) {
	if _, err := Frame(nil, FrameOptions{View: "matrx", Width: 80, Height: 24}); err == nil || !strings.Contains(err.Error(), "live") {
		t.Errorf("an unknown view gives %v; want the names of those there are", err)
	}
	if _, err := Frame(nil, FrameOptions{Keys: []string{"hyper+q"}, Width: 80, Height: 24}); err == nil {
		t.Error("an unknown key must be refused")
	}
}

// TestFleetFrames draws the list of groups at every size.
func TestFleetFrames(t *testing.T) {
	for _, size := range sizes {
		for _, name := range []func(int) string{plainName, strangeName} {
			frame, err := Frame(nil, FrameOptions{View: "fleet", Fleet: madeFleet(30, name), Width: size[0], Height: size[1], Location: time.UTC})
			if err != nil {
				t.Fatal(err)
			}
			checkLines(t, "fleet", frame, size[0], size[1])
		}
	}
}

// Without a broker that answers it is not said that there are no groups.
func TestFleetOfNobody(t *testing.T) {
	f := &observe.Fleet{Now: noon, Brokers: "b:9092", Sources: []group.SourceState{{Source: group.SourceDescribe, Health: group.HealthUnreachable, Detail: "no broker answers at b:9092"}}}
	for health, want := range map[group.Health][2]string{
		group.HealthUnreachable: {"no broker answers at b:9092", "which groups there are is not known"},
		group.HealthOK:          {"Looking for Connect groups.", "no Connect group is running here"},
	} {
		f.Sources[0].Health = health
		frame, err := Frame(nil, FrameOptions{View: "fleet", Fleet: f, Width: 120, Height: 36, Location: time.UTC})
		if err != nil || !strings.Contains(frame, want[0]) || !strings.Contains(frame, want[1]) {
			t.Errorf("%s: %v\n%s", health, err, frame)
		}
	}
}

func madeFleet(n int, name func(int) string) *observe.Fleet {
	f := &observe.Fleet{Now: noon, Brokers: name(1), NotShown: []observe.NotShown{{Group: name(2), Why: "no right to describe this group. It needs Describe on Group."}}}
	for i := range n {
		f.Groups = append(f.Groups, observe.FleetGroup{
			Group: name(i), Generation: int32(i * 300), Workers: i, Connectors: 2 * i, Tasks: 9 * i,
			Mode: group.ModeCooperative, LastRound: noon.Add(-time.Duration(i*i) * time.Minute), Findings: i % 3,
			Verdict: group.Verdict{Word: group.Verdicts()[i%len(group.Verdicts())], Sentence: "11 units wait.", Ends: noon.Add(time.Duration(i%2) * time.Minute)},
			States:  map[group.UnitStateKind]int{group.UnitRunning: 9 * i, group.UnitDelayed: i, group.UnitFailed: i % 2},
		})
	}
	return f
}

// BenchmarkView draws 1,000 workers and 100,000 units at 200×60.
func BenchmarkView(b *testing.B) {
	s := made(1000, 500, 199, plainName)
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
		b.Run("draw/"+profile.String(), func(b *testing.B) { drawAgain(b, modelOf(s, 200, 60, profile), nil) })
	}
	for _, t := range tabs {
		b.Run("draw/"+string(t.id), func(b *testing.B) {
			m := modelOf(s, 200, 60, colorprofile.TrueColor)
			m.show(t.id)
			drawAgain(b, m, nil)
		})
		b.Run("scroll/"+string(t.id), func(b *testing.B) {
			m := modelOf(s, 200, 60, colorprofile.TrueColor)
			m.show(t.id)
			drawAgain(b, m, func(i int) { m.move(i%7 - 2); m.panes().List(scene.PaneColumns).Move(i%5 - 1) })
		})
		b.Run("new state/"+string(t.id), func(b *testing.B) {
			m := modelOf(s, 200, 60, colorprofile.TrueColor)
			m.show(t.id)
			report := m.report()
			drawAgain(b, m, func(int) { // as if the State and its units were others
				m.digest, m.pace, m.views[t.id] = scene.DigestCache{}, scene.PaceMemo{}, newViews()[t.id]
				m.found.tell(s, report)
			})
		})
	}
	b.Run("nothing new", func(b *testing.B) {
		m := modelOf(s, 200, 60, colorprofile.TrueColor)
		b.ReportAllocs()
		for b.Loop() {
			m.View()
		}
	})
}

// drawAgain draws a model again and again, something having changed before each frame.
func drawAgain(b *testing.B, m *model, change func(i int)) {
	b.Helper()
	seen(m)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if change != nil {
			change(i)
		}
		m.stale = true
		seen(m)
	}
}

// A list that the brokers have told nothing of for a while is not shown as what is so, on the smallest screen too.
func TestFleetOfBrokersThatWentAway(t *testing.T) {
	f := madeFleet(3, plainName)
	f.Sources = []group.SourceState{{Source: group.SourceDescribe, Health: group.HealthUnreachable, Detail: "no broker answers at b:9092"}}
	for after, want := range map[time.Duration]bool{5 * time.Second: false, 24 * time.Second: true} {
		f.Sources[0].Heard = f.Now.Add(-after)
		frame, err := Frame(nil, FrameOptions{View: "fleet", Fleet: f, Width: 60, Height: 15, Location: time.UTC})
		said := strings.Contains(frame, "BLIND") && strings.Contains(frame, "The brokers do not answer.") && strings.Contains(frame, "24 s old")
		if err != nil || said != want {
			t.Errorf("after %v: %v\n%s", after, err, frame)
		}
	}
}
