package tui

import (
	"strings"

	"regroup/group"
	"regroup/tui/cell"
)

// unitRun is several units of one connector, as they are listed: "sink-a" and "c 0-5".
type unitRun struct{ connector, tasks string }

// unitRuns lists sorted units by connector. Three tasks in a row or more are a range. It lists no more than what width columns
// show, and a little.
func unitRuns(units []group.Unit, width int) []unitRun {
	var out []unitRun
	for i := 0; i < len(units) && width >= 0; {
		run := unitRun{connector: cell.Middle(units[i].Connector, maxConnector)}
		var tasks []string
		name := units[i].Connector
		for i < len(units) && units[i].Connector == name {
			n := 1
			for !units[i].IsInstance() && i+n < len(units) && units[i+n].Connector == name && units[i+n].Task == units[i].Task+int32(n) {
				n++
			}
			if n > 2 {
				tasks = append(tasks, taskText(units[i])+"-"+taskText(units[i+n-1]))
			} else {
				n = 1
				tasks = append(tasks, taskText(units[i]))
			}
			i += n
		}
		run.tasks = strings.Join(tasks, " ")
		width -= cell.Width(run.connector) + len(run.tasks) + 3
		out = append(out, run)
	}
	return out
}

// unitPieces lists units in at most width columns, "…" for those that found no place.
func unitPieces(units []group.Unit, width int) []piece {
	var out []piece
	for i, run := range unitRuns(units, width) {
		add := []piece{{muted, run.connector + " "}, {text, run.tasks}}
		if i > 0 {
			add = append([]piece{{text, "  "}}, add...)
		}
		if w := widthOf(add); w > width {
			if i == 0 {
				return []piece{{muted, run.connector + " "}, {text, cell.End(run.tasks, width-cell.Width(run.connector)-1)}}
			}
			return append(out, piece{muted, cell.End(" …", width)})
		} else if width -= w; true {
			out = append(out, add...)
		}
	}
	return out
}
