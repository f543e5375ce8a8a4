//go:build kafka && unix

package test

import "time"

// What Connect's defaults leave open. A worker is known to live at its last heartbeat, and may die just before its next; that the session of
// one that does not come any more is over is known once the others have come to the join, at their next heartbeats.
const (
	heartbeat = 3 * time.Second
	session   = 10 * time.Second
	delay     = 5 * time.Second // scheduled.rebalance.max.delay.ms of the groups here; the others are defaults
	graceful  = 5 * time.Second
)

// leeways are what the sources leave open of the time for which a unit was down, by how it stopped.
func leeways(outage, lookingOn bool) Leeways {
	switch {
	case outage && lookingOn:
		// regroup knows when the broker answered last. A worker notices at its next heartbeat, waits for another, and acts on it once its
		// thread turns to it.
		seen := Leeway{Below: Anything, Above: 3 * heartbeat}
		return Leeways{Stopped: seen, Cancelled: seen, LastCopy: seen}
	case outage:
		// A status of an outage is dated when the broker is back. That it had gone is in no record.
		unseen := Leeway{Below: Anything, Above: Anything}
		return Leeways{Stopped: unseen, Cancelled: unseen, LastCopy: unseen}
	}
	return Leeways{
		// Its worker says so in the status topic.
		Stopped: {},
		// No status says that it was told to stop, nor that it was given up when its time was over: the rounds before and after do.
		Cancelled: {Below: graceful + heartbeat, Above: heartbeat},
		// Of two copies one may stop without a word: it had been given away.
		LastCopy: {Below: graceful + heartbeat, Above: graceful + heartbeat},
		// The last heartbeat is known to a heartbeat, by the round; the death to another, after the last heartbeat.
		Killed: {Below: 2 * heartbeat, Above: 2 * heartbeat},
		// A worker that is frozen and one that is cut off and works on look alike to the group.
		Suspended: {Below: Anything, Above: 2 * heartbeat},
	}
}
