package cli

import (
	"fmt"
	"strconv"
	"strings"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/tui"
)

// happenedText is a round that came of an action.
func happenedText(d *group.Detail) string {
	return fmt.Sprintf("round %s, %s: %s", generation(d.Round), decode.Printable(tui.Why(d.Round, nil)), roundCounts(d.Round))
}

// roundCounts are a round's counts, without those that are 0.
func roundCounts(r *group.Round) string {
	counts := []string{"kept " + strconv.Itoa(r.Kept)}
	for _, c := range []struct {
		what string
		n    int
	}{
		{"started", r.Started},
		{"stopped", r.Stopped},
		{"restarted", r.Restarted},
		{"moved", r.Moved},
		{"delayed", r.Delayed},
		{"released", r.Released},
		{"unassigned", r.Unassigned},
	} {
		if c.n > 0 {
			counts = append(counts, c.what+" "+strconv.Itoa(c.n))
		}
	}
	return strings.Join(counts, ", ")
}

// comparedText says whether it came as foreseen.
func comparedText(o *actions.Outcome, differences []actions.Difference) []string {
	if len(differences) == 0 {
		if o != nil && o.Grain == actions.InCounts {
			return []string{"as foreseen, in counts: which units, a member id decided"}
		}
		if o != nil && o.Grain == actions.InRounds {
			return []string{"as foreseen, as far as it could be: a member id decided who got what"}
		}
		if o != nil && o.Name != "" {
			return []string{"as foreseen: " + decode.Printable(o.Name)}
		}
		return []string{"as foreseen"}
	}
	const most = 12
	out := []string{"not as foreseen:"}
	for i, x := range differences {
		if i == most {
			return append(out, fmt.Sprintf("  and %d more", len(differences)-most))
		}
		out = append(out, "  "+x.String())
	}
	return out
}
