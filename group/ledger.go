package group

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"regroup/group/assign"
)

// ledger is what the fold remembers from one round to the next, within one history: from the first record seen, or a
// tombstone, on. All per-unit slices are indexed by unit number.
type ledger struct {
	tables *tables
	config *configLog

	prev         *Round
	prevRecord   *record
	prevMember   map[string]int32  // member id → member number, of the round before
	before, held holding           // around the round before: worker number → units
	assignedLast map[int32][]int32 // worker number → units that the round before assigned
	errorFree    int64             // config offset of the last error-free round with members; noOffset before any
	lastProtocol string            // of the last round with members
	seen         map[int32]bool    // workers of the rounds before

	last     []int32            // the last worker that held it, -1 none
	lasts    map[int32][]int32  // where the last ones were several
	ever     []bool             // held in the rounds seen
	gone     []bool             // without the config topic: given up by an episode or an eager round
	given    []int64            // when its holder was told to start it, ms; 0: before the first round seen
	givenGen []int32            // and in which generation
	earlier  []givenOnce        // what given was before: a round that nobody was told of may have to be taken back
	unheldAt []int64            // since when it is in nobody's hands, ms; 0: it is held
	revoked  map[int32]struct{} // within the running episode
	end      *ending            // of the round before, once a State had it: given and givenGen lie in there

	delayEnds time.Time // of the delay that the round before ordered
	episode   *Round    // its first round

	shadow      assign.Shadow
	asPredicted int // rounds that the shadow got right in a row

	sinceKey int // rounds since the last keyframe
	diffSize int // numbers stored since then

	// scratch: stamp[u] == tick means u is in the set that the current step made.
	stamp []int64
	tick  int64
}

// noOffset is "no config offset yet", below Connect's own -1.
const noOffset = int64(-2)

func newLedger(t *tables, c *configLog, maxDelay time.Duration) *ledger {
	learnt := int32(-1)
	if maxDelay > 0 {
		learnt = int32(maxDelay.Milliseconds())
	}
	return &ledger{
		tables:    t,
		config:    c,
		shadow:    assign.NewShadow(learnt),
		held:      holding{},
		lasts:     map[int32][]int32{},
		seen:      map[int32]bool{},
		revoked:   map[int32]struct{}{},
		errorFree: noOffset,
	}
}

// grow makes room for units seen for the first time.
func (l *ledger) grow() {
	n := len(l.tables.units)
	for len(l.last) < n {
		l.last = append(l.last, -1)
	}
	l.given = append(l.given, make([]int64, n-len(l.given))...)
	l.givenGen = append(l.givenGen, make([]int32, n-len(l.givenGen))...)
	l.earlier = append(l.earlier, make([]givenOnce, n-len(l.earlier))...)
	l.unheldAt = append(l.unheldAt, make([]int64, n-len(l.unheldAt))...)
	l.ever = append(l.ever, make([]bool, n-len(l.ever))...)
	l.gone = append(l.gone, make([]bool, n-len(l.gone))...)
	l.stamp = append(l.stamp, make([]int64, n-len(l.stamp))...)
}

// givenOnce is when a worker was told to start a unit.
type givenOnce struct {
	ms         int64
	worker     int32
	generation int32
}

// give notes that a worker was told to start a unit in this round.
func (l *ledger) give(u int32, r *Round) {
	l.earlier[u] = givenOnce{l.given[u], l.last[u], l.givenGen[u]}
	l.given[u], l.givenGen[u] = r.RecordedAt.UnixMilli(), r.Generation
}

// hasStill takes back that another was told to start a unit, for this worker comes with it in hand: the round that gave it away
// never reached that one, or reached it too.
func (l *ledger) hasStill(u, worker int32) {
	if l.last[u] < 0 || l.last[u] == worker || slices.Contains(l.lasts[u], worker) {
		return
	}
	was := l.earlier[u]
	if was.worker != worker {
		was = givenOnce{}
	}
	l.given[u], l.givenGen[u], l.earlier[u] = was.ms, was.generation, givenOnce{}
}

// ending lends the outcome of the round before to States; the next fold goes on with copies.
func (l *ledger) ending() *ending {
	if l.end == nil {
		l.end = &ending{before: l.before, held: l.held, given: givenTable{l.given, l.givenGen}, shadow: l.shadow}
	}
	return l.end
}

// own makes copies of what was lent.
func (l *ledger) own() {
	if l.end != nil {
		l.given, l.givenGen, l.end = slices.Clone(l.given), slices.Clone(l.givenGen), nil
	}
}

// mark makes the scratch set hold just these units.
func (l *ledger) mark(units []int32) {
	l.tick++
	for _, u := range units {
		l.stamp[u] = l.tick
	}
}

func (l *ledger) marked(u int32) bool { return l.stamp[u] == l.tick }

// clone copies what a fold changes, so that rounds can be folded again when the config topic was late.
func (l *ledger) clone() *ledger {
	c := *l
	c.last = append([]int32(nil), l.last...)
	c.ever = append([]bool(nil), l.ever...)
	c.gone = append([]bool(nil), l.gone...)
	c.given = append([]int64(nil), l.given...)
	c.givenGen = append([]int32(nil), l.givenGen...)
	c.earlier = append([]givenOnce(nil), l.earlier...)
	c.unheldAt = append([]int64(nil), l.unheldAt...)
	c.seen = copyMap(l.seen)
	c.stamp = make([]int64, len(l.stamp))
	c.tick = 0
	c.lasts, c.revoked = copyMap(l.lasts), copyMap(l.revoked)
	return &c
}

