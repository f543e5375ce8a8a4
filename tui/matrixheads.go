package tui

import (
	"regroup/tui/cell"
	"regroup/tui/theme"
)

func (t *matrixTable) title(r cell.Rect, list *list, focused, ahead bool) {
	s := t.s
	round, _ := s.round()
	if ahead {
		when := "after round " + count(int(t.round.Generation)) + ", predicted if nobody joins before"
		if !t.exact {
			when += ", likely"
		}
		s.title(r, s.clock(t.round.At), when, "", false)
		return
	}
	name, more := "Now", ""
	if s.state.Past {
		name = "Then"
	}
	if round != nil {
		more = "after round " + generation(round)
	}
	if f := filterNote(s, focused); f != "" {
		more += " " + f
	}
	note := ""
	if list.rows > list.height && list.height > 0 {
		note = "rows " + count(list.top+1) + "-" + count(min(list.top+list.height, list.rows)) + " of " + count(list.rows)
	}
	if len(t.cols) < len(s.state.Workers) && len(t.cols) > 0 {
		if note != "" {
			note += " · "
		}
		note += "workers " + count(t.first+1) + "-" + count(t.first+len(t.cols)) + " of " + count(len(s.state.Workers))
	}
	s.title(r, name, more, note, focused)
	t.leads(r, cell.Width(name)+cell.Width(more)+2, cell.Width(note)+3)
}

// leads says in the rule above a dense matrix which worker leads, where that covers nothing.
func (t *matrixTable) leads(r cell.Rect, from, end int) {
	at := 2 + t.name + unitsWidth + 2
	for k, i := range t.cols {
		if t.dense && t.s.state.Workers[i].Leader && at > from && at+7 < r.W-end {
			l := t.s.Line(r, 0)
			l.At(at).Text(muted, " leads ")
		}
		at += t.width[k]
	}
}

func (t *matrixTable) head(r cell.Rect, ahead bool) {
	s := t.s
	l := s.Line(r, 1)
	l.Gap(2).Words(muted, "connector", t.name).Number(muted, "units", unitsWidth)
	at := l.Used()
	for k, i := range t.cols {
		w := &s.state.Workers[i]
		l.At(at + 3)
		switch {
		case ahead && w.Gone:
		case t.dense:
			style := text
			if w.Leader {
				style = strong
			} else if w.Gone {
				style = theme.Delayed.Plain()
			}
			l.Name(style, w.Name, t.width[k]-3)
		default:
			name := cell.Middle(w.Name, 16)
			style := strong
			if w.Gone {
				style = muted
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
		l.FromRight(t.spread).Number(muted, "spread", t.spread-2)
	}
}
