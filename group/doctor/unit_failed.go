package doctor

import (
	"fmt"
	"slices"
	"strings"

	"regroup/decode"
	"regroup/group"
)

// unitFailed: its holder says FAILED. Connect restarts nothing that failed by itself.
var unitFailed = rule{"unit-failed", Critical, 0, ofStatuses, func(v *view) []Finding {
	var out []Finding
	byConnector := map[string][]int{}
	var order []string
	for _, i := range v.byState[group.UnitFailed] {
		name := v.Units[i].Unit.Connector
		if byConnector[name] == nil {
			order = append(order, name)
		}
		byConnector[name] = append(byConnector[name], i)
	}
	for _, name := range order {
		at := byConnector[name]
		u := &v.Units[at[0]]
		cause := decode.Printable(firstLine(u.Trace))
		title := some(v.unitsOf(at)) + " failed"
		if !slices.ContainsFunc(at, func(i int) bool { return v.Units[i].Worker != u.Worker }) {
			title += " on " + v.worker(u.Worker)
		}
		f := Finding{
			Title: title, Why: cause,
			Units: v.unitsOf(at), Evidence: v.evidence(at),
			Next: []string{"Read the whole trace (Units, enter).", fmt.Sprintf("Mend the cause, then restart what failed: regroup connector restart %s --tasks failed.", decode.Printable(name))},
		}
		for _, i := range at {
			f.Since = earliest(f.Since, v.Units[i].Since)
			for _, line := range traceHead(v.Units[i].Trace) {
				f.Evidence = append(f.Evidence, Evidence{v.Units[i].Since, group.SourceStatus, decode.Printable(v.Units[i].Unit.String()) + ": " + line})
			}
		}
		if alreadyExists(u.Trace) {
			f.Why = "Task already exists in this worker: an old copy still ran there when it was given back, the late half of a downgrade to eager (KAFKA-13816)."
			f.Next = []string{fmt.Sprintf("Restart %s: its old copies end with it. Where other workers have old copies too, unit-duplicated gives the order.", v.worker(u.Worker)), "Until then the old copy works on with its old configuration."}
		}
		out = append(out, f)
	}
	return out
}}

func firstLine(trace string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(trace), "\n")
	return line
}

// traceHead is a trace's first line and its causes: what a person reads first.
func traceHead(trace string) []string {
	var out []string
	for i, line := range decode.PrintableLines(strings.TrimSpace(trace)) {
		if i == 0 || strings.HasPrefix(line, "Caused by:") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
