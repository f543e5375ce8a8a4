package tui

import (
	"strconv"
	"strings"

	"regroup/group"
)

// unitKinds is how many states a unit can be in.
const unitKinds = int(group.UnitRunning) + 1

// digest is what the screen needs of a State's units, counted once a State.
type digest struct {
	all     int
	look    int              // need a look
	matched int              // pass the filter
	counts  [unitKinds]int   // of those that pass
	first   [unitKinds][]int // the first few of each, as indices into State.Units
	running []int            // by worker, as in State.Workers
	taken   map[int32][]int  // released or stopping and held by nobody, by the worker that had them
}

// firstFew bounds how many units of a state a digest keeps: more than a screen is high, or a line is long.
const firstFew = 320

type digestCache struct {
	state  *group.State
	filter string
	value  *digest
}

func (c *digestCache) of(s *group.State, f filter, focus paneID) *digest {
	want := ""
	if focus == paneUnits || f.text == onlyLook {
		want = f.text
	}
	if c.value == nil || c.state != s || c.filter != want {
		c.state, c.filter, c.value = s, want, newDigest(s, want)
	}
	return c.value
}

func newDigest(s *group.State, want string) *digest {
	d := &digest{all: len(s.Units), running: make([]int, len(s.Workers)), taken: map[int32][]int{}}
	match := unitMatcher(s, want)
	for i := range s.Units {
		u := &s.Units[i]
		if needsLook(u.State) {
			d.look++
		}
		if u.Worker < 0 && u.Last >= 0 && (u.State == group.UnitReleased || u.State == group.UnitStopping) {
			d.taken[u.Last] = append(d.taken[u.Last], i)
		}
		if !match(u) {
			continue
		}
		d.matched++
		k := int(u.State)
		d.counts[k]++
		if len(d.first[k]) < firstFew {
			d.first[k] = append(d.first[k], i)
		}
		if u.State == group.UnitRunning && u.Worker >= 0 && u.Worker < len(d.running) {
			d.running[u.Worker]++
		}
	}
	return d
}

// needsLook says which states are not as they should be.
func needsLook(k group.UnitStateKind) bool { return k <= group.UnitDelayed }

// unitMatcher says what passes a filter: words that are in the unit's name, its state or its worker's name. Units come sorted,
// so a connector's name is looked at once.
func unitMatcher(s *group.State, want string) func(*group.UnitState) bool {
	want = strings.ToLower(strings.TrimSpace(want))
	switch want {
	case "":
		return func(*group.UnitState) bool { return true }
	case onlyLook:
		return func(u *group.UnitState) bool { return needsLook(u.State) }
	}
	var kinds [unitKinds]bool
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
			digits && strings.Contains(strings.ToLower(connector)+" "+taskText(u.Unit), want)
	}
}

// unitsOf are the first few units of a state.
func (d *digest) unitsOf(s *group.State, k group.UnitStateKind) []group.Unit {
	out := make([]group.Unit, 0, len(d.first[k]))
	for _, i := range d.first[k] {
		out = append(out, s.Units[i].Unit)
	}
	return out
}

// runningPieces count the running units of each worker, over so many rows at most.
func (d *digest) runningPieces(s *group.State, wide, rows int) [][]piece {
	var out [][]piece
	var row []piece
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
		add := []piece{{muted, s.Workers[w].Name + " "}, {text, strconv.Itoa(n)}}
		if row != nil {
			add = append([]piece{{text, "  "}}, add...)
		}
		last, room := len(out)+1 == rows, width
		if left--; left > 0 && last {
			room -= 2
		}
		if widthOf(add) > room && row != nil && !last {
			out, row, width = append(out, row), nil, wide
			add = add[1:]
			if room = width; left > 0 && len(out)+1 == rows {
				room -= 2
			}
		}
		if widthOf(add) > room {
			return append(out, append(row, piece{muted, " …"}))
		}
		width -= widthOf(add)
		row = append(row, add...)
	}
	return append(out, row)
}