func copyMap[K comparable, V any](m map[K]V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// duplicates is what two or more members report.
func (l *ledger) duplicates(rec *record) []int32 {
	l.tick++
	seen := l.tick
	l.tick++
	again := l.tick
	var dups []int32
	for i := range rec.members {
		for _, u := range rec.members[i].reported {
			switch l.stamp[u] {
			case seen:
				l.stamp[u] = again
				dups = append(dups, u)
			case again:
			default:
				l.stamp[u] = seen
			}
		}
	}
	return dups
}

// twice counts the units that start although the worker which ran them is here and was not told to stop (KAFKA-13816).
func (l *ledger) twice(rec *record, p *parts) int {
	n := 0
	present := map[int32]bool{}
	for i := range rec.members {
		present[rec.members[i].worker] = true
	}
	carrier := map[int32]int32{}
	for w, units := range l.held {
		if present[w] {
			for _, u := range units {
				carrier[u] = w
			}
		}
	}
	for i := range rec.members {
		for _, u := range p.each[i].held {
			if w, ok := carrier[u]; ok && w != rec.members[i].worker {
				n++
			}
		}
	}
	return n
}

func cmpStrings(a, b string) int { return strings.Compare(a, b) }

var digestSeed = maphash.MakeSeed()

// digest tells two sets of properties apart within this process.
func digest(properties map[string]string) uint64 {
	var sum uint64
	for k, v := range properties {
		var h maphash.Hash
		h.SetSeed(digestSeed)
		h.WriteString(k)
		h.WriteByte(0)
		h.WriteString(v)
		sum += h.Sum64()
	}
	return sum
}

func (r *Round) delay() time.Duration { return time.Duration(r.DelayMs) * time.Millisecond }

// known calls yield for every unit known at a round.
func (l *ledger) known(offset int64, yield func(unit int32)) {
	if l.config.seen {
		l.config.knownUnits(offset, func(u int32) bool { return int(u) < len(l.ever) && l.ever[u] }, yield)
		return
	}
	for u, ever := range l.ever {
		if ever && !l.gone[u] {
			yield(int32(u))
		}
	}
}

// giveUp drops, for lack of a config topic, units that were revoked and given to nobody by their episode's end, and what
// an eager round left out: they were deleted. The units that are held now are marked.
func (l *ledger) giveUp(r *Round, rec *record) {
	for u := range l.revoked {
		if l.marked(u) {
			delete(l.revoked, u)
		}
	}
	for i := range rec.members {
		for _, u := range rec.members[i].revoked {
			l.revoked[u] = struct{}{}
		}
	}
	if r.Mode == ModeEager && r.Error == 0 {
		for u := range l.ever {
			l.gone[u] = l.gone[u] || l.ever[u] && !l.marked(int32(u))
		}
	}
	if r.Settled {
		for u := range l.revoked {
			l.gone[u] = true
		}
	}
}

// unowned finds the units in nobody's hands: released, delayed or unassigned.
func (l *ledger) unowned(r *Round, rec *record, p *parts) {
	l.tick++
	held := 0
	for i := range p.each {
		for _, u := range p.each[i].held {
			if !l.marked(u) {
				held++
			}
			l.stamp[u] = l.tick
		}
	}
	l.giveUp(r, rec)
	if r.Empty() || r.Error != 0 {
		return
	}
	known := make([]int32, 0, len(l.tables.units))
	l.known(r.ConfigOffset, func(u int32) { known = append(known, u) })
	l.grow()
	r.Units = held
	revoked := map[int32]bool{}
	for i := range rec.members {
		for _, u := range rec.members[i].revoked {
			revoked[u] = true
		}
	}
	var nobody []unownedUnit
	for _, u := range known {
		if l.marked(u) {
			l.unheldAt[u] = 0
			continue
		}
		l.stamp[u] = l.tick
		r.Units++
		if l.unheldAt[u] == 0 {
			l.unheldAt[u] = r.RecordedAt.UnixMilli()
		}
		n := unownedUnit{u, l.last[u], l.unheldAt[u]}
		if revoked[u] {
			r.store.released = append(r.store.released, n)
		} else {
			nobody = append(nobody, n)
		}
	}
	if r.DelayMs > 0 {
		r.store.delayed = nobody
	} else {
		r.store.unassigned = nobody
	}
	r.store.duplicated = p.dups
	slices.SortFunc(r.store.duplicated, cmp.Compare)
	if l.prev != nil && slices.Equal(l.prev.store.delayed, r.store.delayed) {
		r.store.delayed = l.prev.store.delayed
	}
	if l.prev != nil && slices.Equal(l.prev.store.unassigned, r.store.unassigned) {
		r.store.unassigned = l.prev.store.unassigned
	}
	r.Released, r.Delayed, r.Unassigned = len(r.store.released), len(r.store.delayed), len(r.store.unassigned)
	r.Duplicated = len(r.store.duplicated)
}
