package group

import (
	"slices"
)

// store is what a Round keeps so that its Detail can be made again: differences to what was held after the round before,
// and now and then (a keyframe) all of that. Its slices are never changed once the round is published.
type store struct {
	key       []portion // held before this round, complete; nil where it is not a keyframe
	reported  []diff    // what members report, against what they held
	silent    bool      // nobody reports anything: no diffs
	assigned  []portion // cooperative
	revoked   []portion
	given     []diff // eager: what members hold, against what they held
	restarted []portion
	dropped   []portion
	died      []int32 // workers whose process died and was back within its session, and so dropped what it ran
	moved     []movedUnit
	leftHeld  [][]int32 // in the order of Left
	members   *memberSet
	offsets   []int64 // config offsets in the order of members; nil: all are the round's own

	released, delayed, unassigned []unownedUnit
	duplicated                    []int32
	unreported                    *unreported // nil in most rounds
	awaited                       []awaited   // connectors whose first tasks are yet to come

	prevMode  Mode // of the round before; ModeNone for the first and after an empty one
	prevError bool
	life      int    // Seq of the first round since the group was made
	news      string // its line in the list of events
}

// movedUnit is a unit that another worker holds now.
type movedUnit struct{ unit, from, to int32 }

// unownedUnit is a unit in nobody's hands: whose it was, -1 for nobody seen, and since when (ms).
type unownedUnit struct {
	unit, last int32
	since      int64
}

// portion is some units of one worker.
type portion struct {
	worker int32
	units  []int32
}

// diff is more and fewer units of one worker.
type diff struct {
	worker     int32
	more, less []int32
}

// memberSet is who is in a round, sorted by member id; rounds with the same members share one.
type memberSet struct {
	ids      []int32 // member numbers
	wire     []int32
	names    []string
	problems []string // nil where all could be read
}

const keyEvery = 128

func (l *ledger) store(r *Round, rec *record, p *parts) {
	r.members, r.offsets = l.memberSet(rec), offsetsOf(rec)
	if l.prev != nil {
		r.prevMode, r.prevError = l.prev.Mode, l.prev.Error != 0
	}
	if l.prev == nil || l.sinceKey >= keyEvery || l.diffSize > len(l.tables.units) {
		l.sinceKey, l.diffSize = 0, 0
		r.key = make([]portion, 0, len(l.held))
		for w, units := range l.held {
			r.key = append(r.key, portion{w, units})
		}
	}
	l.sinceKey++
	r.silent = !slices.ContainsFunc(rec.members, func(m joined) bool { return len(m.reported) > 0 })
	for i := range rec.members {
		m := &rec.members[i]
		if !r.silent {
			r.reported = l.diff(r.reported, m.worker, l.held[m.worker], m.reported)
		}
		if r.Mode == ModeEager {
			r.given = l.diff(r.given, m.worker, l.held[m.worker], p.each[i].held)
		} else {
			r.assigned = appendPortion(r.assigned, m.worker, m.assigned)
		}
		r.revoked = appendPortion(r.revoked, m.worker, m.revoked)
		r.restarted = appendPortion(r.restarted, m.worker, p.each[i].restarted)
		r.dropped = appendPortion(r.dropped, m.worker, p.each[i].lost)
		r.moved = append(r.moved, p.each[i].moves...)
		l.diffSize += len(m.revoked)
		if r.Mode != ModeEager {
			l.diffSize += len(m.assigned)
		}
	}
}

func appendPortion(out []portion, worker int32, units []int32) []portion {
	if len(units) == 0 {
		return out
	}
	return append(out, portion{worker, slices.Clone(units)})
}

func (l *ledger) diff(out []diff, worker int32, before, now []int32) []diff {
	if slices.Equal(before, now) {
		return out
	}
	d := diff{worker: worker}
	l.mark(before)
	for _, u := range now {
		if !l.marked(u) {
			d.more = append(d.more, u)
		}
	}
	if len(before) != len(now)-len(d.more) {
		l.mark(now)
		for _, u := range before {
			if !l.marked(u) {
				d.less = append(d.less, u)
			}
		}
	}
	if d.more == nil && d.less == nil {
		return out
	}
	l.diffSize += len(d.more) + len(d.less)
	return append(out, d)
}

func (l *ledger) memberSet(rec *record) *memberSet {
	s := &memberSet{}
	for i := range rec.members {
		m := &rec.members[i]
		s.ids = append(s.ids, l.tables.member(m.memberInfo))
		s.wire = append(s.wire, int32(m.wire))
		if m.problem != "" {
			if s.problems == nil {
				s.problems = make([]string, len(rec.members))
			}
			s.problems[i] = m.problem
		}
	}
	if l.prev != nil {
		if old := l.prev.members; slices.Equal(old.ids, s.ids) && slices.Equal(old.wire, s.wire) && slices.Equal(old.problems, s.problems) {
			return old
		}
	}
	s.names = l.namesOf(rec)
	return s
}

func offsetsOf(rec *record) []int64 {
	if !slices.ContainsFunc(rec.members, func(m joined) bool { return m.configOffset != rec.configOffset }) {
		return nil
	}
	out := make([]int64, len(rec.members))
	for i := range rec.members {
		out[i] = rec.members[i].configOffset
	}
	return out
}
