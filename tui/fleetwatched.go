package tui

import (
	"time"

	"regroup/group"
	"regroup/group/doctor"
)

// fleetSpan is how far back the fleet looks: what a group cost, and how it did.
const fleetSpan = time.Hour

// Watched is the line of the fleet for a group whose State is known. It works out what takes long in a large group, so it is
// no work for the screen's own goroutine.
func Watched(s *group.State, report *doctor.Report) GroupSummary {
	g := GroupSummary{
		Group: s.Group, Phase: s.Phase, Verdict: s.Verdict, Generation: -1, Connectors: s.Connectors, Tasks: s.Tasks,
		States: map[group.UnitStateKind]int{}, State: s, Report: report,
	}
	for i := range s.Workers {
		if !s.Workers[i].Gone {
			g.Workers++
		}
	}
	for i := range s.Units {
		g.States[s.Units[i].State]++
	}
	if r := s.Round(); r != nil {
		g.Mode, g.LastRound = r.Mode, r.At
		if !r.Polled {
			g.Generation = r.Generation
		}
	}
	if report != nil {
		g.Findings = report.Count()
	}
	for i := len(s.Rounds) - 1; i >= 0 && s.Now.Sub(s.Rounds[i].At) < fleetSpan; i-- {
		addCost(&g.HourCost, s, s.Rounds[i])
	}
	return g
}
