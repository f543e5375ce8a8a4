package scene

import (
	"strconv"
	"strings"

	"regroup/group"
	"regroup/tui/label"
	"regroup/tui/ui"
)

// UnitKinds is how many states a unit can be in.
const UnitKinds = int(group.UnitRunning) + 1

// Digest is what the screen needs of a State's units, counted once a State.
type Digest struct {
	All     int
	Look    int              // need a look
	Matched int              // pass the filter
	Counts  [UnitKinds]int   // of those that pass
	First   [UnitKinds][]int // the first few of each, as indices into State.Units
	running []int            // by worker, as in State.Workers
	Taken   map[int32][]int  // released or stopping and held by nobody, by the worker that had them
}

// firstFew bounds how many units of a state a digest keeps: more than a screen is high, or a line is long.
const firstFew = 320

// DigestCache keeps the digest made last.
type DigestCache struct {
	state  *group.State
	filter string
	value  *Digest
}

// Of is what is kept for a State, made anew where that is another.
func (c *DigestCache) Of(s *group.State, f ui.Filter, focus PaneID) *Digest {
	want := ""
	if focus == PaneUnits || f.String() == ui.OnlyLook {
		want = f.String()
	}
	if c.value == nil || c.state != s || c.filter != want {
		c.state, c.filter, c.value = s, want, newDigest(s, want)
	}
	return c.value
}

func newDigest(s *group.State, want string) *Digest {
	d := &Digest{All: len(s.Units), running: make([]int, len(s.Workers)), Taken: map[int32][]int{}}
	match := UnitMatcher(s, want)
	for i := range s.Units {
		u := &s.Units[i]
		if NeedsLook(u.State) {
			d.Look++
		}
		if u.Worker < 0 && u.Last >= 0 && (u.State == group.UnitReleased || u.State == group.UnitStopping) {
			d.Taken[u.Last] = append(d.Taken[u.Last], i)
		}
		if !match(u) {
			continue
		}
		d.Matched++
		k := int(u.State)
		d.Counts[k]++
		if len(d.First[k]) < firstFew {
			d.First[k] = append(d.First[k], i)
		}
		if u.State == group.UnitRunning && u.Worker >= 0 && u.Worker < len(d.running) {
			d.running[u.Worker]++
		}
	}
	return d
}

// NeedsLook says which states are not as they should be.
func NeedsLook(k group.UnitStateKind) bool { return k <= group.UnitDelayed }

// UnitMatcher says what passes a filter: words that are in the unit's name, its state or its worker's name. Units come sorted,
// so a connector's name is looked at once.
func UnitMatcher(s *group.State, want string) func(*group.UnitState) bool {
	want = strings.ToLower(strings.TrimSpace(want))
	switch want {
	case "":
		return func(*group.UnitState) bool { return true }
	case ui.OnlyLook:
		return func(u *group.UnitState) bool { return NeedsLook(u.State) }
	}
	var kinds [UnitKinds]bool
	for k := range kinds {
		kinds[k] = strings.Contains(group.UnitStateKind(k).String(), want)
	}
	workers := make([]bool, len(s.Workers))
	for i := range workers {
		workers[i] = strings.Contains(strings.ToLower(s.Workers[i].Name), want)
	}
	connector, known, named := "", false, false
	digits := strings.ContainsAny(want, " 0123456789")
	return func(u *group.UnitState) bool {
		if !known || u.Unit.Connector != connector {
			connector, known = u.Unit.Connector, true
			named = strings.Contains(strings.ToLower(connector), want)
		}
		return named || kinds[u.State] || u.Worker >= 0 && u.Worker < len(workers) && workers[u.Worker] ||
			digits && strings.Contains(strings.ToLower(connector)+" "+label.TaskText(u.Unit), want)
	}
}

// UnitsOf are the first few units of a state.
func (d *Digest) UnitsOf(s *group.State, k group.UnitStateKind) []group.Unit {
	out := make([]group.Unit, 0, len(d.First[k]))
	for _, i := range d.First[k] {
		out = append(out, s.Units[i].Unit)
	}
	return out
}

// RunningPieces count the running units of each worker, over so many rows at most.
func (d *Digest) RunningPieces(s *group.State, wide, rows int) [][]ui.Piece {
	var out [][]ui.Piece
	var row []ui.Piece
	left, width := 0, wide
	for _, n := range d.running {
		if n > 0 {
			left++
		}
	}
	for w, n := range d.running {
		if n == 0 {
			continue
		}
		add := []ui.Piece{{ui.Muted, s.Workers[w].Name + " "}, {ui.Text, strconv.Itoa(n)}}
		if row != nil {
			add = append([]ui.Piece{{ui.Text, "  "}}, add...)
		}
		last, room := len(out)+1 == rows, width
		if left--; left > 0 && last {
			room -= 2
		}
		if ui.WidthOf(add) > room && row != nil && !last {
			out, row, width = append(out, row), nil, wide
			add = add[1:]
			if room = width; left > 0 && len(out)+1 == rows {
				room -= 2
			}
		}
		if ui.WidthOf(add) > room {
			return append(out, append(row, ui.Piece{ui.Muted, " …"}))
		}
		width -= ui.WidthOf(add)
		row = append(row, add...)
	}
	return append(out, row)
}
