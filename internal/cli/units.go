package cli

import (
	"fmt"
	"strconv"
	"strings"

	"regroup/group"
)

// compact lists sorted units in few words: "sink-a c 0-5, sink-b 2 7". A mark may follow each unit; units with one stand
// alone.
func compact(units []group.Unit, mark func(i int) string) string {
	var b strings.Builder
	for i := 0; i < len(units); {
		if i == 0 || units[i].Connector != units[i-1].Connector {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(units[i].Connector)
		}
		n := run(units[i:], i, mark)
		switch {
		case units[i].IsInstance():
			b.WriteString(" c")
		case n > 2:
			fmt.Fprintf(&b, " %d-%d", units[i].Task, units[i+n-1].Task)
		default:
			n = 1
			b.WriteString(" " + strconv.Itoa(int(units[i].Task)))
		}
		if mark != nil {
			b.WriteString(mark(i))
		}
		i += n
	}
	return b.String()
}

// run is how many tasks of one connector follow each other unmarked, from the first on.
func run(units []group.Unit, at int, mark func(int) string) int {
	plain := func(i int) bool { return mark == nil || mark(at+i) == "" }
	n := 1
	if units[0].IsInstance() || !plain(0) {
		return n
	}
	for n < len(units) && units[n].Connector == units[0].Connector && units[n].Task == units[n-1].Task+1 && plain(n) {
		n++
	}
	return n
}

// marks are the signs behind a unit that does not simply run, in ASCII: text goes through pipes.
var marks = map[group.UnitStateKind]string{
	group.UnitFailed: "!", group.UnitDuplicated: "&", group.UnitUnassigned: "x", group.UnitStopping: "v",
	group.UnitReleased: "o", group.UnitDelayed: ":", group.UnitRestarting: "*", group.UnitStarting: "^",
	group.UnitUnknown: "?", group.UnitPaused: "p", group.UnitStopped: "s",
}
