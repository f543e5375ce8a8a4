package label

import (
	"strconv"
	"strings"

	"regroup/group"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// UnitMark is how a state is drawn: its glyph, its colour, and whether a unit that is listed by its number carries the glyph.
type UnitMark struct {
	Glyph rune
	Token theme.Token
	Tail  bool
}

// UnitMarks are the marks of each state.
var UnitMarks = map[group.UnitStateKind]UnitMark{
	group.UnitFailed: {'!', theme.Wrong, true}, group.UnitDuplicated: {'&', theme.Wrong, true},
	group.UnitUnassigned: {'x', theme.Wrong, false}, group.UnitStopping: {'▼', theme.Stopped, true},
	group.UnitReleased: {'○', theme.Stopped, false}, group.UnitDelayed: {'░', theme.Delayed, false},
	group.UnitRestarting: {'◆', theme.Stopped, true}, group.UnitStarting: {'▲', theme.Started, true},
	group.UnitUnknown: {'?', theme.Muted, false}, group.UnitPaused: {'p', theme.Muted, true},
	group.UnitStopped: {'s', theme.Muted, true}, group.UnitRunning: {'■', theme.Running, false},
}

// TaskText names a unit within its connector: c, 0, 1, 2.
func TaskText(u group.Unit) string {
	if u.IsInstance() {
		return "c"
	}
	return strconv.Itoa(int(u.Task))
}

// UnitRun is several units of one connector, as they are listed: "sink-a" and "c 0-5".
type UnitRun struct{ Connector, Tasks string }

// UnitRuns lists sorted units by connector. Three tasks in a row or more are a range. It lists no more than what width columns
// show, and a little.
func UnitRuns(units []group.Unit, width int) []UnitRun {
	var out []UnitRun
	for i := 0; i < len(units) && width >= 0; {
		run := UnitRun{Connector: cell.Middle(units[i].Connector, MaxConnector)}
		var tasks []string
		name := units[i].Connector
		for i < len(units) && units[i].Connector == name {
			n := 1
			for !units[i].IsInstance() && i+n < len(units) && units[i+n].Connector == name && units[i+n].Task == units[i].Task+int32(n) {
				n++
			}
			if n > 2 {
				tasks = append(tasks, TaskText(units[i])+"-"+TaskText(units[i+n-1]))
			} else {
				n = 1
				tasks = append(tasks, TaskText(units[i]))
			}
			i += n
		}
		run.Tasks = strings.Join(tasks, " ")
		width -= cell.Width(run.Connector) + len(run.Tasks) + 3
		out = append(out, run)
	}
	return out
}

// UnitPieces lists units in at most width columns, "…" for those that found no place.
func UnitPieces(units []group.Unit, width int) []ui.Piece {
	var out []ui.Piece
	for i, run := range UnitRuns(units, width) {
		add := []ui.Piece{{ui.Muted, run.Connector + " "}, {ui.Text, run.Tasks}}
		if i > 0 {
			add = append([]ui.Piece{{ui.Text, "  "}}, add...)
		}
		if w := ui.WidthOf(add); w > width {
			if i == 0 {
				return []ui.Piece{{ui.Muted, run.Connector + " "}, {ui.Text, cell.End(run.Tasks, width-cell.Width(run.Connector)-1)}}
			}
			return append(out, ui.Piece{ui.Muted, cell.End(" …", width)})
		} else if width -= w; true {
			out = append(out, add...)
		}
	}
	return out
}

// MaxConnector bounds a connector's name in a list of what is held.
const MaxConnector = 20
