package tui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/cockroachdb/datadriven"
)

// resize is a story's "size 80x24".
func resize(t *testing.T, d *datadriven.TestData, m tea.Model) {
	t.Helper()
	var w, h int
	if _, err := fmt.Sscanf(d.CmdArgs[0].Key, "%dx%d", &w, &h); err != nil {
		d.Fatalf(t, "%v", err)
	}
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
}

// pressAll is a story's "key down enter".
func pressAll(t *testing.T, d *datadriven.TestData, m *model) {
	t.Helper()
	for _, arg := range d.CmdArgs {
		press(t, m, arg.Key)
	}
}
