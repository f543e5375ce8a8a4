// Package herder is Connect's distributed herder as a state machine: when a worker joins, what it stops first, how its leader decides, what it
// starts and when it rejoins. Next takes the answer to the last Effect and the time, and returns the next Effect; the caller carries it out. Package
// internal/lab/worker does so on real connections, package internal/lab/virtual in virtual time.
//
// It must know no clock, no goroutine and no I/O, and nothing of how a unit runs.
package herder
