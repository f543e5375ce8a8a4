// Package scene is what a frame is drawn from: the State shown, what the person has set of the view, the grid to draw on, and what
// a view must be able to do.
//
// A view gets a Scene and gives back what it drew, where (for the mouse), and actions as values. A Scene must never know a view.
package scene
