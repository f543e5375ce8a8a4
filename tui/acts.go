package tui

import (
	"regroup/actions"
	"regroup/group"
)

// Acts gives what can be done in a group to what is selected, in the order of the menu, with the reason where it cannot. It
// is called on the screen's own goroutine: it must return at once, and touch nothing.
type Acts func(s *group.State, on actions.Target) []actions.Offer
