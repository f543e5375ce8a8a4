// Package assign decides as a Connect leader does: which units each worker starts and stops in a round, and for how long
// lost work waits. It knows Connect's two assignors (the eager one, and the incremental cooperative one as released in 3.7
// and later), two older ones and the one that KIP-415 proposed, and the orders of Java's collections that decide their ties.
//
// A LeaderState is what a leader remembers between rounds. It is a value that nothing changes: Decide gives a decision and another
// LeaderState, so a preview tries what it likes and throws it away. A Shadow runs along the rounds of a real group and rebuilds the
// LeaderState of its leader, which is on no wire.
//
// It is pure: now is an argument. It must never know a clock, a Kafka client, a goroutine, a screen, or package group.
package assign
