// Package fleet is the view of every Connect group, worst first: what happened to each, and how the last hour was.
//
// It must never know another view.
package fleet
