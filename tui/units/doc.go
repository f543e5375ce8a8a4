// Package units is the list of every unit, and the view of one: its trace, its story, who says what of it.
//
// It must never know another view.
package units
