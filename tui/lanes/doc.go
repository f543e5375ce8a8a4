// Package lanes draws what ran where over time: windows of time, their heads, and a lane a worker or a unit.
//
// The timeline, the pane of the live view, a unit's life and the hour of the fleet are made of it. It must never know a view.
package lanes
