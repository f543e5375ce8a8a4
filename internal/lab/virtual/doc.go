// Package virtual is a Connect group in virtual time: the lab's own coordinator, herder and Connect's assignors, moved by one queue of
// events. Nothing sleeps and nothing runs beside anything else, so hours pass in milliseconds, and the same seed gives the same history.
// What comes out is what an observer of a real group gets: facts.
//
// What its workers do is decided by package internal/lab/herder, as for those of package internal/lab/worker on real connections; a test
// holds the two together. This package must know no clock, no goroutine and no network, and nothing of how its groups are counted or shown.
package virtual
