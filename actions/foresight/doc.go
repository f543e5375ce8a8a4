// Package foresight says what a change will mean for a group: it lets the shadow leader decide the coming rounds on a copy of
// the group, and reckons what they cost; and it compares the rounds that came with those that were foreseen.
//
// It is a function of a [group.State], and must never know how a change is brought about, asked for or shown.
package foresight
