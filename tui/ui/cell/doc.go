// Package cell draws styled text into a grid of terminal cells and writes the grid out as lines that are exactly as wide as the
// screen, whatever the text.
//
// Text from outside is cleaned here, at the last moment before it is shown, so no name, trace or address can move a column or
// reach the terminal as a control byte. The package must never know what a group is, nor do any input or output.
package cell
