package compare

import "time"

// SumAt is what a run had cost by a moment of it: gaps count as far as they had lasted.
func (r *Run) SumAt(at time.Duration) Sum {
	if at >= r.Sum.Settled {
		return r.Sum
	}
	out := Sum{Settled: notYet}
	for i, round := range r.Rounds() {
		if r.At(i) <= at {
			out.Rounds++
			out.Twice += round.Twice
		}
	}
	now := r.From.Add(at)
	for _, g := range r.Outages {
		if g.From.After(now) {
			continue
		}
		to := g.To
		if to.After(now) {
			to = now
		}
		long := to.Sub(g.From)
		out.Lost += long
		out.Longest = max(out.Longest, long)
	}
	for _, l := range r.stops {
		if l.at <= at {
			out.Stopped += l.n
		}
	}
	for _, l := range r.downs {
		if l.at <= at {
			out.MostDown = max(out.MostDown, l.n)
		}
	}
	return out
}

// notYet stands for when a run settles, while it has not.
const notYet time.Duration = -1

// Latest is the index of the newest of the exercise's rounds at a moment, -1 before the first.
func (r *Run) Latest(at time.Duration) int {
	last := -1
	for i := range r.Rounds() {
		if r.At(i) <= at {
			last = i
		}
	}
	return last
}

// Turns are the moments at which a round comes in any run, in order, each once.
func (c *Comparison) Turns() []time.Duration {
	var out []time.Duration
	for _, r := range c.Runs {
		for i := range r.Rounds() {
			out = append(out, r.At(i))
		}
	}
	return sortedOnce(out)
}

// Done is the newest step of the exercise at a moment, in the run that it comes last in; "" before the first.
func (r *Run) Done(at time.Duration) string {
	out := ""
	for _, s := range r.Steps {
		if s.At <= at {
			out = s.Do
		}
	}
	return out
}
