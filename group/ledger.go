package group

import (
	"slices"
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
