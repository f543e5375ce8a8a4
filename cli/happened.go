package cli

import (
	"fmt"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/tui"
)

// happenedText is a round that came of an action.
func happenedText(d *group.Detail) string {
	line := fmt.Sprintf("round %s, %s: kept %d", generation(d.Round), decode.Printable(tui.Why(d.Round, nil)), d.Round.Kept)
	for _, c := range []struct {
		what string
		n    int
	}{{"started", d.Round.Started}, {"stopped", d.Round.Stopped}, {"restarted", d.Round.Restarted}, {"moved", d.Round.Moved},
		{"delayed", d.Round.Delayed}, {"released", d.Round.Released}, {"unassigned", d.Round.Unassigned}} {
		if c.n > 0 {
			line += fmt.Sprintf(", %s %d", c.what, c.n)
		}
	}
	return line
}

// comparedText says whether it came as foreseen.
func comparedText(o *actions.Outcome, differences []actions.Difference) []string {
	if len(differences) == 0 {
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
