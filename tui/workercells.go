package tui

import (
	"strings"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// numberCell leaves zeros faint; a worker that is gone has no numbers but its wait.
func numberCell(n func(*group.Worker) int, some theme.Style) func(*scene, *group.Worker) piece {
	return func(_ *scene, w *group.Worker) piece {
		switch v := n(w); {
		case w.Gone:
			return piece{}
		case v == 0:
			return piece{faint, "0"}
		default:
			return piece{some, count(v)}
		}
	}
}

func workerWait(_ *scene, w *group.Worker) piece {
	if w.Wait == 0 {
		if w.Gone {
			return piece{}
		}
		return piece{faint, "0"}
	}
	return piece{theme.Delayed.Bold(), count(w.Wait)}
}

func workerName(_ *scene, w *group.Worker) piece {
	if w.Gone {
		return piece{muted, w.Name}
	}
	return piece{strong, w.Name}
}

func workerRole(_ *scene, w *group.Worker) piece {
	switch {
	case w.Change == "left":
		return piece{theme.Delayed.Bold(), "left"}
	case w.Change != "":
		return piece{theme.Started.Bold(), w.Change}
	case w.Gone:
		return piece{theme.Delayed.Plain(), "left"}
	case w.Leader:
		return piece{muted, "leader"}
	}
	return piece{}
}

func workerVersion(_ *scene, w *group.Worker) piece { return piece{muted, w.Version} }

func workerREST(s *scene, w *group.Worker) piece {
	switch {
	case w.Gone && !w.Last.IsZero():
		return piece{muted, "heard " + s.clock(w.Last)}
	case w.Gone:
		return piece{muted, address(w.URL)}
	case w.REST != "" && w.REST != "ok" && w.REST != "internal":
		return piece{theme.Wrong.Plain(), "! " + restTrouble(w.REST)}
	}
	return piece{text, address(w.URL)}
}

// restWidth is the least that the column of addresses has.
const restWidth = 15

// restTrouble is what is wrong with a worker's REST interface as a column has room for it: events and the unit's view have it whole.
func restTrouble(why string) string {
	short, _, _ := strings.Cut(why, ":")
	if cell.Width(short) > restWidth-2 {
		return "no REST"
	}
	return short
}

// drawMember ends the line of a vast screen with the member id and the config offset.
func drawMember(s *scene, l *cell.Line, w *group.Worker) {
	if s.lay.class < classVast {
		return
	}
	l.FromRight(memberWidth).Name(muted, shortMember(w.ID), memberWidth-18)
	if !w.Gone || w.ConfigOffset > 0 {
		l.Gap(2).Number(muted, count(int(w.ConfigOffset)), 6)
	}
}

const memberWidth = 40

// shortMember is a member id as its client id and eight digits of the rest.
func shortMember(id string) string {
	const uuid = 36
	if n := len(id) - uuid; n > 0 && strings.Count(id[n:], "-") == 4 {
		return id[:n+8]
	}
	return id
}

// address is a URL's host and port.
func address(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	return strings.TrimSuffix(url, "/")
}
