package tui

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

func press(t *testing.T, m *model, names ...string) tea.Cmd {
	t.Helper()
	var cmd tea.Cmd
	for _, name := range names {
		k, err := keys.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		_, cmd = m.Update(k)
		seen(m)
	}
	return cmd
}

// TestAClickSelectsWhatItIsOn: in every list with a cursor, the cursor goes to the line that was clicked.
func TestAClickSelectsWhatItIsOn(t *testing.T) {
	for v, pane := range map[keys.View]scene.PaneID{keys.Live: scene.PaneRounds, keys.Units: scene.PaneUnitList, keys.Events: scene.PaneEventList, keys.Fleet: scene.PaneGroups} {
		m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
		m.Update(fleetMsg{scriptFleet()})
		m.show(v)
		seen(m)
		press(t, m, "m")
		i := slices.IndexFunc(m.panes().Zones, func(z scene.Zone) bool { return z.Pane == pane })
		if i < 0 {
			t.Errorf("%s: nobody knows where %s is", v, pane)
			continue
		}
		z := m.panes().Zones[i]
		row := z.Cursor
		if row < 0 {
			t.Errorf("%s: no cursor is seen", v)
			continue
		}
		line := func(y int) string { return strings.TrimLeft(strings.Split(seen(m).Content, "\n")[y], " ▸┌└│") }
		want := line(row + 2)
		m.Update(tea.MouseClickMsg{X: z.Rect.X + 4, Y: row + 2, Button: tea.MouseLeft})
		seen(m)
		z = m.panes().Zones[i] // a past round may have other workers, and so other places
		if at := z.Cursor; line(at)[:20] != want[:20] {
			t.Errorf("%s: a click on %q selects %q", v, want, line(at))
		}
	}
}

// TestTabsAreClicked, and a second click on a line opens it.
func TestTabsAreClicked(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	seen(m)
	press(t, m, "m")
	for _, want := range tabs {
		at := slices.IndexFunc(m.ui.tabs, func(z scene.TabZone) bool { return z.ID == want.id })
		m.Update(tea.MouseClickMsg{X: m.ui.tabs[at].From + 1, Y: 0, Button: tea.MouseLeft})
		seen(m)
		if m.view != want.id {
			t.Errorf("a click on %s shows %s", want.id, m.view)
		}
	}
	press(t, m, "5")
	z := m.panes().Zones[0]
	m.Update(tea.MouseClickMsg{X: 5, Y: z.Cursor, Button: tea.MouseLeft})
	if m.view != keys.Unit {
		t.Errorf("a click on the line with the cursor shows %s", m.view)
	}
}

// TestTheMouseIsOffUntilAskedFor, because it takes selecting text away.
func TestTheMouseIsOffUntilAskedFor(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	if seen(m).MouseMode != tea.MouseModeNone {
		t.Error("the mouse is on")
	}
	if press(t, m, "m"); seen(m).MouseMode != tea.MouseModeCellMotion {
		t.Error("m does not turn it on")
	}
	if press(t, m, "m"); seen(m).MouseMode != tea.MouseModeNone {
		t.Error("m does not turn it off again")
	}
}

// TestClicksAnywhereBreakNothing, at any size and place, in any view.
func TestClicksAnywhereBreakNothing(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 100, 30, colorprofile.NoTTY)
	press(t, m, "m")
	for _, v := range append(Views(), string(keys.Unit)) {
		for y := -1; y < 32; y += 3 {
			m.show(keys.View(v))
			seen(m)
			m.Update(tea.MouseClickMsg{X: y * 3, Y: y, Button: tea.MouseLeft})
			m.Update(tea.MouseWheelMsg{X: y * 3, Y: y, Button: tea.MouseWheelDown})
			seen(m)
		}
	}
}

