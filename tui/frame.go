package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// FrameOptions say how one frame is drawn.
type FrameOptions struct {
	View          string // "live", "fleet"; "" is live
	Width, Height int
	Theme         theme.Kind   // "" and auto are dark
	Themes        theme.Themes // a person's own
	ASCII         bool
	Profile       colorprofile.Profile // the zero value gives plain text
	Keys          []string             // pressed before the frame is drawn, as "left", "?", "shift+left"
	Location      *time.Location
	Replay        string // names the recording
	Version       string
	Fleet         *observe.Fleet // for the view of that name
	Bytes         BytesFunc
	Acts          Acts
	Context       scene.Context
	Trouble       string // as in Options
	Properties    func(ctx context.Context, group, connector string) ([]actions.Pair, error)
}

// Views are the names that FrameOptions.View knows.
func Views() []string {
	var out []string
	for _, t := range tabs {
		out = append(out, string(t.id))
	}
	return append(out, string(keys.Fleet))
}

// Frame draws one frame: Height lines, each exactly Width columns wide. The same state and options give the same frame.
func Frame(state *group.State, o FrameOptions) (string, error) {
	m, err := frameModel(state, o)
	if err != nil {
		return "", err
	}
	return m.View().Content, nil
}

// FrameSVG draws one frame as a picture, in the colours of a dark or a light terminal.
func FrameSVG(state *group.State, o FrameOptions) (string, error) {
	o.Profile = colorprofile.TrueColor
	m, err := frameModel(state, o)
	if err != nil {
		return "", err
	}
	m.View()
	return m.grid.SVG(m.shownKind()), nil
}

// frameModel is a model that has seen a State, and whose keys have been pressed.
func frameModel(state *group.State, o FrameOptions) (*model, error) {
	m := newModel(Options{Theme: o.Theme, Themes: o.Themes, ASCII: o.ASCII, Location: o.Location, Replay: o.Replay, Version: o.Version, Bytes: o.Bytes, Acts: o.Acts, Properties: o.Properties, Context: o.Context, Trouble: o.Trouble})
	m.host = still{m}
	profile := o.Profile
	if profile == colorprofile.Unknown {
		profile = colorprofile.NoTTY
	}
	m.Update(tea.ColorProfileMsg{Profile: profile})
	m.Update(tea.WindowSizeMsg{Width: o.Width, Height: o.Height})
	if o.Fleet != nil {
		m.Update(fleetMsg{o.Fleet})
	}
	if state != nil {
		m.group = state.Group
		m.Update(stateMsg{state: state})
	}
	id := keys.View(o.View)
	switch {
	case id == "":
		id = keys.Live
	case m.views[id] == nil:
		return nil, fmt.Errorf("view %q is not known: use one of %v", o.View, Views())
	}
	m.show(id)
	m.wantBytes()
	m.redraw()
	for _, key := range o.Keys {
		msg, err := keys.Parse(key)
		if err != nil {
			return nil, err
		}
		m.Update(msg)
	}
	return m, nil
}

// still is the world around a model of one frame: nothing runs, and bytes come at once.
type still struct{ m *model }

func (still) watch(string) int { return 0 }

func (still) list(bool) {}

func (h still) act(_ string, f func(context.Context, func(tea.Msg))) context.CancelFunc {
	f(context.Background(), func(msg tea.Msg) { h.m.Update(msg) })
	return func() {}
}
