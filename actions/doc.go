// Package actions does things to a group: evicts, kills, freezes and adds workers, joins as one, runs exercises; and says
// before each what will follow.
//
// # Policy
//
// An [Action] is described first and done later. A [Runner] prepares it: package foresight previews what it means for the
// group, a [Guard] says whether it may be done at all and what has to be asked. [Guard.Consent] turns the answer into a Consent,
// and without one [Actor.Do] does nothing. Actor.Do makes a fact of the action and a line in the [Audit] log, at its beginning
// and at its end. [Runner.Follow] compares what happened with what was foreseen. Screen and command line both go this way and
// know no other.
//
// # What it must never know
//
// How an action is shown or asked for, and anything of the lab: simulated workers are reached through [Reacher], like real
// ones. It never decides what state a group is in; that is package group's.
package actions
