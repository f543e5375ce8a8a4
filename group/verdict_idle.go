package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/internal/words"
)

// idleAfter is how long work may lie in a worker's hands and not run before that is more than a slow start.
const idleAfter = time.Minute

// Idle lists the units that a living worker has held for longer than a slow start takes, and does not run: it never said that it
// started them, or it said that it stopped them and nothing more.
func (s *State) Idle() []int {
	if s.count(UnitStarting)+s.count(UnitStopping) == 0 {
		return nil
	}
	var out []int
	for i := range s.Units {
		u := &s.Units[i]
		if u.State != UnitStarting && u.State != UnitStopping || s.Now.Sub(s.heldSince(u)) < idleAfter {
			continue
		}
		if u.Worker >= 0 && !s.Workers[u.Worker].Gone {
			out = append(out, i)
		}
	}
	return out
}

// heldSince is since when a unit is as it is, at the latest: what was given out before history begins was so then.
func (s *State) heldSince(u *UnitState) time.Time {
	if u.Since.IsZero() && len(s.Rounds) > 0 {
		return s.Rounds[0].RecordedAt
	}
	return u.Since
}

func idle(s *State, r *Round) (Verdict, bool) {
	if r == nil || r.Empty() || r.Error != 0 || r.Delayed > 0 {
		return Verdict{}, false
	}
	at := s.Idle()
	if len(at) == 0 {
		return Verdict{}, false
	}
	first := &s.Units[at[0]]
	since := s.Now
	for _, i := range at {
		since = earlier(since, s.heldSince(&s.Units[i]))
	}
	what, who, does := first.Unit.String(), s.workerName(first.Worker)+" holds", "does"
	if len(at) > 1 {
		what = words.Count(len(at), "unit")
	}
	if slices.ContainsFunc(at, func(i int) bool { return s.Units[i].Worker != first.Worker }) {
		who, does = "Workers hold", "do"
	}
	return Verdict{
		Word: "STUCK", Sentence: fmt.Sprintf("%s %s, and nothing has started %s for %s.", who, what, them(len(at)), clock(s.Now.Sub(since))),
		Short: fmt.Sprintf("%s %s and %s not run %s.", who, what, does, them(len(at))),
	}, true
}

// halted is between two rounds: workers have stopped what they held, because they join again, and the round is not there yet.
func halted(s *State, r *Round) (Verdict, bool) {
	n := s.count(UnitStopping)
	if r == nil || r.Empty() || n == 0 {
		return Verdict{}, false
	}
	return Verdict{
		Word: "REBALANCING", Sentence: fmt.Sprintf("%s stopped by the workers that hold %s; a round that gives %s out has not come yet.", verb(n, "was", "were"), them(n), them(n)),
		Short: fmt.Sprintf("%s stopped; the next round has not come yet.", verb(n, "was", "were")),
	}, true
}
