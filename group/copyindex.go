package group

import (
	"slices"
	"sort"
	"time"

	"regroup/decode"
)

// Most copies end with a status of their worker. What rounds tell of those that ended without one is gathered once for all units.

// quietEnd is a unit that a worker was told to stop in round i, and did not report in the next, without a word: its task was cancelled, or
// another worker's newer status stood in its way.
type quietEnd struct {
	i      int
	author string
}

// droppedUnit is a unit that a worker let go of by itself before round i.
type droppedUnit struct {
	i       int
	worker  int32
	author  string
	back    bool // it got it back
	renewed bool // under another member id than in the round before
}

// index gathers what rounds tell of copies that ended without a status.
func (f *gapFinder) index() {
	f.leaves, f.quiet, f.dropped = map[string][]*departure{}, map[int32][]quietEnd{}, map[int32][]droppedUnit{}
	f.moved = map[int32][]droppedUnit{}
	for i, r := range f.rounds {
		if i == 0 || r.First {
			f.begins = append(f.begins, i)
		}
		for j, gone := range r.Left {
			author := f.author(gone.Worker)
			f.leaves[author] = append(f.leaves[author], &departure{i: i, gone: gone, units: r.leftHeld[j]})
		}
		for _, c := range r.Causes {
			if c.Kind == CauseWorkerReturned {
				f.renewal(i, c.Worker)
			}
		}
		for _, p := range r.store.dropped {
			renewed := slices.ContainsFunc(r.store.unreported.by, func(by unreportedBy) bool { return by.worker == p.worker && by.renewed })
			for _, unit := range p.units {
				f.dropped[unit] = append(f.dropped[unit], droppedUnit{i: i, worker: p.worker, author: f.author(p.worker), renewed: renewed})
			}
		}
		f.givenBack(i)
		if r.Mode == ModeEager && r.Error == 0 && r.prevMode == ModeCooperative { // nothing is stopped (KAFKA-13816)
			for _, d := range r.store.given {
				for _, unit := range d.less {
					f.moved[unit] = append(f.moved[unit], droppedUnit{i: i, worker: d.worker, author: f.author(d.worker)})
				}
			}
		}
		f.cancelled(i)
	}
}

// givenBack notes where round i gives a unit to a worker that an eager round had taken it from.
func (f *gapFinder) givenBack(i int) {
	if len(f.moved) == 0 {
		return
	}
	note := func(worker int32, units []int32) {
		for _, unit := range units {
			if f.moved[unit] != nil {
				f.moved[unit] = append(f.moved[unit], droppedUnit{i: i, worker: worker, author: f.author(worker), back: true})
			}
		}
	}
	r := f.rounds[i]
	for _, p := range r.store.assigned {
		note(p.worker, p.units)
	}
	for _, d := range r.store.given {
		note(d.worker, d.more)
	}
}

// hadAtFirst is what a worker had when a history began.
func (f *gapFinder) hadAtFirst(i int, name string) unitSet {
	if f.hadFirst == nil {
		f.hadFirst = map[int]map[string]unitSet{}
	}
	had := f.hadFirst[i]
	if had == nil {
		had = map[string]unitSet{}
		reported, held := f.rounds[i].replay(f.h.heldBefore(f.first + i))
		for w, units := range held {
			had[f.author(w)] = setOf(slices.Concat(units, reported[w]))
		}
		f.hadFirst[i] = had
	}
	return had[name]
}

// renewal notes a worker that was in the round before under another member id.
func (f *gapFinder) renewal(i int, member string) {
	h, all := f.h, f.first+i
	if all == 0 || f.rounds[i].First {
		return
	}
	for _, id := range h.rounds[all].members.ids {
		m := &h.tables.members[id]
		if m.id != member {
			continue
		}
		if was := h.memberOf(all-1, m.worker); was >= 0 {
			gone := Gone{Member: h.tables.members[was].id, Client: m.client, URL: m.url, Worker: m.worker}
			author := f.author(m.worker)
			d := &departure{i: i, gone: gone, renewed: true}
			for _, p := range f.rounds[i].store.dropped {
				if p.worker == m.worker {
					d.units = p.units
				}
			}
			f.leaves[author] = append(f.leaves[author], d)
		}
	}
}

// cancelled notes the units that workers were told to stop in round i and let go of without a word.
func (f *gapFinder) cancelled(i int) {
	r := f.rounds[i]
	if i+1 >= len(f.rounds) || r.Mode != ModeCooperative || r.Error != 0 {
		return
	}
	next := f.rounds[i+1]
	var reported holding // made when it is asked for
	for _, p := range r.store.revoked {
		author := f.author(p.worker)
		var has unitSet
		asked := false
		for _, unit := range p.units {
			if last := f.lastBefore(unit, author, next); last == nil || last.deleted || last.state == decode.Unassigned {
				continue
			}
			if f.h.memberOf(f.first+i+1, p.worker) < 0 {
				break
			}
			if !asked {
				if reported == nil {
					reported = f.reported(i + 1)
				}
				has, asked = setOf(reported[p.worker]), true
			}
			if !has.has(unit) {
				f.quiet[unit] = append(f.quiet[unit], quietEnd{i, author})
			}
		}
	}
}

// lastBefore is the newest claim that an author made of a unit before it joined a round; nil for none.
func (f *gapFinder) lastBefore(unit int32, author string, r *Round) *claim {
	claims := f.claims(unit)
	from := sort.Search(len(claims), func(i int) bool { return claims[i].at.After(r.RecordedAt.Add(time.Minute)) })
	for _, k := range slices.Backward(claims[:from]) {
		if k.worker == author && k.before(r) {
			return k
		}
	}
	return nil
}

// author is the name under which a worker's claims are kept.
func (f *gapFinder) author(worker int32) string {
	if f.authors == nil {
		f.authors = map[int32]string{}
		for i := range f.h.tables.members {
			m := &f.h.tables.members[i]
			f.authors[m.worker] = author(m.url, m.worker)
		}
	}
	return f.authors[worker]
}
