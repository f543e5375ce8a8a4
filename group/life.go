package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// EntryKind says what happened to a unit.
type EntryKind string

// The kinds.
const (
	LifeGiven     EntryKind = "given"     // a round told Worker to start it
	LifeBack      EntryKind = "back"      // Worker came back with it in hand
	LifeRevoked   EntryKind = "revoked"   // a round told Worker to stop it
	LifeMoved     EntryKind = "moved"     // an eager round gave it to another than Worker
	LifeLeft      EntryKind = "left"      // Worker left the group with it
	LifeDropped   EntryKind = "dropped"   // Worker let it go by itself
	LifeRestarted EntryKind = "restarted" // stopped and started on Worker
	LifeKept      EntryKind = "kept"      // Worker holds it on, in this round and Rounds-1 before
	LifeSaid      EntryKind = "said"      // Worker wrote State to the status topic
	LifeRemoved   EntryKind = "removed"   // its status was deleted
	LifeConfig    EntryKind = "config"    // its connector's configuration was written
)

// Entry is one line of a unit's story.
type Entry struct {
	At     time.Time
	Kind   EntryKind
	Round  *Round // nil for what no round did
	Worker string // short name
	State  string // said, config: as written
	// Runs is when the worker said RUNNING after being told to start; zero when it did not.
	Runs   time.Time
	After  time.Duration // said: so long after the round that told the worker to start it, where it said nothing before; else 0
	Waits  bool          // left, revoked, dropped: nobody has it after the round,
	Then   UnitStateKind // and it is in this state
	Twice  bool          // given: its old copy had not been stopped
	Eager  bool          // restarted: an eager round stops everything
	Rounds int           // kept: how many rounds in a row
	// A gap in which it did not run ended here; both are 0 where none did.
	GapLow, GapHigh time.Duration

	worker int32
}

// lifeWindow bounds how many rounds back a unit's story is told.
const lifeWindow = 512

// UnitHistory is the story of s.Units[i] up to this moment, oldest first.
func (s *State) UnitHistory(i int) []Entry {
	if s.past == nil || s.At < 0 || i < 0 || i >= len(s.numbers) {
		return nil
	}
	first := max(0, s.At-lifeWindow)
	l := &unitHistory{s: s, h: s.past, unit: s.numbers[i]}
	for w, units := range s.past.heldBefore(first) {
		if slices.Contains(units, l.unit) {
			l.holders = append(l.holders, w)
		}
	}
	for k := first; k <= s.At; k++ {
		l.round(s.past.rounds[k])
	}
	l.statuses(s.past.rounds[first].RecordedAt)
	l.configs(s.past.rounds[first].RecordedAt)
	slices.SortStableFunc(l.out, func(a, b Entry) int { return a.At.Compare(b.At) })
	l.gaps()
	return l.tidy()
}

// unitHistory follows one unit through the rounds.
type unitHistory struct {
	s       *State
	h       *history
	unit    int32
	holders []int32 // worker numbers
	kept    int     // index in out of the open line of rounds that kept it, plus 1
	out     []Entry
}

func (l *unitHistory) has(units []int32) bool { return slices.Contains(units, l.unit) }

func (l *unitHistory) drop(w int32) {
	l.holders = slices.DeleteFunc(slices.Clone(l.holders), func(o int32) bool { return o == w })
}

func (l *unitHistory) take(w int32) {
	if !slices.Contains(l.holders, w) {
		l.holders = append(slices.Clone(l.holders), w)
	}
}

// advance is Round.advance for one unit.
func (l *unitHistory) advance(r *Round) {
	for i := range r.Left {
		l.drop(r.Left[i].Worker)
	}
	apply := func(diffs []diff) {
		for _, d := range diffs {
			if l.has(d.less) {
				l.drop(d.worker)
			}
			if l.has(d.more) {
				l.take(d.worker)
			}
		}
	}
	if r.Mode == ModeEager && r.Error == 0 {
		apply(r.given)
		return
	}
	if r.silent {
		l.holders = nil
	} else {
		apply(r.store.reported)
	}
	if r.Error != 0 {
		return
	}
	for _, p := range r.store.revoked {
		if l.has(p.units) {
			l.drop(p.worker)
		}
	}
	for _, p := range r.store.assigned {
		if l.has(p.units) {
			l.take(p.worker)
		}
	}
}

func holdsUnit(portions []portion, worker, unit int32) bool {
	return slices.ContainsFunc(portions, func(p portion) bool { return p.worker == worker && slices.Contains(p.units, unit) })
}

