package tui

import (
	"context"

	"regroup/actions"
	"regroup/group"
)

// Acts gives what can be done in a group to what is selected, in the order of the menu, with the reason where it cannot. It
// is called on the screen's own goroutine: it must return at once, and touch nothing.
type Acts func(s *group.State, on Target) []Offer

// Target is what is selected: one worker, a connector, one unit, or, where it is empty, the group.
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

// Offer is one line of the menu: something that can be done, once what has to be told is told and what has to be asked is
// answered.
type Offer struct {
	Word  string // what it does: "kill", "create a connector"
	About string // what that means, in some words
	Off   string // why it cannot be done; "": it can
	// Probe finds out whether it can be done, where that takes longer than a menu may wait. "": it can. nil: Off says it.
	Probe func(ctx context.Context) (off string)
	// Draft is written on the whole screen, where there is too much to tell for a dialog. nil: there is not.
	Draft  func(ctx context.Context) (*Draft, error)
	Direct bool // the draft is given to an editor at once, and what comes out of it made ready
	// List leads to further lines; then there is nothing to make ready.
	List []Offer
	// Fields are told first.
	Fields []Field
	// Ready makes it ready: nothing is changed by that. given has the values of Fields by their keys.
	Ready func(ctx context.Context, given map[string]string) (*Deed, error)
}

// Field is something that has to be told before it is known what is to be done.
type Field struct {
	Key   string // by which Ready gets it
	Label string
	Value string // what stands there first
	Help  string // in some words
	Need  bool   // it may not stay empty
	// Choices are what is usual: up and down go through them. Others may be typed.
	Choices []string
	// Check says what is wrong with a value; nil or "": nothing.
	Check func(value string) string
}

// Deed is an action made ready, to be agreed to.
type Deed struct {
	Action   actions.Action
	Note     string   // where it is done, for the dialog's corner
	Lines    []string // what is read before what will happen: the difference of a configuration
	Preview  *actions.Preview
	Unseen   string // why there is no Preview
	Question actions.Question
	// Do does it, in the name of somebody who agreed, and typed that where something had to be typed. tell takes what it is
	// doing now.
	Do func(ctx context.Context, typed string, tell func(string)) (answer string, err error)
	// Ends is the word for ending it while it is done: "let the ghost leave". "": it is over soon.
	Ends string
	// Alone: nothing else is to be done from the screen meanwhile.
	Alone bool
	// Foreseen is an exercise's table of costs; it is shown in a Preview's place.
	Foreseen *actions.Report
	// Report is what an exercise did and cost, once Do is over, however it went. nil: it is none.
	Report func() *actions.Report
	// Follow waits for what comes of it and holds that against the preview. nil: nothing comes of it that could be seen.
	Follow func(ctx context.Context) (Came, error)
}

// Came is what came of a deed.
type Came struct {
	Rounds      []*group.Detail
	Outcome     *actions.Outcome // that came; nil: nothing was foreseen
	Differences []actions.Difference
	Failed      []group.Unit // since it was done
	Unsettled   string       // what is missing, where waiting had an end
}