// TestASavedTableIsWhatIsSeen, as CSV and as JSON, and a file is never written over.
func TestASavedTableIsWhatIsSeen(t *testing.T) {
	t.Chdir(t.TempDir())
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	for range 2 {
		cmd := press(t, m, "5", "ctrl+s")
		m.Update(cmd())
	}
	if !strings.Contains(m.ui.message, "saved: the units in regroup-connect-rig-units-20261129-174451-2.csv") {
		t.Errorf("the message is %q", m.ui.message)
	}
	file, err := os.Open("regroup-connect-rig-units-20261129-174451.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 16 || strings.Join(rows[1][:4], " ") != "sink-a 0 failed worker-1" {
		t.Errorf("%d rows, %v: %v", len(rows), err, rows)
	}
	m.Update(m.save("units.json")())
	var list []map[string]string
	if text, err := os.ReadFile("units.json"); err != nil || json.Unmarshal(text, &list) != nil || len(list) != 15 {
		t.Errorf("%v, %d units", err, len(list))
	}
	if m.Update(m.save("units.json")()); !strings.Contains(m.ui.message, "units.json: file exists") {
		t.Errorf("a file is written over: %q", m.ui.message)
	}
	if m.save("units.xls"); !strings.Contains(m.ui.message, "needs the ending") {
		t.Errorf("the message is %q", m.ui.message)
	}
	press(t, m, "3")
	m.Update(press(t, m, "ctrl+s")())
	if found, _ := filepath.Glob("*timeline*.svg"); len(found) != 1 {
		t.Errorf("the timeline is not saved as a picture: %q", m.ui.message)
	}
}

// TestEveryViewCanBeSaved, as far as it has anything.
func TestEveryViewCanBeSaved(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	m.Update(fleetMsg{scriptFleet()})
	for _, v := range Views() {
		m.show(keys.View(v))
		seen(m)
		sheet := m.sheet()
		if sheet == nil || len(sheet.Rows) == 0 {
			t.Errorf("%s: nothing to save", v)
			continue
		}
		for _, row := range sheet.Rows {
			if len(row) != len(sheet.Head) {
				t.Errorf("%s: %d values under %d heads", v, len(row), len(sheet.Head))
			}
		}
	}
}

// TestNoFormulaInATable: a name must not become one in a spreadsheet.
func TestNoFormulaInATable(t *testing.T) {
	s := &scene.Sheet{Head: []string{"connector"}, Rows: [][]string{{"=HYPERLINK(1)"}, {"@x"}, {"-5"}, {"-x"}, {"plain"}, {"\x1b[31mred"}}}
	text, err := s.As("csv")
	if want := "connector\n'=HYPERLINK(1)\n'@x\n-5\n'-x\nplain\n"; err != nil || !strings.HasPrefix(string(text), want) || strings.Contains(string(text), "\x1b") {
		t.Errorf("%v %q, want %q first", err, text, want)
	}
}

// TestWhatIsCopied is what the cursor is on.
func TestWhatIsCopied(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	for _, c := range []struct{ keys, begins string }{
		{"1", "round 22 2026-11-29T17:44:49"}, {"5", "sink-a 0"}, {"6", "unit-duplicated: "}, {"7", "2026-11-29T17:44:49"}, {"3", "round 22 "},
	} {
		press(t, m, c.keys)
		if text := m.focused(); !strings.HasPrefix(text, c.begins) {
			t.Errorf("in view %s it is %q, want %q", c.keys, text, c.begins)
		}
		if cmd := press(t, m, "y"); cmd == nil || fmt.Sprint(cmd()) != m.focused() || !strings.HasPrefix(m.ui.message, "copied: ") {
			t.Errorf("y in view %s: %q", c.keys, m.ui.message)
		}
	}
}

// TestOwnKeys take the place of ours, everywhere: the key, the help, the footer.
func TestOwnKeys(t *testing.T) {
	own := map[string][]string{"follow": {"F"}, "round before": {"b"}, "theme": {}}
	if err := keys.Check(own); err != nil {
		t.Fatal(err)
	}
	m := newModel(Options{Location: time.UTC, Keys: own, Environ: []string{}})
	s := captureAt(t, "22+2s")
	m.group = s.Group
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Update(stateMsg{state: s})
	press(t, m, "b", "b")
	if m.at() != len(s.Rounds)-3 {
		t.Errorf("b does not step: %d of %d", m.at(), len(s.Rounds))
	}
	if press(t, m, "f"); m.past == nil {
		t.Error("f still follows")
	}
	if press(t, m, "F"); m.past != nil {
		t.Error("F does not follow")
	}
	kind := m.kind
	if press(t, m, "t"); m.kind != kind {
		t.Error("t still changes the theme")
	}
	if press(t, m, "?"); strings.Contains(seen(m).Content, "theme ") && !strings.Contains(seen(m).Content, "b ") {
		t.Error("the help shows keys that are not so")
	}
}

