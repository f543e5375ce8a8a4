// Package events is the view of everything that was seen, newest first.
//
// It must never know another view.
package events
