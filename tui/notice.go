package tui

import (
	"regroup/group"
	"regroup/tui/theme"
)

// notice is what keeps part of the screen from its work for as long as it lasts, and what to do about it; "": nothing does. It
// has the message row while nothing else needs it.
func notice(trouble string, st *group.State) string {
	if trouble != "" {
		return trouble
	}
	if st == nil {
		return ""
	}
	all, denied, why := 0, 0, ""
	for _, src := range st.Sources {
		if src.Source != group.SourceREST || src.Health == group.HealthOff {
			continue
		}
		if all++; src.Health == group.HealthDenied {
			if denied++; why == "" {
				why = src.Detail
			}
		}
	}
	switch {
	case denied == 0:
		return ""
	case all == 1:
		return "rest: " + why
	}
	return "rest: " + count(denied) + " of " + plural(all, "worker") + ": " + why
}

// noticed is the notice as far as the view that is open has one.
func noticed(s *scene, trouble string) string {
	if s.view == viewFleet || s.recorded() {
		return ""
	}
	return notice(trouble, s.live)
}

func drawNotice(s *scene, trouble string) {
	words := noticed(s, trouble)
	if words == "" {
		return
	}
	s.Fill(s.lay.message, text)
	l := s.Line(s.lay.message, 0)
	l.Gap(1).Text(theme.Wrong.Bold(), "! ").Sentence(theme.Wrong.Plain(), printable(words))
}
