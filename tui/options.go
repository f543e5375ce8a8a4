package tui

import (
	"context"
	"io"
	"time"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// Options say what to show and how. The zero value of each but Source is usable.
type Options struct {
	// Group is opened at once. "" shows the fleet, if there is one.
	Group string
	// Source watches one group and publishes its State: whenever something changed, and at least once a second, for ages and
	// countdowns are told by State.Now. A State must not be changed once it is published. publish never blocks, and only the
	// newest State is kept. Source returns when ctx ends or when there is nothing more to come (nil: what was published last
	// stays on the screen); another error ends the program.
	Source func(ctx context.Context, group string, publish func(*group.State)) error
	// Fleet watches all groups, in the same manner, for as long as the list of them is looked at. nil: there is no list of groups.
	Fleet func(ctx context.Context, publish func(*observe.Fleet)) error

	// Bytes reads a round's bytes when somebody looks at them. It runs in a goroutine of its own, one at a time. nil: the
	// round view says that they cannot be read.
	Bytes BytesFunc

	// Properties reads a connector's configuration when somebody looks at it, secrets masked. nil: it is not shown.
	Properties func(ctx context.Context, group, connector string) ([]actions.Pair, error)

	// Tour plays a story on what is watched. nil: nothing plays.
	Tour *Tour

	// Acts is what can be done from the screen. nil: nothing.
	Acts Acts

	// Context is the one in use: its name stands in the header.
	Context scene.Context
	// Trouble is what keeps something from working for as long as the screen is open, and what to do about it; "": nothing.
	Trouble string

	Theme    theme.Kind     // "" is auto
	Themes   theme.Themes   // a person's own
	ASCII    bool           // draw no glyphs outside ASCII
	Location *time.Location // of the times shown; nil is the local one
	Replay   string         // names the recording that is shown; "" is live
	Version  string         // of the program, for help
	Broker   string         // host:port of one that others can use too, for help; "" is not told

	// Keys are the person's own: what a key does (KeyNames), and its keys as Bubble Tea prints them. CheckKeys says what is
	// wrong with them.
	Keys map[string][]string
	// NoProbe leaves out asking the terminal how wide it draws the glyphs.
	NoProbe bool

	Input   io.Reader // nil: the terminal
	Output  io.Writer // nil: the terminal
	Environ []string  // nil: the process's
}

// Acts gives what can be done in a group to what is selected, in the order of the menu, with the reason where it cannot. It
// is called on the screen's own goroutine: it must return at once, and touch nothing.
type Acts func(s *group.State, on actions.Target) []actions.Offer
