package group

import (
	"fmt"
	"strings"
)

// then says what the next round gives to whom: "worker-1 gets 3 and worker-2 gets 2". "" when that is not known.
func (s *State) then() string {
	rounds, exact := s.Coming()
	if !exact || len(rounds) == 0 {
		return ""
	}
	var parts []string
	for _, w := range rounds[0].Workers {
		if n := len(w.Start); n > 0 {
			parts = append(parts, fmt.Sprintf("%s gets %d", w.Name, n))
		}
	}
	switch n := len(parts); {
	case n == 0:
		return ""
	case n == 1:
		return parts[0]
	case n > 3:
		return fmt.Sprintf("%d workers get them", n)
	default:
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
}
