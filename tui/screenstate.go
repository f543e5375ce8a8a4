package tui

import (
	"regroup/group"
	"regroup/tui/dialog"
	"regroup/tui/form"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

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
