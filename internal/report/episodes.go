package report

import (
	"fmt"
	"slices"

	"regroup/decode"
	"regroup/group"
)

// maxRounds bounds the table: the newest are shown.
const maxRounds = 2000

// episodes are the rounds with what each did and cost, newest episode first, and what all of them cost together.
func episodes(s *group.State, o Options) (out []episode, total string) {
	most := 1
	first := max(0, s.At+1-maxRounds)
	for i := first; i <= s.At; i++ {
		most = max(most, unitsOf(s.Rounds[i]))
	}
	var all group.Cost
	for i := first; i <= s.At; {
		var e episode
		var sum group.Cost
		last := i
		for ; last <= s.At && s.Rounds[last].EpisodeSeq == s.Rounds[i].EpisodeSeq; last++ {
			r := s.Rounds[last]
			var prev *group.Round
			if last > 0 {
				prev = s.Rounds[last-1]
			}
			e.Rounds = append(e.Rounds, rowOf(s, r, prev, o, most))
			if c, ok := s.Cost(r); ok {
				sum, all = sum.Plus(c), all.Plus(c)
			}
		}
		e.Story = decode.Printable(s.Story(last - 1))
		e.Cost = cost(sum, o)
		out = append(out, e)
		i = last
	}
	slices.Reverse(out)
	return out, cost(all, o)
}

func cost(c group.Cost, o Options) string {
	if c.Units == 0 || o.Cost == nil {
		return ""
	}
	return o.Cost(c)
}

func rowOf(s *group.State, r, prev *group.Round, o Options, most int) row {
	k := row{
		Number: number(r), At: r.At.In(o.Location).Format("15:04:05.000"), Kept: r.Kept, Started: r.Started, Stopped: r.Stopped,
		Restarted: r.Restarted, Dropped: r.Dropped, Waiting: r.Delayed, Moved: r.Moved, Eager: r.EagerWouldStop, Lost: r.Unassigned,
		Bad: r.Error != 0 || r.Twice > 0 || r.Unassigned > 0 || r.Dropped > 0,
	}
	if o.Why != nil {
		k.Why = decode.Printable(o.Why(r, prev))
	}
	if c, ok := s.CostSaid(r); ok && o.Cost != nil {
		k.Cost = o.Cost(c)
	}
	parts := r.Parts(prev)
	for _, p := range []struct {
		class, what string
		n           int
	}{
		{"running", "kept", parts.Kept},
		{"restarted", "stopped and started", parts.Restarted},
		{"started", "started", parts.Started},
		{"wrong", "started twice", parts.Twice},
		{"stopped", "stopped", parts.Stopped},
		{"stopped", "dropped", parts.Dropped},
		{"delayed", "wait", parts.Delayed},
		{"lost", "in nobody's hands", parts.Unassigned},
	} {
		if p.n > 0 {
			k.Bar = append(k.Bar, part{p.class, fmt.Sprintf("%.2f", 100*float64(p.n)/float64(most)), fmt.Sprintf("%d %s", p.n, p.what)})
		}
	}
	return k
}

func unitsOf(r *group.Round) int {
	return r.Kept + r.Restarted + r.Started + r.Stopped + r.Dropped + r.Delayed + r.Unassigned
}
