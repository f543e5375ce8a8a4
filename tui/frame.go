package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/actions"
	"regroup/group"
	"regroup/tui/theme"
)

// FrameOptions say how one frame is drawn.
type FrameOptions struct {
	View          string // "live", "fleet"; "" is live
	Width, Height int
	Theme         theme.Kind // "" and auto are dark
	ASCII         bool
	Profile       colorprofile.Profile // the zero value gives plain text
	Keys          []string             // pressed before the frame is drawn, as "left", "?", "shift+left"
	Location      *time.Location
	Replay        string // names the recording
	Version       string
	Fleet         *Fleet // for the view of that name
	Bytes         BytesFunc
	Acts          Acts
	Context       Context
	Trouble       string // as in Options
	Properties    func(ctx context.Context, group, connector string) ([]actions.Pair, error)
}

// Views are the names that FrameOptions.View knows.
func Views() []string {
	var out []string
	for _, t := range tabs {
		out = append(out, string(t.id))
	}
	return append(out, string(viewFleet))
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
	m := newModel(Options{Theme: o.Theme, ASCII: o.ASCII, Location: o.Location, Replay: o.Replay, Version: o.Version, Bytes: o.Bytes, Acts: o.Acts, Properties: o.Properties, Context: o.Context, Trouble: o.Trouble})
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
	id := viewID(o.View)
	switch {
	case id == "":
		id = viewLive
	case !known(id):
		return nil, fmt.Errorf("view %q is not known: use one of %v", o.View, Views())
	}
	m.show(id)
	m.wantBytes()
	m.redraw()
	for _, key := range o.Keys {
		msg, err := parseKey(key)
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

func (h still) read(name string, r *group.Round) {
	b, err := h.m.opt.Bytes(context.Background(), name, r)
	h.m.Update(bytesMsg{round: r, value: b, err: err})
}

// namedKeys are keys that print no text.
var namedKeys = map[string]tea.KeyPressMsg{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
	"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
	"esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "f1": {Code: tea.KeyF1},
	"ctrl+b": {Code: 'b', Mod: tea.ModCtrl}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "delete": {Code: tea.KeyDelete},
	"ctrl+a": {Code: 'a', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+e": {Code: 'e', Mod: tea.ModCtrl},
	"ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl},
	"ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
}

// parseKey reads the name of a key as Bubble Tea prints it.
func parseKey(name string) (tea.KeyPressMsg, error) {
	if k, ok := namedKeys[name]; ok {
		return k, nil
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyPressMsg{Code: r[0], Text: name}, nil
	}
	return tea.KeyPressMsg{}, fmt.Errorf("key %q is not known", name)
}
