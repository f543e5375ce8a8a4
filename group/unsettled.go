package group

import (
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// Unsettled says why the group is not settled, but for units on their way, which Moving lists; nothing where it is. What is not
// read to its end comes first and alone: nothing can be said of now until then.
func (s *State) Unsettled() []string {
	r := s.Round()
	switch {
	case s.Reading() != nil:
		return []string{s.ReadingText()}
	case r == nil && s.Phase == "Dead":
		return []string{"there is none; regroup groups lists those that there are"}
	case r == nil:
		return []string{"no round of it was seen"}
	case r.Provisional && !s.configUnreadable():
		return []string{"its config topic is still being read"}
	case s.Phase != "" && s.Phase != "Stable" && s.Phase != "Empty":
		return []string{"the group is " + s.Phase}
	case s.behind(r):
		return []string{"the coordinator knows a newer round than " + s.roundName(r)}
	case r.Empty():
		return nil
	}
	var out []string
	switch {
	case r.Error != 0:
		out = append(out, s.roundName(r)+" decided nothing")
	case !s.RoundSettled():
		out = append(out, fmt.Sprintf("%s is not the last: %s", s.roundName(r), s.comes(r)))
	}
	if r.Provisional {
		out = append(out, configUnreadableText)
	}
	for _, u := range s.Unanswered() {
		if !u.Last.IsZero() {
			out = append(out, s.UnansweredText(u))
		}
	}
	return out
}

const configUnreadableText = "its config topic cannot be read"

// configUnreadable reports whether the config topic cannot be read at all, so that waiting for it tells nothing more.
func (s *State) configUnreadable() bool {
	src := s.SourceOf(SourceConfig)
	if src == nil {
		return false
	}
	switch src.Health {
	case HealthDenied, HealthMissing, HealthAmbiguous, HealthOff:
		return true
	}
	return false
}

// UnansweredText says that a worker may have died, and until when that is not known.
func (s *State) UnansweredText(u Unanswered) string {
	return fmt.Sprintf("%s does not answer; if it died, the group notices by %s", s.Workers[u.Worker].Name, u.Latest.Local().Format("15:04:05"))
}

// behind reports whether the coordinator has described the group, at rest, with other members than the newest round's since that came:
// a record of a newer round is on its way.
func (s *State) behind(r *Round) bool {
	if s.Past || r.Polled || s.told == nil || s.told.described == nil || s.told.described.State != "Stable" {
		return false
	}
	if !s.told.described.At.After(s.told.recordSeen) {
		return false
	}
	in := map[string]bool{}
	for _, id := range r.members.ids {
		in[s.past.tables.members[id].id] = true
	}
	for _, m := range s.told.described.Members {
		if !in[m.ID] {
			return true
		}
		delete(in, m.ID)
	}
	return len(in) > 0
}

func (s *State) roundName(r *Round) string {
	if r.Polled {
		return "this round"
	}
	return fmt.Sprintf("round %d", r.Generation)
}

// comes is what has to happen before the group is settled.
func (s *State) comes(r *Round) string {
	switch {
	case s.Delay != nil && s.Delay.Units > 0:
		return fmt.Sprintf("%s for a delay, %s more", waitUnits(s.Delay.Units), words.WholeSeconds(s.Delay.Remaining))
	case s.Delay != nil:
		return "the leader pauses before it goes on"
	case r.Released > 0:
		return words.Count(r.Released, "unit") + " released"
	}
	if names := s.AwaitedTasks(); len(names) > 0 && r.DelayMs == 0 && len(r.revoked) == 0 {
		return tasksToCome(names)
	}
	return "more work is to come"
}

// tasksToCome says whose first tasks have not been committed.
func tasksToCome(connectors []string) string {
	const most = 3
	text := "the tasks of " + decode.Printable(strings.Join(connectors[:min(most, len(connectors))], ", "))
	if more := len(connectors) - most; more > 0 {
		text += fmt.Sprintf(" and of %d more", more)
	}
	return text + " are still to come"
}

// Moving are the units that are on their way, as indices into Units. Others may have failed, which no waiting mends.
func (s *State) Moving() []int {
	var out []int
	for i := range s.Units {
		switch s.Units[i].State {
		case UnitStopping, UnitReleased, UnitDelayed, UnitRestarting, UnitStarting:
			out = append(out, i)
		}
	}
	return out
}

// Missing is a worker that left the group and is not back.
type Missing struct {
	Gone
	Left time.Time // when the round without it came
}

// MissingSince are the workers that left since then and are not in the group now, by when they left.
func (s *State) MissingSince(from time.Time) []Missing {
	r := s.Round()
	if r == nil {
		return nil
	}
	here := map[int32]bool{}
	for _, id := range r.members.ids {
		here[s.past.tables.members[id].worker] = true
	}
	first := s.At
	for first > 0 && !s.Rounds[first-1].RecordedAt.Before(from) {
		first--
	}
	var out []Missing
	for _, old := range s.Rounds[first : s.At+1] {
		if old.RecordedAt.Before(from) {
			continue
		}
		for _, g := range old.Left {
			if !here[g.Worker] {
				here[g.Worker] = true // told once
				out = append(out, Missing{g, old.RecordedAt})
			}
		}
	}
	return out
}
