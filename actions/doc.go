// Package actions is what can be done to a group, from the screen and the command line alike: what is offered and why something is
// not, forms, and how an action is prepared, done, followed and compared.
//
// # Policy
//
// An [act.Action] is described first and done later. A [Runner] prepares it: package foresight previews what it means for the
// group, an [act.Guard] says whether it may be done at all and what has to be asked. Guard.Consent turns the answer into a Consent,
// and without one [act.Actor.Do] does nothing. Actor.Do makes a fact of the action and a line in the [act.Audit] log, at its beginning
// and at its end. [Runner.Follow] compares what happened with what was foreseen. Screen and command line both go this way and
// know no other.
//
// # Rooms
//
//	act, foresight ◀─ connect, process ◀─ ghost ◀─ exercise ◀─ actions        editor stands beside
//
// # What it must never know
//
// How an action is shown or asked for, and anything of the lab: simulated workers are reached through [process.Reacher], like real
// ones. It never decides what state a group is in; that is package group's.
package actions
