package live

import (
	"slices"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// holds draws what each worker holds: its units by connector where they fit, then in shorter words, then one mark a unit, and
// at last a bar with a number. All workers of a table are drawn the same way, the connectors in columns.
type holds struct {
	s       *scene.Scene
	taken   map[int32][]int // what a worker had and was told to stop, by worker number
	way     holdsWay
	room    int
	gap     int
	columns []string // connectors
	widths  map[string]int
	most    int // units that one worker holds
}

type holdsWay int

const (
	byName holdsWay = iota
	byRange
	byMark
	byBar
)

func newHolds(s *scene.Scene, ws []*group.Worker, room int, _ []column) *holds {
	h := &holds{s: s, taken: s.Digest().Taken, room: room - 3, way: byMark}
	if s.Lay.Class <= scene.Narrow {
		h.room = room - 2
	}
	if s.Lay.Class >= scene.Vast {
		h.room -= memberWidth + 2
	}
	for _, w := range ws {
		h.most = max(h.most, len(h.of(w)))
	}
	named := s.Lay.Class >= scene.Medium && h.roomForNames(ws)
	if named && h.most <= h.room && h.measure(ws, byName) {
		return h
	}
	if named && h.most <= 4*h.room && h.measure(ws, byRange) {
		return h
	}
	h.way = byMark
	if h.most > h.room {
		h.way = byBar
	}
	return h
}

// of is what a worker holds, and what it was told to stop and nobody has yet, in the order of State.Units.
func (h *holds) of(w *group.Worker) []int {
	taken := h.taken[w.Worker]
	if len(taken) == 0 || w.Gone {
		return w.Holds
	}
	out := append(slices.Clone(w.Holds), taken...)
	slices.Sort(out)
	return out
}

// roomForNames says at once when a worker holds units of so many connectors that their names can never fit.
func (h *holds) roomForNames(ws []*group.Worker) bool {
	const least = 5 // a letter, a space, a number, a gap
	for _, w := range ws {
		n := 0
		for i, u := range w.Holds {
			if i == 0 || h.s.State.Units[u].Unit.Connector != h.s.State.Units[w.Holds[i-1]].Unit.Connector {
				n++
			}
			if n*least > h.room+least {
				return false
			}
		}
	}
	return true
}

// measure finds the width of each connector's column, and whether all of them fit.
func (h *holds) measure(ws []*group.Worker, way holdsWay) bool {
	h.way, h.columns, h.widths = way, nil, map[string]int{}
	for _, w := range ws {
		for _, run := range h.runs(w) {
			if _, ok := h.widths[run.connector]; !ok {
				h.columns = append(h.columns, run.connector)
			}
			h.widths[run.connector] = max(h.widths[run.connector], run.width)
		}
	}
	slices.Sort(h.columns)
	sum := 0
	for _, c := range h.columns {
		sum += h.widths[c]
	}
	n := len(h.columns) - 1
	if n <= 0 {
		return sum <= h.room
	}
	h.gap = min((h.room-sum)/n, 4)
	return h.gap >= 2
}

// holdRun is the units of one connector on one worker.
type holdRun struct {
	connector string
	units     []heldUnit
	width     int
}

type heldUnit struct {
	text string
	mark label.UnitMark
	tail string
}

// runs parts a worker's units by connector.
func (h *holds) runs(w *group.Worker) []holdRun {
	var out []holdRun
	units, held := h.s.State.Units, h.of(w)
	for i := 0; i < len(held); {
		u := &units[held[i]]
		run := holdRun{connector: u.Unit.Connector, width: cell.Width(cell.Middle(u.Unit.Connector, label.MaxConnector))}
		for i < len(held) && units[held[i]].Unit.Connector == run.connector {
			n := 1
			if h.way == byRange {
				n = alike(units, held[i:])
			}
			one := h.unit(w, &units[held[i]])
			if n > 2 {
				one.text += "-" + label.TaskText(units[held[i+n-1]].Unit)
			} else {
				n = 1
			}
			run.width += 1 + len(one.text) + cell.Width(one.tail)
			run.units = append(run.units, one)
			i += n
		}
		out = append(out, run)
	}
	return out
}

// alike is how many units from the first on are tasks in a row, in the same state.
func alike(units []group.UnitState, held []int) int {
	n := 1
	for n < len(held) {
		a, b := &units[held[n-1]], &units[held[n]]
		if a.Unit.IsInstance() || b.Unit.Connector != a.Unit.Connector || b.Unit.Task != a.Unit.Task+1 || a.State != b.State {
			break
		}
		n++
	}
	return n
}

func (h *holds) unit(w *group.Worker, u *group.UnitState) heldUnit {
	m := label.UnitMarks[u.State]
	if u.State == group.UnitReleased {
		m = label.UnitMarks[group.UnitStopping] // of this worker: it was told to stop it
	}
	held := heldUnit{text: label.TaskText(u.Unit), mark: m}
	if m.Tail && !w.Gone {
		held.tail = string(m.Glyph)
	}
	return held
}

func (h *holds) head(l *cell.Line) {
	name := "holds"
	if h.way >= byMark {
		name = "units"
	}
	l.Gap(h.before()).Text(ui.Muted, name)
	if h.s.Lay.Class >= scene.Vast {
		l.FromRight(memberWidth).Words(ui.Muted, "member", memberWidth-18).Gap(2).Number(ui.Muted, "offset", 6)
	}
}

func (h *holds) before() int {
	if h.s.Lay.Class <= scene.Narrow {
		return 2
	}
	return 3
}

func (h *holds) draw(l *cell.Line, w *group.Worker) {
	l.Gap(h.before())
	switch {
	case len(h.of(w)) == 0:
		if !w.Gone {
			l.Words(ui.Muted, holdsNothing(h.s, w), h.room)
		}
	case h.way == byMark:
		for _, i := range h.of(w) {
			m := label.UnitMarks[h.s.State.Units[i].State]
			l.Rune(m.Token.Plain(), m.Glyph, 1)
		}
	case h.way == byBar:
		h.bar(l, w)
	default:
		h.names(l, w)
	}
}

func (h *holds) names(l *cell.Line, w *group.Worker) {
	start, at := l.Used(), 0
	runs := h.runs(w)
	for _, c := range h.columns {
		if len(runs) > 0 && runs[0].connector == c {
			l.At(start+at).Text(ui.Muted, cell.Middle(c, label.MaxConnector))
			for _, u := range runs[0].units {
				style := ui.Text
				if u.mark.Token != theme.Running && u.mark.Token != theme.Muted {
					style = u.mark.Token.Plain()
				}
				if u.mark.Token == theme.Wrong {
					style = style.Bold()
				}
				l.Gap(1).Text(style, u.text+u.tail)
			}
			runs = runs[1:]
		}
		at += h.widths[c] + h.gap
	}
}

// bar is for workers that hold more units than there are columns: the states to scale, then how many.
func (h *holds) bar(l *cell.Line, w *group.Worker) {
	var counts [scene.UnitKinds]int
	for _, i := range h.of(w) {
		counts[h.s.State.Units[i].State]++
	}
	digits := len(words.Thousands(h.most))
	width := max(h.room-digits-1, 1)
	var parts []ui.Part
	for k := len(counts) - 1; k >= 0; k-- {
		m := label.UnitMarks[group.UnitStateKind(k)]
		parts = append(parts, ui.Part{m.Glyph, m.Token, counts[k]})
	}
	l.Number(ui.Text, words.Thousands(len(h.of(w))), digits).Gap(1)
	ui.DrawStrip(l, parts, h.most, width)
}

func holdsNothing(s *scene.Scene, w *group.Worker) string {
	r := s.State.Round()
	if r != nil && (w.Change == group.WorkerBack || w.Change == group.WorkerJoined) && r.Released > 0 {
		return "nothing yet: the " + words.Thousands(r.Released) + " must stop first"
	}
	return "nothing"
}
