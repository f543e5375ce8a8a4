// Package dialog is what lies over the screen from a on until something is done, or left: menus of what can be done, what has to be
// told first, what will happen with the question whether it shall, and the table of what an exercise did and cost.
//
// It knows actions as package actions offers and prepares them, and the root by what it hands in (Around) and by the values that it
// gives back. It must never know the model, another view, or do anything to a group itself.
package dialog
