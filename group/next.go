package group

import (
	"fmt"
	"strings"
)

// then says what the next round gives to whom: "worker-1 gets 3 and worker-2 gets 2", and in fewer words "worker-1 gets 3,
// worker-2 2". "" when that is not known.
func (s *State) then() (then, short string) {
	rounds, exact := s.Coming()
	if !exact || len(rounds) == 0 {
		return "", ""
	}
	var parts, brief []string
	for _, w := range rounds[0].Workers {
		n := len(w.Start)
		if n == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s gets %d", w.Name, n))
		if len(brief) > 0 {
			brief = append(brief, fmt.Sprintf("%s %d", w.Name, n))
		} else {
			brief = parts[:1:1]
		}
	}
	switch n := len(parts); {
	case n == 0:
		return "", ""
	case n == 1:
		return parts[0], parts[0]
	case n > 3:
		then = fmt.Sprintf("%d workers get them", n)
		return then, then
	default:
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1], strings.Join(brief, ", ")
	}
}
