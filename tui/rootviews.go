package tui

import (
	"regroup/tui/doctor"
	"regroup/tui/events"
	"regroup/tui/fleet"
	"regroup/tui/keys"
	"regroup/tui/live"
	"regroup/tui/matrix"
	"regroup/tui/round"
	"regroup/tui/scene"
	"regroup/tui/timeline"
	"regroup/tui/units"
)

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
