package tui

import (
	"strings"

	"regroup/group"
	"regroup/tui/label"
)

// Causes are all causes of a round in a few words each, without what came of them. prev is the round before, or nil.
func Causes(r, prev *group.Round) string { return strings.Join(label.Whys(r, prev), ", ") }
