package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/internal/lab/compare"
	"regroup/tui/ui/cell"
)

// TestCompareScreens drives the screen of a comparison: compare plays one out, at goes to a moment, key presses keys, size gives the
// terminal another size, screen prints what is on it; "|" ends each line.
func TestCompareScreens(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var m *Model
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "compare":
				m = comparing(t, d)
			case "at":
				at, err := time.ParseDuration(d.CmdArgs[0].Key)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				m.pause()
				m.at = at
			case "size":
				var w, h int
				if _, err := fmt.Sscanf(d.CmdArgs[0].Key, "%dx%d", &w, &h); err != nil {
					d.Fatalf(t, "%v", err)
				}
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			case "key":
				for _, arg := range d.CmdArgs {
					if cmd := m.press(arg.Key); cmd != nil && m.busy {
						m.Update(cmd())
						m.pause()
					}
				}
			case "screen":
				return onScreen(t, m)
			default:
				d.Fatalf(t, "no command %q", d.Cmd)
			}
			return ""
		})
	})
}

func comparing(t *testing.T, d *datadriven.TestData) *Model {
	t.Helper()
	o := compare.Options{
		Modes: compare.Modes[:2], Workers: 4, Connectors: 4, Tasks: 40, Delay: 20 * time.Second, Start: 30 * time.Millisecond,
		Stop: 15 * time.Millisecond, Down: 8 * time.Second, Heartbeat: 3 * time.Second, Seed: 1, Exercise: d.CmdArgs[0].Key,
	}
	d.MaybeScanArgs(t, "workers", &o.Workers)
	d.MaybeScanArgs(t, "tasks", &o.Tasks)
	c, err := compare.Play(o)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	m := New(Options{Comparison: c, ASCII: d.HasArg("ascii")})
	m.Update(tea.ColorProfileMsg{Profile: colorprofile.NoTTY})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	return m
}

func onScreen(t *testing.T, m *Model) string {
	t.Helper()
	var b strings.Builder
	m.View()
	lines := strings.Split(m.grid.String(m.theme), "\n")
	if len(lines) != m.h {
		t.Errorf("%d lines on a screen of %d", len(lines), m.h)
	}
	for _, l := range lines {
		if cell.Width(l) != m.w {
			t.Errorf("%d columns on a screen of %d: %s", cell.Width(l), m.w, l)
		}
		b.WriteString(l + "|\n")
	}
	return b.String()
}

// Every size is drawn, from nothing on, at every moment.
func TestCompareAtEverySize(t *testing.T) {
	d := &datadriven.TestData{CmdArgs: []datadriven.CmdArg{{Key: "rolling-restart"}}}
	m := comparing(t, d)
	m.press("o")
	for w := 0; w <= 210; w += 7 {
		for h := 0; h <= 62; h += 3 {
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			for _, at := range []time.Duration{0, 9 * time.Second, m.c.Span} {
				m.at, m.stale = at, true
				if w > 0 && h > 0 {
					onScreen(t, m)
				} else {
					m.View()
				}
			}
		}
	}
}

// Played, both groups come to the end together, at the speed that is set, and stand still there.
func TestComparePlays(t *testing.T) {
	m := comparing(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{{Key: "rolling-restart"}}})
	m.Init()
	at := time.Unix(0, 0)
	for ticks := 0; m.playing; ticks++ {
		before := m.at
		m.Update(beatMsg{m.beat, at})
		at = at.Add(100 * time.Millisecond)
		if m.playing && ticks > 0 && m.at-before != time.Duration(m.speed)*100*time.Millisecond {
			t.Fatalf("%s in a tick at speed %d", m.at-before, m.speed)
		}
		if ticks > 1000 {
			t.Fatal("it never ends")
		}
	}
	if m.at != m.c.Span {
		t.Errorf("it ends at %s of %s", m.at, m.c.Span)
	}
	m.Update(beatMsg{m.beat, at})
	m.press("space")
	if !m.playing || m.at != 0 {
		t.Error("after the end it plays from the beginning again")
	}
	stale := beatMsg{m.beat - 1, at}
	m.Update(stale)
	if m.at != 0 {
		t.Error("a tick of before the pause moves it")
	}
}

// Steps go to the moments of the rounds, there and back.
func TestCompareSteps(t *testing.T) {
	m := comparing(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{{Key: "bounce"}}})
	var there, back []time.Duration
	for range m.turns {
		m.press("right")
		there = append(there, m.at)
	}
	for range m.turns {
		back = append([]time.Duration{m.at}, back...)
		m.press("left")
	}
	if fmt.Sprint(there) != fmt.Sprint(m.turns) || fmt.Sprint(back) != fmt.Sprint(m.turns) || m.at != 0 {
		t.Errorf("there %v, back %v, rounds %v", there, back, m.turns)
	}
}