func (l *unitHistory) round(r *Round) {
	before := l.holders
	l.advance(r)
	for _, w := range before {
		if !slices.Contains(l.holders, w) {
			l.lost(r, w)
		}
	}
	for _, w := range l.holders {
		switch {
		case !slices.Contains(before, w) && r.Mode == ModeCooperative && !holdsUnit(r.store.assigned, w, l.unit):
			l.say(r, LifeBack, w)
		case !slices.Contains(before, w):
			l.say(r, LifeGiven, w).Twice = r.Mode == ModeEager && r.prevMode == ModeCooperative && len(before) > 0
		case r.prevMode == ModeEager && r.Error == 0 && !r.First:
			l.say(r, LifeRestarted, w).Eager = true
		case holdsUnit(r.store.restarted, w, l.unit):
			l.say(r, LifeRestarted, w)
		case l.kept > 0 && r.Mode == r.prevMode:
			k := &l.out[l.kept-1]
			k.At, k.Round, k.Rounds = r.RecordedAt, r, k.Rounds+1
		default:
			l.say(r, LifeKept, w).Rounds = 1
			if r.Mode == r.prevMode { // that it was kept through a change of mode stands by itself
				l.kept = len(l.out)
			}
		}
	}
}

// lost tells how a worker lost the unit in a round.
func (l *unitHistory) lost(r *Round, w int32) {
	kind := LifeDropped
	switch {
	case slices.ContainsFunc(r.Left, func(g Gone) bool { return g.Worker == w }):
		kind = LifeLeft
	case holdsUnit(r.store.revoked, w, l.unit):
		kind = LifeRevoked
	case r.Mode == ModeEager || r.prevMode == ModeEager:
		kind = LifeMoved
	}
	e := l.say(r, kind, w)
	if len(l.holders) > 0 {
		return
	}
	for state, units := range r.store.unowned() {
		if slices.ContainsFunc(units, func(u unownedUnit) bool { return u.unit == l.unit }) {
			e.Waits, e.Then = true, state
		}
	}
}

func (l *unitHistory) say(r *Round, kind EntryKind, w int32) *Entry {
	l.kept = 0
	l.out = append(l.out, Entry{At: r.RecordedAt, Round: r, Kind: kind, Worker: l.h.nameIn(r, w), worker: w})
	return &l.out[len(l.out)-1]
}

// nameIn is a worker's short name in a round that it is in or has just left.
func (h *history) nameIn(r *Round, worker int32) string {
	for j, id := range r.members.ids {
		if h.tables.members[id].worker == worker {
			return r.members.names[j]
		}
	}
	for _, g := range r.Left {
		if g.Worker == worker {
			return g.Name
		}
	}
	return ""
}

// configs are the records of the unit's connector: what a restart came of.
func (l *unitHistory) configs(from time.Time) {
	connector := l.h.tables.units[l.unit].connector
	for _, e := range l.h.config {
		if e.connector != connector || e.at.Before(from) || e.at.After(l.s.Now) {
			continue
		}
		h := Entry{At: e.at, Kind: LifeConfig, worker: -1}
		switch {
		case e.kind == decode.ConfigTargetState && !e.deleted:
			h.State = "target state " + e.state
		case e.kind == decode.ConfigRestart:
			h.State = "restart requested"
		default:
			continue // rounds tell of the others
		}
		l.out = append(l.out, h)
	}
}

// statuses puts what the status topic says of the unit into its story: a RUNNING goes to the round that asked for it, an
// UNASSIGNED to the one that took it away; what no round explains stands by itself.
func (l *unitHistory) statuses(from time.Time) {
	var said []claim
	for _, k := range l.h.claims {
		if k.unit == l.unit && !k.at.Before(from) && !k.at.After(l.s.Now) {
			said = append(said, k)
		}
	}
	slices.SortStableFunc(said, claim.compare)
	rounds := len(l.out)
	for _, k := range said {
		name := l.s.moment.nameOf(&k)
		switch {
		case k.deleted:
			l.out = append(l.out, Entry{At: k.at, Kind: LifeRemoved, worker: -1})
			continue
		case k.state == decode.Running && l.ran(rounds, name, k.at):
			continue
		case k.state == decode.Unassigned && l.stopped(rounds, name, k.at):
			continue
		}
		l.out = append(l.out, Entry{At: k.at, Kind: LifeSaid, Worker: name, State: k.state, After: l.asked(rounds, name, k.at), worker: -1})
	}
}

