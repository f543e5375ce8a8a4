package tui

import (
	"strconv"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// sums are the last rows: how many units each worker holds, as other views count them. What a worker that left had waits in its
// column; what was released stands in that of a worker which does not hold it any more.
func (t *matrixTable) sums(r cell.Rect, n int, ahead bool) {
	s := t.s
	counts := [2][]int{make([]int, len(s.state.Workers)), make([]int, len(s.state.Workers))} // connectors, tasks
	var all [2]int
	for i := range s.state.Units {
		u := &s.state.Units[i]
		kind := kindIndex(u.Unit)
		all[kind]++
		if at := t.m.at(u); at >= 0 && (u.Worker >= 0 || !ahead && s.state.Workers[at].Gone) {
			counts[kind][at]++
		}
	}
	starts := [2][]int{make([]int, len(s.state.Workers)), make([]int, len(s.state.Workers))}
	if ahead {
		for u, w := range t.starts {
			counts[kindIndex(u)][w]++
			starts[kindIndex(u)][w]++
		}
		for u := range t.stops {
			if i, ok := s.state.Find(u); ok && s.state.Units[i].Worker >= 0 {
				counts[kindIndex(u)][s.state.Units[i].Worker]--
			}
		}
	}
	if t.dense {
		for i := range counts[0] {
			counts[1][i] += counts[0][i]
		}
		t.sum(r, n, "all units", all[0]+all[1], counts[1], starts[1])
		return
	}
	t.sum(r, n, "connectors", all[0], counts[0], starts[0])
	t.sum(r, n+1, "tasks", all[1], counts[1], starts[1])
}

func kindIndex(u group.Unit) int {
	if u.IsInstance() {
		return 0
	}
	return 1
}

// sum is one of the last rows; starts are those of the units that will start.
func (t *matrixTable) sum(r cell.Rect, n int, name string, all int, counts, starts []int) {
	l := t.s.Line(r, n)
	most, fewest := 0, -1
	for i, c := range counts {
		if t.s.state.Workers[i].Gone {
			continue
		}
		most = max(most, c)
		if fewest < 0 || c < fewest {
			fewest = c
		}
	}
	l.Gap(2).Words(muted, name, t.name).Number(text, count(all), unitsWidth)
	at := l.Used()
	for k, i := range t.cols {
		w := &t.s.state.Workers[i]
		if counts[i] > 0 || !w.Gone {
			style := bold
			if w.Gone {
				style = theme.Delayed.Bold()
			}
			l.At(at+3).Text(style, strconv.Itoa(counts[i]))
			room := t.width[k] - 6 - len(strconv.Itoa(counts[i]))
			if !t.dense && counts[i] <= room { // all of them, or none: fewer would be a lie
				m := unitMarks[group.UnitRunning]
				if w.Gone {
					m = unitMarks[group.UnitDelayed]
				}
				l.Gap(2).Rune(m.token.Plain(), m.glyph, counts[i]-starts[i])
				l.Rune(theme.Started.Plain(), '▲', starts[i])
			}
		}
		at += t.width[k]
	}
	style := text
	if most == max(fewest, 0) {
		style = faint
	}
	if t.spread > 0 {
		l.FromRight(t.spread).Number(style, count(most-max(fewest, 0)), t.spread-2)
	}
}
