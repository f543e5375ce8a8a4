package cli

import (
	"fmt"
	"strconv"
	"strings"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/tui/label"
)

// roundResultText is a round that came of an action.
func roundResultText(d *group.Detail) string {
	return fmt.Sprintf("round %s, %s: %s", generation(d.Round), decode.Printable(label.LongWhy(d.Round, nil)), roundCounts(d.Round))
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
func comparedText(o *foresight.Outcome, differences []foresight.Difference) []string {
	if len(differences) == 0 {
		if o != nil && o.Precision == foresight.InCounts {
			return []string{"as foreseen, in counts: which units, a member id decided"}
		}
		if o != nil && o.Precision == foresight.InRounds {
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

// failedText says which units failed since something was done, and why the first one did.
func failedText(failed []group.UnitState) []string {
	if len(failed) == 0 {
		return nil
	}
	units := make([]group.Unit, len(failed))
	for i := range failed {
		units[i] = failed[i].Unit
	}
	out := []string{fmt.Sprintf("failed since: %s", decode.Printable(compact(units, nil)))}
	if why := traceLine(failed[0].Trace); why != "" {
		out = append(out, "  "+decode.Printable(why))
	}
	return out
}

// traceLine is what a trace begins with.
func traceLine(trace string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(trace), "\n")
	return strings.TrimSpace(line)
}

// failedObject is a unit that failed since something was done, as JSON.
type failedObject struct {
	Unit group.Unit `json:"unit"`
	Why  string     `json:"why"` // the first line of its trace
}

func failedJSON(failed []group.UnitState) []failedObject {
	var out []failedObject
	for i := range failed {
		out = append(out, failedObject{failed[i].Unit, traceLine(failed[i].Trace)})
	}
	return out
}
