// Package timeline is the view of what ran where over time.
//
// It owns the window of time. Lanes are drawn by package lanes. It must never know another view.
package timeline
