// Package tui is the screen: one Bubble Tea model that draws a group.State.
//
// The rooms, each a package that never knows those to its right (docs/UI.md is their guide):
//
//	ui/theme, ui/cell ◀─ ui ◀─ keys, label ◀─ scene ◀─ parts ◀─ lanes
//	  ◀─ live matrix timeline round units doctor events fleet, dialog form compare ◀─ tui
//
// How things flow through the root (the names are files):
//
//	a source ──publish──▶ mailbox ──30 a second──▶ Update (update.go, routed by the message's type)
//	a key ──▶ keys.Table ──▶ handlers.go, or the room in front (infront.go), which asks for things by values (carry.go)
//	what a room asks for beside the screen (scene.Request) ──scene.Reply──▶ the same loop
//	Update ──▶ redraw (model.go) ──▶ draw.go: header.go, band.go, the view, footer.go, and what lies over it
//
// The package must never know a Kafka client, an HTTP client or a file: states come from Options, and what an action does is
// asked of package actions.
package tui
