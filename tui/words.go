package tui

import "regroup/group"

// Why names all causes of a round, and what came of them, as the screen words them. prev is the round before, or nil.
func Why(r, prev *group.Round) string { return longWhy(r, prev) }

// UnitSeconds is a cost in unit-seconds: 5.6, 1,234, 30.6k; known within a range 56-71; still growing 56-71+; estimated ~60.
func UnitSeconds(c group.Cost) string { return costText(c) }
