package tui

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/words"
	"regroup/tui/dialog"
	"regroup/tui/doctor"
	"regroup/tui/events"
	"regroup/tui/fleet"
	"regroup/tui/form"
	"regroup/tui/keys"
	"regroup/tui/live"
	"regroup/tui/matrix"
	"regroup/tui/round"
	"regroup/tui/scene"
	"regroup/tui/timeline"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
	"regroup/tui/units"
)

// host starts watching a group, and stops watching the one before. It is nil where nothing runs: in a single frame.
type host interface {
	watch(name string) (run int)
	// list begins to watch the list of groups, or ends that.
	list(on bool)
	// act runs f, which may take its time, until it returns or is ended.
	act(what string, f func(ctx context.Context, send func(tea.Msg))) (end context.CancelFunc)
}

// model is the only tea.Model. It is changed by Update alone, on Bubble Tea's goroutine.
type model struct {
	opt  Options
	host host

	kind    theme.Kind
	dark    bool // the terminal's background
	profile colorprofile.Profile
	theme   *theme.Theme
	loc     *time.Location

	lay     scene.Layout
	view    keys.View
	fleet   *observe.Fleet
	listing bool   // the list of groups is watched
	placed  bool   // what the screen begins with has been decided, by a key or by the first list
	group   string // the one that is open
	run     int    // counts the groups that were opened: news of another one is dropped
	live    *group.State

	past       *group.State // the moment stood on; nil: following
	standSeq   int
	standRound *group.Round
	way        *goingTo  // to another moment; nil: one stands
	walking    bool      // a moment is being worked out
	pending    []tea.Cmd // that Update has to hand on
	lastSeen   int       // Seq of the newest round when one began to stand

	keys    []keys.Binding // with the person's own
	environ []string
	probing probing

	ui     *screenState
	views  map[keys.View]scene.View
	digest scene.DigestCache
	detail detailCache
	pace   scene.PaceMemo
	found  findings
	raw    rawBytes
	reads  scene.Request // for raw
	props  scene.Properties
	wants  scene.Request // for props

	acts   int // counts actions
	acting acting
	doing  []dialog.Ongoing
	costs  *dialog.Costs // of the exercise that ended last; nil: none has

	exec func(tea.ExecCommand, tea.ExecCallback) tea.Cmd // gives the terminal to another program

	caption *Caption // of the tour; nil: none plays

	grid  *cell.Grid
	took  atomic.Int64 // nanoseconds that the newest frame took to draw
	stale bool         // something changed since the view was drawn
	drawn tea.View     // the view, as drawn last
}

func newModel(opt Options) *model {
	m := &model{
		opt: opt, kind: opt.Theme, dark: true, profile: colorprofile.TrueColor, loc: opt.Location, view: keys.Live,
		ui: &screenState{}, views: newViews(), grid: cell.New(0, 0, opt.ASCII), stale: true,
	}
	if m.kind == "" {
		m.kind = theme.Auto
	}
	if m.loc == nil {
		m.loc = time.Local
	}
	m.exec = tea.Exec
	m.keys, m.environ = keys.Merge(opt.Keys), opt.Environ
	if m.environ == nil {
		m.environ = os.Environ()
	}
	m.raw.can = opt.Bytes != nil
	m.retheme()
	return m
}

// retheme makes the theme for the kind, the background and what the terminal can show.
func (m *model) retheme() {
	m.theme = m.opt.Themes.New(m.kind, m.dark, m.profile)
	m.stale = true
}

// shownKind is which of the program's themes is in use: auto is dark or light by now.
func (m *model) shownKind() theme.Kind { return m.opt.Themes.Shown(m.kind, m.dark) }

// plainScreen is what is seen, as text.
func (m *model) plainScreen() string {
	return m.grid.String(theme.New(theme.Mono, colorprofile.NoTTY)) + "\n"
}

// Init opens the group, or the fleet. Bubble Tea asks for a frame before its first message.
func (m *model) Init() tea.Cmd {
	defer m.redraw()
	if m.opt.Group != "" || m.opt.Fleet == nil {
		m.open(m.opt.Group)
	} else {
		m.show(keys.Fleet)
	}
	if m.opt.Themes.FollowsBackground(m.kind) {
		return tea.Batch(tea.RequestBackgroundColor, m.probe())
	}
	return m.probe()
}

func (m *model) hasFleet() bool { return m.opt.Fleet != nil || m.fleet != nil }

// panes are those of the view that is open.
func (m *model) panes() *scene.Panes { return m.views[m.view].State() }

// groups are those of the fleet, as its list shows them.
func (m *model) groups() []*observe.FleetGroup {
	return m.views[keys.Fleet].(*fleet.View).Groups(m.fleet)
}

