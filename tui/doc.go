// Package tui is the screen: one Bubble Tea model that draws a group.State.
//
// How things flow (the names are files):
//
//	a source ──publish──▶ mailbox ──30 a second──▶ Update (update.go, routed by the message's type)
//	a key ─────────────────────────────▶ keys.go: one table ─▶ handlers.go
//	                                                 │
//	View (model.go, cached) ◀─ draw.go ◀─ scene.go: what is shown ◀┘
//	                             ├─ header.go band.go facts.go footer.go
//	                             ├─ one file a view: live.go, fleet.go …, and one a pane of it
//	                             ├─ a form that has the screen: draft.go (draftrows, draftkeys, draftlook, draftdraw, draftside)
//	                             └─ what lies over it: help.go
//
// A view is a plain value that draws a scene into a rectangle. It does no I/O, starts nothing and asks no clock: what time it
// is stands in the State. Colours are tokens of tui/theme; text gets onto the screen through tui/cell alone, which cleans it
// and keeps every line exactly as wide as the screen.
//
// The package must never know a Kafka client, an HTTP client or a file: states come from Options, and what an action does is
// asked of package actions.
package tui