// ran notes that a worker runs what the newest round before told it to start; false when none did.
func (l *unitHistory) ran(rounds int, name string, at time.Time) bool {
	for i := rounds - 1; i >= 0; i-- {
		e := &l.out[i]
		if e.At.After(at.Add(time.Second)) || e.Worker != name {
			continue
		}
		if (e.Kind == LifeGiven || e.Kind == LifeRestarted) && e.Runs.IsZero() {
			e.Runs = at
			return true
		}
		return false
	}
	return false
}

// asked is how long ago the newest round told a worker to start the unit, if it said nothing since.
func (l *unitHistory) asked(rounds int, name string, at time.Time) time.Duration {
	for i := rounds - 1; i >= 0; i-- {
		e := &l.out[i]
		if e.At.After(at) {
			continue
		}
		if e.Worker == name && (e.Kind == LifeGiven || e.Kind == LifeRestarted) && e.Runs.IsZero() {
			return at.Sub(e.At)
		}
		return 0
	}
	return 0
}

// explained is how far a stop may lie from the round that explains it.
const explained = 10 * time.Second

// stopped says whether a round took the unit from a worker, or restarted it there, about when it said UNASSIGNED.
func (l *unitHistory) stopped(rounds int, name string, at time.Time) bool {
	return slices.ContainsFunc(l.out[:rounds], func(e Entry) bool {
		switch {
		case e.Worker != name || e.At.Sub(at).Abs() > explained:
			return false
		case e.Kind == LifeRevoked:
			return !e.At.After(at.Add(time.Second))
		}
		return e.Kind == LifeRestarted || e.Kind == LifeMoved || e.Kind == LifeLeft
	})
}

// gaps notes where the unit ran again.
func (l *unitHistory) gaps() {
	for _, g := range l.s.gapList() {
		if g.unit != l.unit || !g.ended {
			continue
		}
		for i := range l.out {
			e := &l.out[i]
			if e.Runs.Equal(g.to) || e.Kind == LifeSaid && e.At.Equal(g.to) || g.to.Equal(e.At) && e.Kind == LifeGiven {
				e.GapLow, e.GapHigh = g.length(l.s.Now)
				break
			}
		}
	}
}

// tidy leaves out rounds that kept the unit, but for the last.
func (l *unitHistory) tidy() []Entry {
	last := -1
	for i := range l.out {
		if l.out[i].Round != nil {
			last = i
		}
	}
	out := l.out[:0]
	for i, e := range l.out {
		if e.Kind == LifeKept && i != last && e.Round.Mode == e.Round.prevMode {
			continue
		}
		out = append(out, e)
	}
	return out
}

// UnitSum is what a unit's story comes to.
type UnitSum struct {
	Since time.Time // it was first held, as far as history goes
	Gaps  int
	Cost  Cost
	Moves int
	Stops int // rounds that stopped it, or made it wait
	Eager int // rounds in which eager would have stopped it
}

// UnitSum adds up the story of s.Units[i].
func (s *State) UnitSum(i int) UnitSum {
	var sum UnitSum
	if s.past == nil || s.At < 0 || i < 0 || i >= len(s.numbers) {
		return sum
	}
	for _, g := range s.gapList() {
		if g.unit == s.numbers[i] {
			sum.Gaps++
			sum.Cost.add(&g, s.Now)
		}
	}
	first := max(0, s.At-lifeWindow)
	l := &unitHistory{s: s, h: s.past, unit: s.numbers[i]}
	for w, units := range s.past.heldBefore(first) {
		if l.has(units) {
			l.holders = append(l.holders, w)
		}
	}
	last := int32(-1)
	for k := first; k <= s.At; k++ {
		r := s.past.rounds[k]
		n, had := len(l.out), len(l.holders) > 0
		if had && r.EagerWouldStop > 0 {
			sum.Eager++
		}
		l.round(r)
		stopped := false
		for _, e := range l.out[n:] {
			if sum.Since.IsZero() {
				sum.Since = e.At
			}
			stopped = stopped || e.Kind != LifeGiven && e.Kind != LifeKept && e.Kind != LifeBack
			if e.Kind == LifeGiven {
				if last >= 0 && last != e.worker {
					sum.Moves++
				}
				last = e.worker
			}
		}
		if stopped {
			sum.Stops++
		}
	}
	return sum
}
