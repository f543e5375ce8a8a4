// Package cli is the command line: one file a command, the global flags, and how a State is printed as text and as JSON.
//
// It knows cobra, exit codes, and which stream is for what: results go to stdout, alone there when they are JSON; everything
// said to a person goes to stderr. It must never decide what a round or a state means (group does), how a source is read
// (observe), or how a screen looks (tui). A command gets all that it needs from one app value; there is no global state.
package cli
