package group

import (
	"slices"
	"time"
)

// StartTimes are how long processes of workers took here from their start until they were in the group.
type StartTimes struct {
	Times
	Seen   int // starts by this program: measured
	Absent int // workers that left and came back as a new process: each start took no longer than that
}

// Known reports whether anything here tells how long a start takes.
func (t StartTimes) Known() bool { return t.Seen+t.Absent > 0 }

// assumedStart is for a group of which nothing is known: a JVM that only reads its plugins takes seconds, one on a busy machine a minute.
var assumedStart = Times{time.Second, time.Minute}

// maxStart bounds what is taken for a start: a worker that was away for longer was not started at once.
const maxStart = 3 * time.Minute

// StartTimes tells them by the rounds in which workers joined: after this program started one, or after the worker had left. An absence
// is no start alone, so twice the shortest one bounds those to come, and a heartbeat, for the others notice a new member within one.
// Before any the range is wide.
func (s *State) StartTimes() StartTimes {
	out := StartTimes{Times: assumedStart}
	if s.past == nil {
		return out
	}
	var took, away []time.Duration
	for _, a := range s.Actions() {
		if a.Answer == "" && (a.Verb == "add" || a.Verb == "start") {
			if d, ok := s.joinedWithin(a.At, maxStart); ok {
				took = append(took, d)
			}
		}
	}
	left := map[int32]time.Time{}
	for i, r := range s.Rounds {
		if i > s.At {
			break
		}
		for _, g := range r.Left {
			left[g.Worker] = r.RecordedAt
			if c, ok := s.Cost(r); ok && c.Crash { // the group noticed when its session was over
				left[g.Worker] = r.RecordedAt.Add(-s.past.session(g.Member))
			}
		}
		if !slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Kind == CauseWorkerReturned }) {
			continue
		}
		d := s.past.detail(i)
		for _, m := range d.Members {
			at, gone := left[m.Worker]
			if delete(left, m.Worker); gone && m.Member.Reported == 0 { // with work in hand it is the same process
				if d := r.RecordedAt.Sub(at); d <= maxStart {
					away = append(away, d)
				}
			}
		}
	}
	out.Seen, out.Absent = len(took), len(away)
	switch {
	case out.Seen > 0:
		out.Times = Times{slices.Min(took) * 2 / 3, slices.Max(took)*3/2 + heartbeat}
	case out.Absent > 0:
		out.Times = Times{min(assumedStart.Low, slices.Min(away)), 2*slices.Min(away) + heartbeat}
	}
	return out
}

// joinedWithin is how long after a moment the first worker joined.
func (s *State) joinedWithin(from time.Time, limit time.Duration) (time.Duration, bool) {
	for i, r := range s.Rounds {
		if i > s.At || r.RecordedAt.After(from.Add(limit)) {
			break
		}
		if r.RecordedAt.After(from) && slices.ContainsFunc(r.Causes, func(c Cause) bool {
			return c.Kind == CauseWorkerJoined || c.Kind == CauseWorkerReturned
		}) {
			return r.RecordedAt.Sub(from), true
		}
	}
	return 0, false
}
