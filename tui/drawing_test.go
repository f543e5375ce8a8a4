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
		before := m.views[id].copied()
		working := m.views[id].copied()
		s := m.scene()
		s.panes = working.state()
		working.draw(s, m.lay.body)
		if after := m.views[id].copied(); !reflect.DeepEqual(before.state(), after.state()) {
			t.Errorf("drawing %s changed it:\n%+v\n%+v", id, before.state(), after.state())
		}
		if len(working.state().drawn) == 0 {
			t.Errorf("%s drew no pane", id)
		}
	}
}
