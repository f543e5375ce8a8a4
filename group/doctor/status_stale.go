package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/group"
	"regroup/internal/words"
)

// statusStale: the newest status of a unit is of an older generation than one that another worker wrote before it: a late
// UNASSIGNED of the old owner over the new one's RUNNING (KAFKA-12525).
var statusStale = rule{"status-stale", Info, time.Minute, ofStatuses, func(v *view) []Finding {
	stale := slices.DeleteFunc(slices.Clone(v.stale), func(i int) bool { // see topics-shared
		return slices.ContainsFunc(v.Claims(i), func(c group.Claim) bool { return v.strange(c.WorkerID) })
	})
	if len(stale) == 0 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("the newest status of %s is older than what the group says", words.Count(len(stale), "unit")),
		Why:   "In rounds that follow each other quickly a late word of the old worker lands after the new worker's (KAFKA-12525). REST shows the late one; who holds the unit is what the assignment says.",
		Units: v.unitsOf(stale), Evidence: v.evidence(stale),
		Next: []string{"Believe the assignment; the unit's own view tells both.", "A restart of the unit writes its status anew."},
	}
	for _, i := range stale {
		if claims := v.Claims(i); len(claims) > 0 {
			f.Since = earliest(f.Since, claims[len(claims)-1].At)
		}
	}
	return []Finding{f}
}}
