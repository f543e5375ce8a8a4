package group

import (
	"fmt"
	"slices"
	"time"
)

// Unanswered is a worker of the group whose REST interface does not answer any more. It may have died: then the coordinator notices
// between Earliest and Latest, a session timeout after the worker's last heartbeat, and the round without it comes within a
// heartbeat of that. A worker that is in the group still after that lives, and only its REST interface does not answer.
type Unanswered struct {
	Worker           int       // index in State.Workers
	Last             time.Time // when it last answered; zero when it never did
	Since            time.Time // when it first did not answer
	Earliest, Latest time.Time
}

// Unanswered are the members that may have died since the round, by name.
func (s *State) Unanswered() []Unanswered {
	r := s.Round()
	if s.Past || s.told == nil || r == nil || r.Empty() {
		return nil
	}
	var out []Unanswered
	for i := range s.Workers {
		w := &s.Workers[i]
		if w.Gone {
			continue
		}
		u := Unanswered{Worker: i}
		for _, l := range slices.Backward(s.told.lives[w.URL]) {
			if l.alive {
				u.Last = l.at
				break
			}
			if l.at.After(r.RecordedAt) { // every member joined that round, and lived
				u.Since = l.at
			}
		}
		if u.Since.IsZero() {
			continue
		}
		session := s.past.session(w.ID)
		u.Earliest, u.Latest = later(u.Last, r.RecordedAt).Add(session-heartbeat), u.Since.Add(session)
		if s.Now.Before(u.Latest.Add(heartbeat)) {
			out = append(out, u)
		}
	}
	return out
}

// withUnanswered adds to a verdict that outranks it that a worker may have died since: its units wait beside those that the verdict
// tells of, and the group does not know.
func (s *State) withUnanswered(v Verdict) Verdict {
	switch v.Word {
	case "STUCK", "DELAYED", "RELEASED", "REBALANCING":
	default:
		return v
	}
	also, ok := unanswered(s, s.Round())
	if !ok {
		return v
	}
	words := []string{v.Sentence + " " + also.Short, v.Short + " " + also.Short}
	for _, fewer := range v.Fewer {
		words = append(words, fewer+" "+also.Short)
	}
	v.Sentence, v.Fewer, v.Second = words[0], words[1:], also.Short
	return v
}

// unanswered is from a worker's death to the round without it.
func unanswered(s *State, r *Round) (Verdict, bool) {
	if r == nil {
		return Verdict{}, false
	}
	all := slices.DeleteFunc(s.Unanswered(), func(u Unanswered) bool { return u.Last.IsZero() }) // it may be out of reach from here
	if len(all) == 0 {
		return Verdict{}, false
	}
	first, held := all[0], 0
	var who []string
	for _, u := range all {
		held += s.Workers[u.Worker].Held
		who = append(who, s.Workers[u.Worker].Name)
		if u.Latest.After(first.Latest) {
			first.Latest = u.Latest
		}
		first.Earliest = earlier(first.Earliest, u.Earliest)
	}
	does, its, it := " does not answer", "Its", "it"
	if len(all) > 1 {
		does, its, it = " do not answer", "Their", "they"
	}
	by := first.Latest.Local().Format("15:04:05")
	when := "by " + by
	if from := first.Earliest.Local().Format("15:04:05"); first.Earliest.After(s.Now) && from != by {
		when = "between " + from + " and " + by
	}
	v := Verdict{
		Word: "UNREACHABLE", Ends: first.Latest, Total: s.past.session(s.Workers[first.Worker].ID),
		Short: fmt.Sprintf("%s%s; the group notices by %s.", names(who), does, by),
	}
	v.Sentence = fmt.Sprintf("%s%s; the group notices %s.", names(who), does, when)
	if held > 0 {
		v.Second = fmt.Sprintf("%s %s not run if %s died.", its, verb(held, "does", "do"), it)
		v.Sentence += " " + v.Second
		v.Fewer = []string{fmt.Sprintf("%s%s; the group notices by %s. %s", names(who), does, by, v.Second)}
	}
	return v, true
}
