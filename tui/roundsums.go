package tui

import (
	"strconv"

	"regroup/group"
	"regroup/group/assign"
	"regroup/tui/cell"
)

// maxSums bounds how many workers' sums are told.
const maxSums = 5

// sumsOf is the arithmetic of a cooperative round: what everybody's share is, and what each worker has, gives and gets, as
// connectors + tasks.
func sumsOf(s *scene, r *group.Round, width int) [][]piece {
	d := s.detail(s.state.At)
	if d == nil || r.Mode != group.ModeCooperative || r.Error != 0 || r.Stopped+r.Started == 0 {
		return nil
	}
	var out [][]piece
	say := func(t string) {
		for _, line := range cell.Wrap(t, width) {
			out = append(out, []piece{{muted, line}})
		}
	}
	conns, tasks := 0, 0
	for i := range s.state.Units {
		if s.state.Units[i].Unit.IsInstance() {
			conns++
		} else {
			tasks++
		}
	}
	if n := r.Workers; n > 1 && conns+tasks > 0 {
		say(plural(conns, "connector") + " and " + plural(tasks, "task") + " over " + plural(n, "worker") + " are " + share(conns, n) + " and " + share(tasks, n) + " each.")
	}
	told, gives := 0, false
	for i := range d.Members {
		m := &d.Members[i]
		if len(m.Revoked)+len(m.Assigned) == 0 {
			continue
		}
		if told++; told > maxSums {
			continue
		}
		line := m.Name + " holds " + both(m.Reported)
		if len(m.Revoked) > 0 {
			line += ", gives " + both(m.Revoked)
			gives = true
		}
		if len(m.Assigned) > 0 {
			line += ", gets " + both(m.Assigned)
		}
		say(line)
	}
	if told > maxSums {
		say("… and " + plural(told-maxSums, "more worker"))
	}
	if gives && r.Shadow == assign.ShadowSame {
		say("each the first of its own order.")
	}
	if r.Released > 0 {
		say("Nothing is given out yet: a unit must stop before it may start.")
	}
	return out
}

// share is what falls on each of n: 4, or 4-5.
func share(all, n int) string {
	if all%n == 0 {
		return strconv.Itoa(all / n)
	}
	return strconv.Itoa(all/n) + "-" + strconv.Itoa(all/n+1)
}

// both counts connectors + tasks.
func both(units []group.Unit) string {
	conns := 0
	for _, u := range units {
		if u.IsInstance() {
			conns++
		}
	}
	return strconv.Itoa(conns) + " + " + strconv.Itoa(len(units)-conns)
}
