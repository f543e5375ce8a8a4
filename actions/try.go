package actions

import (
	"slices"
	"strings"
)

// apart takes the ways that are told beforehand and the rare ones apart.
func apart(ways []way) (common, rare []way) {
	for _, w := range ways {
		if w.rare {
			rare = append(rare, w)
		} else {
			common = append(common, w)
		}
	}
	return common, rare
}

// tryAll are the outcomes of ways, also where the workers' delay is none if that is not known. A way that cannot be gone is left out.
func (b *before) tryAll(ways []way) []Outcome {
	var out []Outcome
	without := *b
	without.noDelay = true
	for _, w := range ways {
		if o, err := b.try(w); err == nil {
			out = append(out, o)
		}
		if b.delaySeen {
			continue
		}
		if o, err := without.try(w); err == nil {
			out = append(out, o)
		}
	}
	return out
}

func (b *before) try(w way) (Outcome, error) {
	first, err := b.play(w, false, 0)
	if err != nil {
		return Outcome{}, err
	}
	eager, err := b.play(w, true, 0)
	if err != nil {
		return Outcome{}, err
	}
	grain := b.tryIDs(w, first)
	b.doubtDelay(first)
	o := Outcome{Name: w.name, Doubts: first.doubts, Grain: grain, Parts: first.marks, State: b.replay(first)}
	o.Rounds, o.Cost = b.foreseen(first, o.State)
	o.Eager, o.EagerCost = b.foreseen(eager, b.replay(eager))
	o.Warnings = append(warnings(o.Rounds), first.warned...)
	return o, nil
}

func (b *before) play(w way, eager bool, variant int) (*stage, error) {
	s := b.stage(eager, variant)
	if err := w.play(s); err != nil {
		return nil, err
	}
	s.settle()
	return s, nil
}

// tryIDs tries other ids where the play needed new ones: the leader's ties are decided by them.
func (b *before) tryIDs(w way, first *stage) Grain {
	if !first.newIDs {
		return InUnits
	}
	units, counts := first.result()
	sameCounts, sameUnits := true, true
	for v := 1; v < uuids; v++ {
		other, err := b.play(w, false, v)
		if err != nil {
			return InUnits
		}
		u, c := other.result()
		sameUnits, sameCounts = sameUnits && u == units, sameCounts && c == counts
	}
	switch {
	case !sameCounts:
		first.doubt("a member id that nobody knows yet decides ties: units, and how many a worker gets, may differ")
		return InRounds
	case !sameUnits:
		first.doubt("a member id that nobody knows yet decides ties: the counts are exact, which units may differ")
		return InCounts
	}
	return InUnits
}

// result is what a play came to, by workers and not by member ids: in units, and in counts.
func (s *stage) result() (units, counts string) {
	var u, c strings.Builder
	for _, a := range s.played {
		var lines, sums []string
		for i, m := range a.req.Members {
			told := a.decision.Assignments[i]
			who := s.identities[m.ID].client + " " + m.URL
			lines = append(lines, who+" + "+list(told.Assigned)+" - "+list(told.Revoked))
			sums = append(sums, who+tally(told.Assigned)+tally(told.Revoked))
		}
		slices.Sort(lines)
		slices.Sort(sums)
		u.WriteString(strings.Join(lines, "\n") + "\n\n")
		c.WriteString(strings.Join(sums, "\n") + "\n\n")
	}
	return u.String(), c.String()
}

// doubtDelay: where a delay is foreseen and none was ever seen, Connect's own default stands for it.
func (b *before) doubtDelay(s *stage) {
	if !b.delaySeen && slices.ContainsFunc(s.played, func(a act) bool {
		return slices.ContainsFunc(a.decision.Assignments, assignmentDelayed)
	}) {
		s.doubt("no delay of this group was seen yet: Connect's default of 5 minutes is assumed, so times may differ")
	}
}
