// Package virtual is a Connect group in virtual time: the lab's own coordinator and Connect's assignors, and workers that do what
// the lab's workers do, moved by one queue of events. Nothing sleeps and nothing runs beside anything else, so hours pass in
// milliseconds, and the same seed gives the same history. What comes out is what an observer of a real group gets: facts.
//
// When a worker joins, what it stops first, what it starts and when it comes again is decided by package internal/lab/rules, here as in
// package internal/lab/worker, which does the same on real connections; a test holds the two together. This package must know no clock, no
// goroutine and no network, and nothing of how its groups are counted or shown.
package virtual
