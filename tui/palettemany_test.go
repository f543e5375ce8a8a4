package tui

import (
	"testing"

	"regroup/tui/ui"

	"github.com/charmbracelet/colorprofile"
)

// However many connectors and units there are, each can be named in the palette.
func TestPaletteReachesTheLastOfMany(t *testing.T) {
	l := newLarge(600, 60_000)
	l.move(1) // time passes: a round waits a while for the config topic
	s := l.model.State(l.now)
	m := modelOf(s, 120, 36, colorprofile.NoTTY)
	last := s.Units[len(s.Units)-1].Unit
	for _, want := range []string{"connector pause " + last.Connector, "unit " + last.String()} {
		m.ui.palette = palette{open: true, typed: ui.NewInput(want)}
		m.offer()
		if o := m.ui.palette.offers[0]; o.line != want || o.rank != 0 {
			t.Errorf("%q: the first offer is %q, rank %d", want, o.line, o.rank)
		}
	}
}
