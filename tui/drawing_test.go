package tui

import (
	"reflect"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// Drawing a view changes the copy that it is given and nothing else: the view that the root has stays as the person left it.
func TestDrawingChangesNothing(t *testing.T) {
	m := modelOf(captureAt(t, "22+2s"), 120, 36, colorprofile.NoTTY)
	m.Update(fleetMsg{scriptFleet()})
	m.openUnit(m.live.Units[0].Unit)
	for id := range newViews() {
		m.show(id)
		press(t, m, "j")
		before := m.views[id].Copied()
		working := m.views[id].Copied()
		s := m.scene()
		s.Panes = working.State()
		working.Draw(s, m.lay.Body)
		if after := m.views[id].Copied(); !reflect.DeepEqual(before.State(), after.State()) {
			t.Errorf("drawing %s changed it:\n%+v\n%+v", id, before.State(), after.State())
		}
		if len(working.State().Drawn) == 0 {
			t.Errorf("%s drew no pane", id)
		}
	}
}

// Bubble Tea asks for a frame before the first message: the terminal's modes are those of every other frame.
func TestFirstFrameHasTheScreen(t *testing.T) {
	m := newModel(Options{Group: "g"})
	m.Init()
	if !m.View().AltScreen {
		t.Error("the first frame is drawn over what the terminal shows")
	}
}
