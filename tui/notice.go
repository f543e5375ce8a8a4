package tui

import (
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
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
	return "rest: " + words.Thousands(denied) + " of " + words.Plural(all, "worker") + ": " + why
}

// noticed is the notice as far as the view that is open has one.
func noticed(s *scene.Scene, trouble string) string {
	if s.View == keys.Fleet || s.Recorded() {
		return ""
	}
	return notice(trouble, s.Live)
}

func drawNotice(s *scene.Scene, trouble string) {
	words := noticed(s, trouble)
	if words == "" {
		return
	}
	s.Fill(s.Lay.Message, ui.Text)
	l := s.Line(s.Lay.Message, 0)
	l.Gap(1).Text(theme.Wrong.Bold(), "! ").Sentence(theme.Wrong.Plain(), ui.Printable(words))
}
