package tui

import "regroup/group"

// Why names all causes of a round, and what came of them, as the screen words them. prev is the round before, or nil.
func Why(r, prev *group.Round) string { return longWhy(r, prev) }

// RoundCost is what a round cost in unit-seconds, "0" where units were touched and none stood still, "" where it touched none.
func RoundCost(s *group.State, r *group.Round) string {
	c, ok := s.CostSaid(r)
	if !ok {
		return ""
	}
	return costText(c)
}

// UnitSeconds is a cost in unit-seconds: 5.6, 1,234, 30.6k; known within a range 56-71; still growing 56-71+; estimated ~60.
func UnitSeconds(c group.Cost) string { return costText(c) }
