package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui/cell"
)

// toured is a model on which a story plays, which counts what the keys did to it.
func toured(t *testing.T, w, h int) (m *model, did *[]string) {
	t.Helper()
	m, did = modelOf(fileAt(t, "lifecycle-4.3.1", "22+2s"), w, h, colorprofile.NoTTY), &[]string{}
	m.opt.Tour = &Tour{
		Pause: func() { *did = append(*did, "pause") },
		Next:  func() { *did = append(*did, "next") },
	}
	return m, did
}

const longCaption = "A worker joins. Under eager rebalancing everything would stop now. Here the leader takes some units back in one round, and the newcomer gets them in the next."

// TestCaptions shows, in testdata/captions, a caption at several sizes and what its keys do.
func TestCaptions(t *testing.T) {
	m, did := toured(t, 100, 30)
	datadriven.RunTest(t, "testdata/captions", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "caption":
			m.Update(captionMsg{&Caption{Text: strings.TrimSpace(d.Input), Step: 2, Of: 12, Paused: d.HasArg("paused"), Done: d.HasArg("done")}})
		case "size":
			resize(t, d, m)
		case "key":
			*did = nil
			pressAll(t, d, m)
			where := "following"
			if m.past != nil {
				where = "round " + label.Generation(m.shown().Round())
			}
			return strings.Join(append([]string{string(m.view), where}, *did...), ", ") + "\n"
		case "screen":
			return screen(t, d, m)
		default:
			d.Fatalf(t, "no such command")
		}
		return ""
	})
}

// Every view with a caption at every size is a whole screen, and the caption is in it where there is room for a screen.
func TestCaptionsFitEverywhere(t *testing.T) {
	for _, w := range []int{0, 20, 60, 79, 80, 99, 100, 120, 200, 300} {
		for _, h := range []int{0, 1, 14, 15, 16, 24, 36, 60} {
			m, _ := toured(t, w, h)
			m.Update(captionMsg{&Caption{Text: longCaption, Step: 2, Of: 12}})
			for _, view := range append(Views(), string(keys.Unit)) {
				m.show(keys.View(view))
				m.stale = true
				lines := strings.Split(seen(m).Content, "\n")
				if h > 0 && w > 0 && len(lines) != h {
					t.Fatalf("%s at %dx%d: %d lines", view, w, h, len(lines))
				}
				for _, l := range lines {
					if h > 0 && cell.Width(l) != w {
						t.Fatalf("%s at %dx%d: a line is %d wide: %q", view, w, h, cell.Width(l), l)
					}
				}
				whole := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
				if w >= scene.MinWidth && h >= scene.MinHeight && !strings.Contains(whole, "gets them in the next.") {
					t.Fatalf("%s at %dx%d: the caption is not whole:\n%s", view, w, h, strings.Join(lines, "\n"))
				}
			}
		}
	}
}

// A tour that fails ends the program and says why, as a source does.
func TestAFailedTourEndsTheProgram(t *testing.T) {
	opt := newTerminal().options()
	opt.Source = func(ctx context.Context, name string, publish func(*group.State)) error {
		publish(&group.State{Group: name, Now: noon, At: -1})
		<-ctx.Done()
		return nil
	}
	opt.Tour = &Tour{Play: func(context.Context, func(*Caption)) error { panic("the story is broken") }}
	if err := ended(t, started(t, context.Background(), opt)); err == nil || !strings.Contains(err.Error(), "the story is broken") {
		t.Errorf("got %v", err)
	}
}
