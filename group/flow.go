package group

import "slices"

// FlowMark says what a round made of one unit on one worker.
type FlowMark uint8

// The marks. Held is reported − revoked + assigned (eager: just assigned).
const (
	FlowBefore    FlowMark = 1 << iota // held after the round before
	FlowReported                       // said so when it joined
	FlowRevoked                        // told to stop
	FlowAssigned                       // told to start
	FlowHeld                           // holds it after the round
	FlowRestarted                      // stopped and started: its configuration changed
	FlowDropped                        // let go by itself, and not reported
)

// Has says whether m has all of the marks.
func (m FlowMark) Has(marks FlowMark) bool { return m&marks == marks }

// FlowCell is one unit on one worker, a member of the round or one that left in it.
type FlowCell struct {
	Worker int32 // Member.Worker
	Marks  FlowMark
}

// FlowRow is what a round made of one unit. Nobody is true where it leaves the unit in nobody's hands, in the state Kind.
type FlowRow struct {
	Unit   Unit
	Cells  []FlowCell // by worker number
	Nobody bool
	Kind   UnitStateKind // delayed, unassigned or released, where Nobody
	Last   int32         // number of the worker that had it last, where Nobody; -1 for none seen
}

// Flow is round i of s.Rounds unit by unit, sorted: what each worker held, reported, was told, and holds. It costs little more
// than walking the units once.
func (s *State) Flow(i int) []FlowRow {
	if s.past == nil || i < 0 || i >= len(s.past.rounds) {
		return nil
	}
	h := s.past
	p := h.play(i)
	f := flow{cells: make([][]FlowCell, len(h.tables.units))}
	for _, id := range p.members.ids {
		f.worker(h.tables.members[id].worker, p)
	}
	for j, gone := range p.Left {
		f.add(gone.Worker, FlowBefore, p.leftHeld[j])
	}
	nobody := map[int32]FlowRow{}
	for kind, units := range p.store.unowned() {
		for _, u := range units {
			nobody[u.unit] = FlowRow{Nobody: true, Kind: kind, Last: u.last}
		}
	}
	out := make([]FlowRow, 0, f.rows+len(nobody))
	for _, u := range h.tables.order {
		row, lost := nobody[u]
		if len(f.cells[u]) > 0 || lost {
			row.Unit, row.Cells = h.tables.unitOf(u), f.cells[u]
			out = append(out, row)
		}
	}
	return out
}

// unowned are the units that a round leaves in nobody's hands, by the state that they are in.
func (s *store) unowned() map[UnitStateKind][]unownedUnit {
	return map[UnitStateKind][]unownedUnit{UnitDelayed: s.delayed, UnitUnassigned: s.unassigned, UnitReleased: s.released}
}

// flow gathers cells by unit number.
type flow struct {
	cells [][]FlowCell
	slab  []FlowCell
	rows  int
}

func (f *flow) worker(w int32, p *played) {
	f.add(w, FlowBefore, p.before[w])
	f.add(w, FlowReported, p.reported[w])
	f.add(w, FlowRevoked, p.revoked[w])
	f.add(w, FlowAssigned, p.assigned[w])
	f.add(w, FlowRestarted, p.restarted[w])
	f.add(w, FlowDropped, p.dropped[w])
	f.add(w, FlowHeld, p.held[w])
}

func (f *flow) add(w int32, mark FlowMark, units []int32) {
	for _, u := range units {
		cells := f.cells[u]
		if n := len(cells); n > 0 && cells[n-1].Worker == w { // workers come one after another
			cells[n-1].Marks |= mark
			continue
		}
		if len(cells) == 0 {
			f.rows++
			f.cells[u] = f.one(FlowCell{w, mark})
			continue
		}
		f.cells[u] = append(slices.Clip(cells), FlowCell{w, mark})
	}
}

// one makes a slice of one cell out of a larger piece: most units are on one worker alone.
func (f *flow) one(c FlowCell) []FlowCell {
	const piece = 1024
	if len(f.slab) == cap(f.slab) {
		f.slab = make([]FlowCell, 0, piece)
	}
	f.slab = append(f.slab, c)
	n := len(f.slab)
	return f.slab[n-1 : n : n]
}
