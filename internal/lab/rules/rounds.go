package rules

import (
	"time"

	"regroup/decode"
)

// MustJoin says whether a worker has to join: somebody or something wants a rebalance, or its last assignment is good for nothing.
func MustJoin(wanted bool, last *decode.Assignment) bool {
	return wanted || last == nil || last.Error != decode.NoError
}

// StopsFirst is what a worker stops before it joins: all that it was given, when its last join was eager. A cooperative one keeps what
// it runs; so does one whose last join was cooperative and whose next will be eager (KAFKA-13816).
func StopsFirst(protocol string, last *decode.Assignment) []decode.Unit {
	if protocol != decode.ProtocolEager || last == nil || last.Error != decode.NoError {
		return nil
	}
	return decode.Units(last.Assigned)
}

// Scheduled is when a worker joins again by itself because of a delay that it was told now; zero: never.
func Scheduled(a decode.Assignment, now time.Time) time.Time {
	if a.DelayMs <= 0 {
		return time.Time{}
	}
	return now.Add(time.Duration(a.DelayMs) * time.Millisecond)
}

// Due says whether a scheduled moment has come.
func Due(scheduled, now time.Time) bool { return !scheduled.IsZero() && !now.Before(scheduled) }

// Startable says whether a worker may act on an assignment: no error, and it has read the config topic just as far as the leader had.
// One that has read further starts nothing either.
func Startable(a decode.Assignment, read int64) bool {
	return a.Error == decode.NoError && read == a.ConfigOffset
}

// Acted is an assignment that has been acted on: what was to stop has stopped. nil stays nil.
func Acted(a *decode.Assignment) *decode.Assignment {
	if a == nil {
		return nil
	}
	out := *a
	out.Revoked = nil
	return &out
}

// Deleted says whether a unit is configured no more, of a connector that has so many tasks, or is none.
func Deleted(u decode.Unit, isConnector bool, tasks int) bool {
	return !isConnector || !u.IsInstance() && int(u.Task) >= tasks
}

// Earlier of two moments; a zero one never comes.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
