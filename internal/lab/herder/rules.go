package herder

import (
	"time"

	"regroup/decode"
)

// stopsFirst is what a worker stops before it joins: all that it was given, when its last join was eager. A cooperative one keeps what
// it runs; so does one whose last join was cooperative and whose next will be eager (KAFKA-13816).
func stopsFirst(protocol string, last *decode.Assignment) []decode.Unit {
	if protocol != decode.ProtocolEager || last == nil || last.Error != decode.NoError {
		return nil
	}
	return decode.Units(last.Assigned)
}

// scheduled is when a worker joins again by itself because of a delay that it was told now; zero: never.
func scheduled(a decode.Assignment, now time.Time) time.Time {
	if a.DelayMs <= 0 {
		return time.Time{}
	}
	return now.Add(time.Duration(a.DelayMs) * time.Millisecond)
}

// due reports whether a scheduled moment has come.
func due(scheduled, now time.Time) bool { return !scheduled.IsZero() && !now.Before(scheduled) }

// startable reports whether a worker may act on an assignment: no error, and it has read the config topic just as far as the leader had.
// One that has read further starts nothing either.
func startable(a decode.Assignment, read int64) bool {
	return a.Error == decode.NoError && read == a.ConfigOffset
}

// acted is an assignment that has been acted on: what was to stop has stopped. nil stays nil.
func acted(a *decode.Assignment) *decode.Assignment {
	if a == nil {
		return nil
	}
	out := *a
	out.Revoked = nil
	return &out
}

// earlier of two moments; a zero one never comes.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Deleted reports whether a unit is configured no more: the leader deletes its status.
func (e DeleteStatuses) Deleted(u decode.Unit) bool {
	tasks, ok := e.Config.Connectors[u.Connector]
	return !ok || !u.IsInstance() && int(u.Task) >= tasks
}

// GivesWay reports whether a status is not written because another worker's is of a later generation.
func GivesWay(state string, generation, others int32) bool {
	return (state == decode.Unassigned || state == decode.Failed) && others > generation
}