// open begins to watch a group, unless it is watched already.
func (m *model) open(name string) {
	if name == m.group && (m.live != nil || m.run > 0) {
		return
	}
	m.closeDialog()
	m.closeForm()
	m.group, m.live = name, nil
	m.follow()
	m.ui, m.views = &screenState{}, newViews()
	m.reads.Drop()
	m.raw = rawBytes{can: m.opt.Bytes != nil}
	if m.host != nil {
		m.run = m.host.watch(name)
	}
}

// show goes to a view and leaves no way back but the number keys. Each view keeps its own focus and filter.
func (m *model) show(v keys.View) {
	m.ui.trail = nil
	m.turnTo(v)
}

// enter goes to a view from which esc leads back.
func (m *model) enter(v keys.View) {
	if v != m.view {
		m.ui.trail = append(m.ui.trail, m.view)
	}
	m.turnTo(v)
}

func (m *model) turnTo(v keys.View) {
	m.panes().Filter.Typing = false
	if on := v == keys.Fleet; m.host != nil && on != m.listing {
		m.listing = on
		m.host.list(on)
	}
	m.view, m.stale = v, true
}

// View gives what was drawn last: Bubble Tea asks after every message.
func (m *model) View() tea.View { return m.drawn }

// redraw draws what has changed since the last frame, at the end of each Update.
func (m *model) redraw() {
	if !m.stale {
		return
	}
	begun := time.Now()
	m.draw()
	m.stale = false
	m.drawn = m.teaView()
	m.took.Store(int64(time.Since(begun)))
}

// drew is how long the newest frame took to draw. Any goroutine may ask.
func (m *model) drew() time.Duration { return time.Duration(m.took.Load()) }

// teaView is the one place where the terminal's modes are set: a view that forgot one would switch it off.
func (m *model) teaView() tea.View {
	v := tea.NewView(m.grid.String(m.theme))
	v.AltScreen = true
	if m.ui.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = m.windowTitle()
	v.ProgressBar = m.progress()
	return v
}

// windowTitle says the verdict of what is live, wherever one stands.
func (m *model) windowTitle() string {
	if m.view == keys.Fleet || m.live == nil {
		return "regroup"
	}
	v := m.live.Verdict
	title := string(v.Word)
	if v.Likely {
		title += "?"
	}
	if !v.Ends.IsZero() {
		title += " " + words.Countdown(v.Ends.Sub(m.live.Now))
	}
	return ui.Printable(title + " " + m.live.Group)
}

// progress is the terminal's own progress bar while a delay runs.
func (m *model) progress() *tea.ProgressBar {
	if m.view == keys.Fleet || m.live == nil || m.live.Delay == nil || m.live.Delay.Total <= 0 {
		return nil
	}
	d := m.live.Delay
	done := int(100 * (d.Total - d.Remaining) / d.Total)
	return tea.NewProgressBar(tea.ProgressBarDefault, min(max(done, 0), 100))
}

// screenState is what the person at the keyboard has set of the whole screen, whichever view is open.
type screenState struct {
	eager   bool // strips show what eager would have stopped
	help    bool
	page    int // of the help, on a screen that cannot show it whole
	message string
	dialog  *dialog.Dialog // from a on; nil: none is open
	form    *form.Form     // the form that has the screen; nil: none does
	palette palette
	mouse   bool            // clicks are ours
	trail   []keys.View     // from where enter led to the view that is open
	unit    *group.Unit     // the one that is open
	tabs    []scene.TabZone // where tabs were drawn
	pages   int             // of the help as it was drawn
}

// newViews are the views as the program begins with them.
func newViews() map[keys.View]scene.View {
	return map[keys.View]scene.View{
		keys.Live: live.New(), keys.Matrix: matrix.New(), keys.Timeline: timeline.New(), keys.Round: round.New(),
		keys.Units: units.NewList(), keys.Unit: units.NewUnit(), keys.Doctor: doctor.New(), keys.Events: events.New(), keys.Fleet: fleet.New(),
	}
}

// tab is a view that a number key opens.
type tab struct {
	key string
	id  keys.View
}

// tabs are the views of a group, in the order of the header.
var tabs = []tab{{"1", keys.Live}, {"2", keys.Matrix}, {"3", keys.Timeline}, {"4", keys.Round}, {"5", keys.Units}, {"6", keys.Doctor}, {"7", keys.Events}}

// tabOf is the tab that is lit while a view is open.
func tabOf(id keys.View) keys.View {
	if id == keys.Unit {
		return keys.Units
	}
	return id
}
