package actions

import (
	"context"
	"io"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"

	"regroup/group"
)

// Target is what an action is done to: one worker, a connector, one unit, or, where it is empty, the group.
type Target struct {
	Worker    *group.Worker
	Connector string
	Unit      *group.Unit
}

// String names it, as a title does.
func (t Target) String() string {
	switch {
	case t.Worker != nil:
		return t.Worker.Name
	case t.Unit != nil:
		return t.Unit.String()
	}
	return t.Connector
}

// Offer is one line of a menu: something that can be done, or the reason why it cannot.
type Offer struct {
	Label          string // what it does: "kill", "create a connector"
	About          string // what that means, in some words
	DisabledReason string // why it cannot be done; "": it can
	// Probe finds out whether it can be done, where that takes longer than a menu may wait. "": it can. nil: Off says it.
	Probe func(ctx context.Context) (off string)
	// Form opens a form over the whole screen, where there is too much to tell for a dialog. nil: there is not.
	Form   func(ctx context.Context) (*ConnectorForm, error)
	Direct bool // the form is given to an editor at once, and what comes out of it made ready
	// List leads to further lines; then there is nothing to make ready.
	List []Offer
	// Fields are told first.
	Fields []act.Field
	// Ready makes it ready: nothing is changed by that. given has the values of Fields by their keys.
	Ready func(ctx context.Context, given map[string]string) (*PreparedAction, error)
}

// ConnectorForm is a form over the whole screen: the settings of one thing, checked by a worker while they are written. A
// setting that is left empty is not sent; a nil value is sent as null.
type ConnectorForm struct {
	Title  string // what it is about, as the header says it: "create connector"
	Button string // the button: "Create"
	New    bool   // nothing of it is there yet
	// Values are what stands there first, secrets masked. They are not changed.
	Values         map[string]*string
	Fixed          []string // keys that are told, and cannot be changed here
	Plain          bool     // it is offsets, by partition, and no connector's configuration: nothing has to be named or chosen
	DisabledReason string   // why it can only be looked at; "": it can be sent
	// Plugins are what the connector can be made of. One is chosen first, where Values name none.
	Plugins []Plugin
	// Pause is how long fingers rest before a worker is asked.
	Pause time.Duration
	// To is where it is sent, and how.
	To func(by connect.Endpoint, values map[string]*string) string
	// Inspect asks what is right and wrong with values that need not be complete. Nothing is changed by it.
	Inspect func(ctx context.Context, values map[string]*string) (*connect.Inspection, error)
	// Ready makes the action ready, to be agreed to.
	Ready func(ctx context.Context, values map[string]*string) (*PreparedAction, error)
	// Edit opens the values in an editor. nil: there is none.
	Edit func(values map[string]*string) Editing
	// Load reads values from a file. nil: it cannot.
	Load func(ctx context.Context, path string) (map[string]*string, error)
}

// Plugin is a class that a connector can be made of.
type Plugin struct{ Class, Kind, Version string }

// Editing has the terminal for as long as somebody edits a text.
type Editing interface {
	Run() error
	SetStdin(io.Reader)
	SetStdout(io.Writer)
	SetStderr(io.Writer)
	// Result is what came of it once Run is over; changed is false where everything was left as it was.
	Result() (values map[string]*string, changed bool)
}
