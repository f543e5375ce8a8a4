package actions

import (
	"fmt"
	"strings"

	"regroup/decode"
)

// assumedDelay is Connect's scheduled.rebalance.max.delay.ms, ms.
const assumedDelay = 300_000

func assignmentDelayed(a decode.Assignment) bool { return a.DelayMs > 0 }

// list is what shares hold, sorted, for comparing.
func list(shares []decode.Share) string {
	var b strings.Builder
	for _, u := range decode.SortUnits(decode.Units(shares)) {
		fmt.Fprintf(&b, "%q/%d ", u.Connector, u.Task)
	}
	return b.String()
}

// tally counts instances and tasks.
func tally(shares []decode.Share) string {
	instances, tasks := 0, 0
	for _, u := range decode.Units(shares) {
		if u.IsInstance() {
			instances++
		} else {
			tasks++
		}
	}
	return fmt.Sprintf(" %d,%d", instances, tasks)
}
