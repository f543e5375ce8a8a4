package matrix

import (
	"strconv"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

func (t *matrixTable) title(r cell.Rect, list *ui.List, focused, ahead bool) {
	s := t.s
	round, _ := s.Round()
	if ahead {
		when := "after round " + words.Thousands(int(t.round.Generation)) + ", predicted if nobody joins before"
		if !t.exact {
			when += ", likely"
		}
		s.Title(r, s.Clock(t.round.At), when, "", false)
		return
	}
	name, more := "Now", ""
	if s.State.Past {
		name = "Then"
	}
	if round != nil {
		more = "after round " + label.Generation(round)
	}
	if f := scene.FilterNote(s, focused); f != "" {
		more += " " + f
	}
	note := ""
	if list.Rows > list.Height && list.Height > 0 {
		note = "rows " + words.Thousands(list.Top+1) + "-" + words.Thousands(min(list.Top+list.Height, list.Rows)) + " of " + words.Thousands(list.Rows)
	}
	if len(t.cols) < len(s.State.Workers) && len(t.cols) > 0 {
		if note != "" {
			note += " · "
		}
		note += "workers " + words.Thousands(t.first+1) + "-" + words.Thousands(t.first+len(t.cols)) + " of " + words.Thousands(len(s.State.Workers))
	}
	s.Title(r, name, more, note, focused)
	t.leads(r, cell.Width(name)+cell.Width(more)+2, cell.Width(note)+3)
}

// leads says in the rule above a dense matrix which worker leads, where that covers nothing.
func (t *matrixTable) leads(r cell.Rect, from, end int) {
	at := 2 + t.name + unitsWidth + 2
	for k, i := range t.cols {
		if t.dense && t.s.State.Workers[i].Leader && at > from && at+7 < r.W-end {
			l := t.s.Line(r, 0)
			l.At(at).Text(ui.Muted, " leads ")
		}
		at += t.width[k]
	}
}

func (t *matrixTable) head(r cell.Rect, ahead bool) {
	s := t.s
	l := s.Line(r, 1)
	l.Gap(2).Words(ui.Muted, "connector", t.name).Number(ui.Muted, "units", unitsWidth)
	at := l.Used()
	for k, i := range t.cols {
		w := &s.State.Workers[i]
		l.At(at + 3)
		switch {
		case ahead && w.Gone:
		case t.dense:
			style := ui.Text
			if w.Leader {
				style = ui.Strong
			} else if w.Gone {
				style = theme.Delayed.Plain()
			}
			l.Name(style, w.Name, t.width[k]-3)
		default:
			name := cell.Middle(w.Name, 16)
			style := ui.Strong
			if w.Gone {
				style = ui.Muted
			}
			l.Text(style, name)
			role := headOf(w, t.packed)[len(name):]
			token := theme.Muted
			if w.Gone {
				token = theme.Delayed
			} else if w.Change != "" {
				token = theme.Started
			}
			l.Text(token.Plain(), role)
		}
		at += t.width[k]
	}
	if t.spread > 0 {
		l.FromRight(t.spread).Number(ui.Muted, "spread", t.spread-2)
	}
}

// sums are the last rows: how many units each worker holds, as other views count them. What a worker that left had waits in its
// column; what was released stands in that of a worker which does not hold it any more.
func (t *matrixTable) sums(r cell.Rect, n int, ahead bool) {
	s := t.s
	counts := [2][]int{make([]int, len(s.State.Workers)), make([]int, len(s.State.Workers))} // connectors, tasks
	var all [2]int
	for i := range s.State.Units {
		u := &s.State.Units[i]
		kind := kindIndex(u.Unit)
		all[kind]++
		if at := t.m.at(u); at >= 0 && (u.Worker >= 0 || !ahead && s.State.Workers[at].Gone) {
			counts[kind][at]++
		}
	}
	starts := [2][]int{make([]int, len(s.State.Workers)), make([]int, len(s.State.Workers))}
	if ahead {
		for u, w := range t.starts {
			counts[kindIndex(u)][w]++
			starts[kindIndex(u)][w]++
		}
		for u := range t.stops {
			if i, ok := s.State.Find(u); ok && s.State.Units[i].Worker >= 0 {
				counts[kindIndex(u)][s.State.Units[i].Worker]--
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
		if t.s.State.Workers[i].Gone {
			continue
		}
		most = max(most, c)
		if fewest < 0 || c < fewest {
			fewest = c
		}
	}
	l.Gap(2).Words(ui.Muted, name, t.name).Number(ui.Text, words.Thousands(all), unitsWidth)
	at := l.Used()
	for k, i := range t.cols {
		w := &t.s.State.Workers[i]
		if counts[i] > 0 || !w.Gone {
			style := ui.Bold
			if w.Gone {
				style = theme.Delayed.Bold()
			}
			l.At(at+3).Text(style, strconv.Itoa(counts[i]))
			room := t.width[k] - 6 - len(strconv.Itoa(counts[i]))
			if !t.dense && counts[i] <= room { // all of them, or none: fewer would be a lie
				m := label.UnitMarks[group.UnitRunning]
				if w.Gone {
					m = label.UnitMarks[group.UnitDelayed]
				}
				l.Gap(2).Rune(m.Token.Plain(), m.Glyph, counts[i]-starts[i])
				l.Rune(theme.Started.Plain(), '▲', starts[i])
			}
		}
		at += t.width[k]
	}
	style := ui.Text
	if most == max(fewest, 0) {
		style = ui.Faint
	}
	if t.spread > 0 {
		l.FromRight(t.spread).Number(style, words.Thousands(most-max(fewest, 0)), t.spread-2)
	}
}