func TestOwnKeysAreChecked(t *testing.T) {
	for want, own := range map[string]map[string][]string{
		"is nothing a key can do": {"explode": {"x"}},
		"is not known":            {"follow": {"hyper+x"}},
		"is given to":             {"follow": {"x"}, "theme": {"x"}},
		"needs a key":             {"quit": {}},
	} {
		if err := keys.Check(own); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v gives %v, want %q", own, err, want)
		}
	}
	if err := keys.Check(map[string][]string{"zoom in": {"x"}, "bytes": {"x"}}); err != nil {
		t.Errorf("two views may use one key: %v", err)
	}
}

// TestGlyphsTwoColumnsWide are found out by asking, and ASCII is used then.
func TestGlyphsTwoColumnsWide(t *testing.T) {
	for _, c := range []struct {
		name    string
		environ []string
		answer  int // column; -1: none came
		ascii   bool
	}{
		{"narrow", nil, 3, false},
		{"wide", nil, 6, true},
		{"no answer, a plain locale", []string{"LANG=en_US.UTF-8"}, -1, false},
		{"no answer, a CJK locale", []string{"LANG=ja_JP.UTF-8"}, -1, true},
		{"narrow, a CJK locale", []string{"LANG=ja_JP.UTF-8"}, 3, false},
	} {
		m := newModel(Options{Location: time.UTC, Environ: append([]string{"TERM=xterm"}, c.environ...)})
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		m.Update(stateMsg{state: &group.State{Group: "g", Now: noon, At: -1}})
		if m.probe() == nil {
			t.Errorf("%s: nothing is asked", c.name)
		}
		m.Update(probeMsg{})
		if c.answer >= 0 {
			m.Update(tea.CursorPositionMsg{X: c.answer})
		}
		m.Update(probeOverMsg{})
		if m.opt.ASCII != c.ascii || strings.ContainsFunc(seen(m).Content, func(r rune) bool { return r > 0x7F }) == c.ascii {
			t.Errorf("%s: ASCII is %v, want %v", c.name, m.opt.ASCII, c.ascii)
		}
	}
	if m := newModel(Options{ASCII: true}); m.probe() != nil {
		t.Error("it is asked though ASCII is wanted anyway")
	}
}

// TestTheCommandLineActs: an action by its words opens the dialog at the question, and does nothing by itself.
func TestTheCommandLineActs(t *testing.T) {
	var did []string
	m := newModel(Options{Location: time.UTC, Environ: []string{}, Acts: actsOf(act.Guard{}, &did, nil)})
	m.host = still{m}
	s := captureAt(t, "22+2s")
	m.group = s.Group
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Update(stateMsg{state: s})
	typed := func(line string) {
		press(t, m, ":")
		for _, r := range line {
			if r == ' ' {
				press(t, m, "space")
				continue
			}
			press(t, m, string(r))
		}
		press(t, m, "enter")
	}
	if typed("worker kill worker-1"); m.ui.dialog == nil || m.ui.dialog.Place() != keys.Question || len(did) > 0 {
		t.Errorf("the question is not asked: %q", m.ui.message)
	}
	press(t, m, "esc", "esc", "esc")
	if typed("worker kill worker-3"); m.ui.dialog != nil || !strings.Contains(m.ui.message, "no member") {
		t.Errorf("a worker that left can be killed: %q", m.ui.message)
	}
	if typed("connector scale sink-a"); m.ui.dialog == nil || m.ui.dialog.Place() != keys.Fields {
		t.Errorf("the number of tasks is not asked for: %q", m.ui.message)
	}
	if press(t, m, "esc"); m.ui.dialog != nil {
		t.Error("esc opens a menu that nobody had opened")
	}
	press(t, m, "2", "down", "r")
	if m.ui.message != "r is off: nothing of it has failed." {
		t.Errorf("what did not fail can be restarted: %q", m.ui.message)
	}
	press(t, m, "1")
	press(t, m, "left")
	if typed("connector pause sink-a"); !strings.Contains(m.ui.message, "this is a past round") {
		t.Errorf("something can be done in the past: %q", m.ui.message)
	}
}
