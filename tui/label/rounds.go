package label

import (
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
)

// Generation is the number of a round as it is written everywhere.
func Generation(r *group.Round) string {
	if r.Polled || r.Generation < 0 {
		return "?"
	}
	return words.Thousands(int(r.Generation))
}

// Before is the round before another; nil for the first.
func Before(rounds []*group.Round, i int) *group.Round {
	if i == 0 {
		return nil
	}
	return rounds[i-1]
}

// WorkerNames are the short names of members by id.
func WorkerNames(s *group.State) map[string]string {
	out := map[string]string{}
	for i := range s.Workers {
		out[s.Workers[i].ID] = s.Workers[i].Name
	}
	return out
}

// Holder names the worker that holds a unit, or the last one that did.
func Holder(s *group.State, u *group.UnitState) string {
	if u.Worker >= 0 && u.Worker < len(s.Workers) {
		return s.Workers[u.Worker].Name
	}
	for i := len(s.Workers) - 1; i >= 0 && u.Last >= 0; i-- {
		if s.Workers[i].Worker == u.Last {
			return s.Workers[i].Name
		}
	}
	return ""
}

// ShortClass is a Java class without its package, and a connector's without the word that all of them end in.
func ShortClass(class string) string {
	for i := len(class) - 1; i >= 0; i-- {
		if class[i] == '.' {
			class = class[i+1:]
			break
		}
	}
	const end = "Connector"
	if len(class) > len(end) && class[len(class)-len(end):] == end {
		return class[:len(class)-len(end)]
	}
	return class
}

// Recorded reports whether a State is of a recording: nothing more will come, so grace times count as passed.
func Recorded(replay string, s *group.State) bool {
	if replay != "" {
		return true
	}
	if s == nil {
		return false
	}
	ended := false
	for _, src := range s.Sources {
		if src.Health != group.HealthEnded && src.Health != group.HealthOff {
			return false
		}
		ended = ended || src.Health == group.HealthEnded
	}
	return ended
}

// RoundParts are a round's units in the order of a strip: kept, restarted, started, started twice, stopped, waiting, lost.
func RoundParts(r, prev *group.Round) []ui.Part {
	p := r.Parts(prev)
	return []ui.Part{
		{'■', theme.Running, p.Kept},
		{'◆', theme.Stopped, p.Restarted},
		{'▲', theme.Started, p.Started},
		{'&', theme.Wrong, p.Twice},
		{'▼', theme.Stopped, p.Stopped + p.Dropped},
		{'░', theme.Delayed, p.Delayed},
		{'x', theme.Wrong, p.Unassigned},
	}
}

// Total is how many units parts have together.
func Total(parts []ui.Part) int {
	n := 0
	for _, p := range parts {
		n += max(p.N, 0)
	}
	return n
}
