package dialog

import (
	"context"

	"regroup/actions"
	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// stage is how far somebody is on the way from a to an action.
type stage int

const (
	choosing   stage = iota // a line of the menu
	editing                 // what has to be told
	waiting                 // for what is made ready
	confirming              // to what will happen
	reading                 // the table of costs
)

// Dialog is what lies over the screen.
type Dialog struct {
	Around
	stage  stage
	menus  []*menu // the one that is open, and those that led to it
	direct bool    // a command chose the line: nobody has seen the menu
	fields *fields
	offer  *actions.Offer
	ask    *question
	failed string // why the offer could not be made ready
	wait   scene.Request
}

// Around is what a dialog asks of the screen around it.
type Around struct {
	Run   scene.Runner
	Live  func() *group.State
	Acts  func(*group.State, actions.Target) []actions.Offer
	Doing func() []Ongoing
	Costs func() *Costs // of the exercise that ended last; nil: none has
}

// Ongoing is an action that is being done: one that can be ended before it ends by itself has a line in the menu for that.
type Ongoing struct {
	Number    int
	What      string
	Ends      string // the word for it; "": it is over soon
	Exclusive bool   // nothing else is done meanwhile
	End       context.CancelFunc
}

// On opens the menu of what can be done to a target.
func On(a Around, target actions.Target) *Dialog {
	d := &Dialog{Around: a}
	d.open(d.menuOf(target))
	return d
}

// OnExercises opens the menu of exercises.
func OnExercises(a Around) *Dialog {
	d := &Dialog{Around: a}
	d.open(d.exercises())
	return d
}

// Agreement asks whether something shall be done.
func Agreement(a Around, prepared *actions.PreparedAction) *Dialog {
	return &Dialog{Around: a, stage: confirming, ask: &question{prepared: prepared}}
}

// OnCosts shows what the last exercise did and cost.
func OnCosts(a Around) *Dialog {
	a.Costs().top = 0
	return &Dialog{Around: a, stage: reading}
}

// Drop lets go of what is still being looked at.
func (d *Dialog) Drop() { d.wait.Drop() }

// Place is where keys are pressed.
func (d *Dialog) Place() keys.View {
	switch d.stage {
	case choosing:
		return keys.Menu
	case editing:
		return keys.Fields
	case confirming:
		if d.ask.prepared.Question.Type != "" {
			return keys.Naming
		}
		return keys.Question
	case reading:
		return keys.Costs
	}
	return keys.Waiting
}

// Press takes a key, or what is typed.
func (d *Dialog) Press(what keys.ID, text string) scene.Action {
	if what == keys.DoBack {
		return d.stepBack()
	}
	switch d.stage {
	case choosing:
		return d.pressedInMenu(what)
	case editing:
		d.pressedInFields(what, text)
	case confirming:
		return d.ask.press(what, text)
	case reading:
		return d.Costs().press(what)
	}
	return nil
}

// Paste takes a pasted text where one is typed.
func (d *Dialog) Paste(text string) {
	switch d.stage {
	case editing:
		d.fields.add(text)
	case confirming:
		d.ask.add(text)
	}
}

func (d *Dialog) stepBack() scene.Action {
	d.wait.Drop()
	switch {
	case d.failed != "" && d.fields != nil:
		d.stage, d.failed = editing, ""
	case d.direct:
		return scene.CloseDialog{}
	case d.failed != "" || d.stage == editing:
		d.stage, d.failed, d.fields = choosing, "", nil
	case d.stage == choosing && len(d.menus) > 1:
		d.menus = d.menus[:len(d.menus)-1]
	default:
		return scene.CloseDialog{}
	}
	return nil
}

// makeReady asks for the action.
func (d *Dialog) makeReady(given map[string]string) {
	ready := d.offer.Ready
	d.waitFor(func(ctx context.Context) func() scene.Action {
		prepared, err := ready(ctx, given)
		return func() scene.Action {
			switch {
			case err != nil:
				d.failed = err.Error()
				if d.stage = choosing; d.fields != nil {
					d.stage = editing
				}
			case prepared != nil:
				d.ask, d.stage = &question{prepared: prepared}, confirming
			}
			return nil
		}
	})
}

// openForm asks for the form, which takes the dialog's place.
func (d *Dialog) openForm() {
	ask, direct := d.offer.Form, d.offer.Direct
	d.waitFor(func(ctx context.Context) func() scene.Action {
		form, err := ask(ctx)
		return func() scene.Action {
			if err != nil {
				d.failed, d.stage = err.Error(), choosing
				return nil
			}
			return scene.OpenForm{Form: form, Direct: direct}
		}
	})
}

// waitFor waits for what is made ready beside the screen.
func (d *Dialog) waitFor(made func(context.Context) func() scene.Action) {
	d.stage, d.failed = waiting, ""
	d.wait.Ask(d.Run, d.offer.Label, made)
}

// Draw draws it over what is on the screen.
func (d *Dialog) Draw(s *scene.Scene) {
	s.Restyle(theme.Behind.Plain())
	switch d.stage {
	case choosing:
		d.drawMenu(s)
	case confirming:
		d.ask.draw(s)
	case reading:
		d.Costs().draw(s)
	default:
		d.drawEditing(s)
	}
}
