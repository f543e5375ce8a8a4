package group

import "time"

// Evidence is one line of why a unit's state is what it is.
type Evidence struct {
	At     time.Time
	Source Source
	Text   string
}

// Evidence tells why s.Units[i] is in the state that it is in. It is worked out when asked for: of 100,000 units a person
// looks at a few.
func (s *State) Evidence(i int) []Evidence {
	if s.moment == nil || i < 0 || i >= len(s.numbers) {
		return nil
	}
	w := &witness{}
	s.moment.unit(s.numbers[i], w)
	return w.lines
}

// witness writes down why a unit's state is decided as it is. A nil one writes nothing; whoever makes a line for it asks
// first, because the line costs more than the decision.
type witness struct{ lines []Evidence }

func (w *witness) say(at time.Time, s Source, text string) {
	w.lines = append(w.lines, Evidence{at, s, text})
}
