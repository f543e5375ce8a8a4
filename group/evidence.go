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
	w, u := &witness{}, UnitState{}
	s.moment.unit(&u, s.numbers[i], w)
	return w.lines
}

// follows says whether the units of a moment are in the same states as at an earlier one.
func (x *moment) follows(y *moment) bool {
	return y != nil && !x.past && !y.past && x.i >= 0 && y.i >= 0 && x.h.rounds[x.i] == y.h.rounds[y.i] && x.claims.epoch == y.claims.epoch &&
		len(x.h.config) == len(y.h.config) && len(x.h.tables.units) == len(y.h.tables.units) && x.statusesMissing() == y.statusesMissing()
}

// again takes the units of an earlier State over.
func (x *moment) again(s, last *State) {
	s.Units, s.numbers, s.counts, s.Connectors, s.Tasks = last.Units, last.numbers, last.counts, last.Connectors, last.Tasks
	for i := range s.Workers {
		s.Workers[i].Holds = last.Workers[i].Holds
	}
	y := last.moment
	x.index, x.seats, x.units = y.index, y.seats, y.units
}

// witness writes down why a unit's state is decided as it is. A nil one writes nothing; whoever makes a line for it asks
// first, because the line costs more than the decision.
type witness struct{ lines []Evidence }

func (w *witness) say(at time.Time, s Source, text string) {
	w.lines = append(w.lines, Evidence{at, s, text})
}
