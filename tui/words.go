package tui

import "regroup/group"

// Why names all causes of a round, and what came of them, as the screen words them. prev is the round before, or nil.
func Why(r, prev *group.Round) string { return longWhy(r, prev) }
