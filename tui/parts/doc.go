// Package parts is what several views draw: the list of rounds, what comes next, costs, the words of events and of units.
//
// It draws scenes. It must never know a view.
package parts
