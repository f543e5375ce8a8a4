package doctor

import (
	"fmt"

	"regroup/group"
)

// unitDuplicated: a unit that two workers hold or claim to run.
var unitDuplicated = rule{"unit-duplicated", Critical, 0, func(s *group.State) []Finding {
	at := inState(s, group.UnitDuplicated)
	if len(at) == 0 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("%s on two workers at once", count(len(at), "unit")+is(len(at), " runs", " run")),
		Units: unitsOf(s, at), Evidence: evidence(s, at),
		Next: []string{"Look at the units' own output for doubled records.", "Restart the worker that should not run them, politely: it stops all it runs."},
	}
	f.Certainty = Likely // claims of RUNNING, not the threads themselves
	for _, i := range at {
		f.Since = since(f.Since, s.Units[i].Since)
	}
	r := s.Round()
	if d := s.Detail(s.At); d != nil && len(d.Duplicated) > 0 {
		f.Certainty = Seen
		f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s reported by two members in round %d", count(len(d.Duplicated), "unit"), r.Generation)})
		f.Why = "Two members report them. The leader revokes them from both, and the next round gives each to one."
		f.Next = []string{"Wait for the next round: it comes by itself within seconds."}
		return []Finding{f}
	}
	f.Why = "A second worker said RUNNING and the first never said that it stopped."
	if r != nil && r.Mode == group.ModeEager {
		f.Why += " A downgrade to eager moves work without stopping it (KAFKA-13816)."
	}
	return []Finding{f}
}}
