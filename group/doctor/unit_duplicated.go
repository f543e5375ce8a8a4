package doctor

import (
	"fmt"
	"slices"

	"regroup/decode"
	"regroup/group"
)

// unitDuplicated: a unit that two workers hold or claim to run.
var unitDuplicated = rule{"unit-duplicated", Critical, 0, ofRounds, func(v *view) []Finding {
	at := v.byState[group.UnitDuplicated]
	if v.round == nil {
		return nil
	}
	if v.round.Duplicated > 0 {
		return []Finding{v.reportedTwice()}
	}
	forced := v.movedUnstopped()
	for _, i := range forced {
		if !slices.Contains(at, i) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	f := Finding{
		Title:     fmt.Sprintf("%s may run on two workers at once", count(len(at), "unit")),
		Why:       "A second worker said RUNNING and the first never said that it stopped.",
		Certainty: Likely, // claims, not the threads themselves
		Since:     v.since(at), Units: v.unitsOf(at), Evidence: v.copies(at),
		Sure: "A second start on the old worker fails with \"Task already exists in this worker\". Or look there for the thread task-thread-CONNECTOR-TASK.",
		Next: []string{"Look at the units' own output for doubled records.", "Restart the worker that should not run them, politely: it stops all that it runs."},
	}
	if len(forced) > 0 {
		f.Why = fmt.Sprintf("%s gave them to other workers. Under eager the old ones must stop all before they join, but workers that were cooperative do not (KAFKA-13816): no status says that a copy stopped.", capital(called(v.round)))
		f.Since = v.round.RecordedAt
		f.Next = []string{
			"Make the group cooperative again: take the eager worker out, or give it a newer version.",
			"Then restart the workers that had these units, one after another: nothing else is sure to end the old copies.",
		}
	}
	return []Finding{f}
}}

func (v *view) reportedTwice() Finding {
	r := v.round
	d := v.Detail(v.At)
	f := Finding{
		Title: count(len(d.Duplicated), "unit") + is(len(d.Duplicated), " was", " were") + " reported by two workers",
		Why:   "A worker that was away kept its work, and others got it meanwhile. The leader revokes such units from both, and the next round gives each to one.",
		Since: r.RecordedAt, Units: d.Duplicated,
		Next: []string{"Wait for the next round: it comes by itself within seconds.", "If it comes again, find out why that worker lost the group: long pauses, or its network."},
	}
	for _, u := range d.Duplicated[:min(6, len(d.Duplicated))] {
		var by []string
		for _, m := range d.Members {
			if slices.Contains(m.Reported, u) {
				by = append(by, decode.Printable(m.Name))
			}
		}
		f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s: reported by %s in %s", decode.Printable(u.String()), few(by), called(r))})
	}
	return f
}

// movedUnstopped are the units that a downgrade to eager gave to other workers while no status says that the old one
// stopped them.
func (v *view) movedUnstopped() []int {
	r := v.round
	if r.Twice == 0 || r.Mode != group.ModeEager {
		return nil
	}
	from := map[group.Unit]int32{}
	for _, m := range v.Detail(v.At).Moves {
		from[m.Unit] = m.From
	}
	var out []int
	for i := range v.Units {
		old, moved := from[v.Units[i].Unit]
		if !moved {
			continue
		}
		for _, c := range v.Claims(i) {
			if c.Worker >= 0 && c.Stands && c.State == decode.Running && v.Workers[c.Worker].Worker == old {
				out = append(out, i)
			}
		}
	}
	return out
}

// copies tell of each unit who runs it, by the claims that stand.
func (v *view) copies(at []int) []Evidence {
	const most = 12
	var out []Evidence
	for _, i := range at[:min(most, len(at))] {
		unit := decode.Printable(v.Units[i].Unit.String())
		for _, c := range v.Claims(i) {
			if c.Worker < 0 || !c.Stands || c.State != decode.Running {
				continue
			}
			text := fmt.Sprintf("%s: RUNNING on %s, generation %d", unit, v.worker(c.Worker), c.Generation)
			if c.Worker != v.Units[i].Worker {
				text += ", and it never said that it stopped"
			}
			out = append(out, Evidence{c.At, group.SourceStatus, text})
		}
	}
	return out
}
