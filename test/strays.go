package test

import (
	"slices"
	"time"
)

// Owned leaves out of runs what a worker ran on though an eager round had given the unit to another one (KAFKA-13816), from when that one
// ran it: the unit's run is its owner's. A round that gives it back makes it the unit's run again.
func Owned(runs []Run, rounds []Round) []Run {
	var out []Run
	for _, r := range runs {
		out = append(out, owned(r, runs, rounds)...)
	}
	slices.SortStableFunc(out, func(a, b Run) int { return a.Start.Low.Compare(b.Start.Low) })
	return out
}

func owned(r Run, runs []Run, rounds []Round) []Run {
	var out []Run
	lost := time.Time{} // when an eager round gave the unit away
	for _, round := range rounds {
		at, err := time.Parse(time.RFC3339, round.At)
		if err != nil || round.Mode == nil || !r.Start.Low.Before(at) || r.Stop != (Moment{}) && !r.Stop.Low.After(at) {
			continue
		}
		member := slices.IndexFunc(round.Workers, func(w RoundWorker) bool { return w.Client == r.Worker })
		if member < 0 {
			continue
		}
		has := slices.Contains(round.Workers[member].Held, r.Unit)
		switch {
		case lost.IsZero() && !has && *round.Mode == "eager":
			lost = at
		case !lost.IsZero() && has:
			if next, ok := nextStart(r, runs, lost); ok && next.High.Before(at) {
				head := r
				head.Stop, head.End = next, Stopped
				out = append(out, head)
				r.Start = Moment{at, at}
			}
			lost = time.Time{}
		}
	}
	if next, ok := nextStart(r, runs, lost); !lost.IsZero() && ok && (r.Stop == (Moment{}) || next.Low.Before(r.Stop.Low)) {
		r.Stop, r.End = next, Stopped
	}
	return append(out, r)
}

// nextStart is the first start of a unit on another worker after a time.
func nextStart(r Run, runs []Run, after time.Time) (Moment, bool) {
	var first Moment
	for _, o := range runs {
		if o.Unit == r.Unit && o.Worker != r.Worker && o.Start.High.After(after) && (first == Moment{} || o.Start.Low.Before(first.Low)) {
			first = o.Start
		}
	}
	return first, first != Moment{}
}
