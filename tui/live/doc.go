// Package live is the view of what happens now: rounds, workers, the round shown, units and events.
//
// It owns which pane has the focus and how far each is scrolled. It must never know another view.
package live
