package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// Downtime is how many units did not run from a moment on, though they should have.
type Downtime struct {
	At      time.Time
	Down    int // stopped, or their worker is dead
	Waiting int // of Down: those that a delay keeps waiting
	Failed  int
}

// Downtimes tells how many units did not run over the whole history up to this moment, oldest first. The last goes on.
func (s *State) Downtimes() []Downtime {
	if s.past == nil || len(s.past.rounds) == 0 {
		return nil
	}
	var steps []Downtime
	add := func(from, to time.Time, ended bool, d Downtime) {
		d.At = from
		steps = append(steps, d)
		if ended {
			steps = append(steps, Downtime{At: to, Down: -d.Down, Waiting: -d.Waiting, Failed: -d.Failed})
		}
	}
	until := map[int32]time.Time{} // of units whose next gap may have begun while this one lasted
	for _, g := range s.gapList() {
		from := later(g.from.low, until[g.unit])
		if !g.began.IsZero() {
			until[g.unit] = g.to
		}
		add(from, g.to, g.ended, Downtime{Down: 1})
		if from, to, ok := s.waited(&g); ok {
			add(from, to, g.ended || to.Before(s.Now), Downtime{Waiting: 1})
		}
	}
	s.failures(add)
	slices.SortStableFunc(steps, func(a, b Downtime) int { return a.At.Compare(b.At) })
	var out []Downtime
	var sum Downtime
	for _, d := range steps {
		sum = Downtime{At: d.At, Down: sum.Down + d.Down, Waiting: sum.Waiting + d.Waiting, Failed: sum.Failed + d.Failed}
		if n := len(out); n > 0 && out[n-1].At.Equal(sum.At) {
			out[n-1] = sum
			continue
		}
		out = append(out, sum)
	}
	return out
}

// waited is the part of a gap in which a delay ran: from the round that set it to the one that ended it.
func (s *State) waited(g *gap) (from, to time.Time, ok bool) {
	i, _ := FindRound(s.Rounds, g.seq)
	if i >= len(s.Rounds) || s.Rounds[i].Seq != g.seq || s.Rounds[i].Delayed == 0 || !g.crash {
		return from, to, false
	}
	from, to = s.Rounds[i].RecordedAt, s.Now
	for _, r := range s.Rounds[i+1:] {
		if r.Delayed == 0 {
			to = earlier(to, r.RecordedAt)
			break
		}
	}
	if g.ended {
		to = earlier(to, g.to)
	}
	return from, to, to.After(from)
}

// failures gives every stretch in which a unit's newest status said FAILED.
func (s *State) failures(add func(from, to time.Time, ended bool, d Downtime)) {
	f := s.past.claimsUpTo(s.Now)
	for _, unit := range s.past.failed {
		var since time.Time
		for _, k := range f.claims(unit) {
			switch failed := k.state == decode.Failed && !k.deleted; {
			case failed && since.IsZero():
				since = k.at
			case !failed && !since.IsZero():
				add(since, k.at, true, Downtime{Failed: 1})
				since = time.Time{}
			}
		}
		if !since.IsZero() {
			add(since, s.Now, false, Downtime{Failed: 1})
		}
	}
}
