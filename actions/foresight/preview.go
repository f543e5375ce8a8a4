package foresight

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
)

// Preview is what a change means for a group: the rounds to come, and beside them those that eager would have.
type Preview struct {
	Group      string
	At         time.Time // the State's now
	Seq        int       // of the round that it starts from
	Generation int32
	// Outcomes are the ways in which it may go, the likeliest first; one, where nothing hangs on who is quicker.
	Outcomes []Outcome
	// Pace is how long units take to stop and to start, by which costs are told: this group's own, or, where Assumed, what is
	// usual.
	Pace    group.Pace
	Assumed bool
	// Times is how often that is done, each time one of the Outcomes; they tell one time. 0 is 1.
	Times int

	repeated *repeated        // where it is done several times
	rare     func() []Outcome // that are not told beforehand; nil: none
}

// Outcome is one way in which it may go.
type Outcome struct {
	Name   string // what decides that it goes this way; "" for the only one
	Rounds []Foreseen
	// Doubts say why it may come otherwise; none: it is exact.
	Caveats []string
	// Precision is how fine it is foreseen, where a member id that nobody knows yet decides ties. What came is held against it as
	// finely, and no finer.
	Precision Precision
	// Warnings say what of it does harm that the counts do not show.
	Warnings []string
	// Eager are the rounds that an eager group would have.
	Eager []Foreseen
	// Cost is what its rounds cost in work not running, and EagerCost what those of an eager group would. They are Growing
	// where nothing starts a unit again, and Estimated where the pace is assumed.
	Cost, EagerCost group.Cost
	// Parts are, of a Sequence, how many rounds there are after each of its changes.
	Parts []int
	// State stands after the last foreseen round; its newest rounds are the foreseen ones, to be drawn like any others.
	State *group.State
}

// Precision is how fine something is foreseen.
type Precision int

// The precisions.
const (
	InUnits  Precision = iota // which units each worker starts and stops
	InCounts                  // how many
	InRounds                  // which rounds come, and who is in them
)

// Foreseen is a round to come. Its members have the ids that they have now; one that comes new has a made-up one.
type Foreseen struct {
	*group.Detail
	Why string        // what brings it about
	In  time.Duration // from the preview's moment, at the earliest
	// Slack is how much later it may come: what workers notice, they notice within a heartbeat.
	Slack time.Duration

	at, early, late time.Duration // from the preview's moment, and how much earlier or later by what came before
	begun           time.Duration // from the preview's moment: its join
	slack           time.Duration // of its own
	Cost            group.Cost    // what it costs in work not running
}

// Exact says whether an outcome is certain, if it is the one that comes.
func (o *Outcome) Exact() bool { return len(o.Caveats) == 0 }

// Stopped counts the units that its rounds stop.
func Stopped(rounds []Foreseen) int {
	n := 0
	for _, r := range rounds {
		n += r.Round.Stopped + r.Round.Dropped
	}
	return n
}

// Restarted counts the units that its rounds restart where they are.
func Restarted(rounds []Foreseen) int {
	n := 0
	for _, r := range rounds {
		n += r.Round.Restarted
	}
	return n
}

// DelaySource reads scheduled.rebalance.max.delay.ms from a worker's own settings: the leader's, whose it is to apply it, or
// another's. from is whose it is; "" where it cannot be read.
type DelaySource func() (d time.Duration, from string, leads bool)

// Foresee says what a change means for the group from its present state on.
func Foresee(s *group.State, c Change) (*Preview, error) { return ForeseeWith(s, c, nil) }

// ForeseeWith asks source for a delay that was never seen in the group.
func ForeseeWith(s *group.State, c Change, source DelaySource) (*Preview, error) {
	b, err := startingPoint(s)
	if err != nil {
		return nil, err
	}
	b.lookUp(source)
	return b.foresee(c)
}

// MaxDelay is how long lost work waits, as far as that is known.
func MaxDelay(s *group.State, source DelaySource) time.Duration {
	b, err := startingPoint(s)
	if err != nil {
		return time.Duration(s.Leader().MaxDelay()) * time.Millisecond
	}
	b.lookUp(source)
	return time.Duration(b.delay) * time.Millisecond
}

func (b *before) lookUp(source DelaySource) {
	if b.delaySeen || source == nil || b.round.Mode == group.ModeEager {
		return
	}
	d, from, leads := source()
	if from == "" {
		return
	}
	b.delay, b.delaySeen = int32(d.Milliseconds()), true
	if !leads {
		b.caveats = append(b.caveats, fmt.Sprintf("the delay of %s is %s's: the leader's own was not seen yet", d, from))
	}
}

func (b *before) foresee(c Change) (*Preview, error) {
	times := 0
	if e, ok := c.(Evict); ok && e.Times > 1 {
		times, e.Times = e.Times, 1
		c = e
	}
	ways, err := c.branches(b)
	if err != nil {
		return nil, err
	}
	p := &Preview{Group: b.s.Group, At: b.s.Now, Seq: b.round.Seq, Generation: b.round.Generation, Pace: b.pace, Assumed: b.paceAssumed, Times: times}
	if times > 0 {
		p.repeated = &repeated{b, ways, []bool{false}}
	}
	common, rare := apart(ways)
	if len(rare) > 0 {
		p.rare = func() []Outcome { return b.tryAll(rare) }
	}
	for _, w := range common {
		o, err := b.try(w)
		if err != nil {
			return nil, err
		}
		p.add(o)
	}
	if !b.delaySeen && slices.ContainsFunc(p.Outcomes, func(o Outcome) bool { return slices.ContainsFunc(o.Rounds, delays) }) {
		if times > 0 {
			p.repeated.delays = []bool{false, true}
		}
		return p, b.withoutDelay(common, p)
	}
	return p, nil
}

func delays(f Foreseen) bool { return f.DelayMs > 0 }

// withoutDelay adds what happens where the workers' delay is none: nothing told of it yet.
func (b *before) withoutDelay(ways []branch, p *Preview) error {
	without := *b
	without.noDelay = true
	b = &without
	for _, w := range ways {
		if w.name != "" {
			w.name += ", and "
		}
		w.name += "the workers' delay is 0"
		o, err := b.try(w)
		if err != nil {
			return err
		}
		p.add(o)
	}
	return nil
}

// add leaves out what comes to the same as an outcome that is there.
func (p *Preview) add(o Outcome) {
	var rounds []*group.Detail
	for _, f := range o.Rounds {
		rounds = append(rounds, f.Detail)
	}
	for _, other := range p.Outcomes {
		if len(other.Rounds) == len(rounds) && len(Compare(other.Rounds, rounds)) == 0 {
			return
		}
	}
	p.Outcomes = append(p.Outcomes, o)
}

// plainly leaves out of a foreseen round what only a real one can tell.
func plainly(d *group.Detail) *group.Detail {
	r := *d.Round
	r.Shadow, r.ShadowWhy, r.AsPredicted = "", "", 0
	d.Round, d.Story = &r, ""
	return d
}

// foreseen reads the played rounds back from the State that they were folded into.
func (b *before) foreseen(s *simulation, st *group.State) ([]Foreseen, group.Cost) {
	out := make([]Foreseen, 0, len(s.played))
	base := len(st.Rounds) - len(s.played)
	for i, a := range s.played {
		f := Foreseen{Detail: plainly(st.Detail(base + i)), Why: a.why, at: max(0, time.UnixMilli(a.at).Sub(b.s.Now)), early: a.early, late: a.late, slack: Heartbeat}
		f.begun = max(0, time.UnixMilli(a.begun).Sub(b.s.Now))
		switch {
		case a.why == reasons[assign.StepExpiry]:
			f.slack = 0
		case a.why == reasons[assign.StepRelease] && f.Round.Started == 0:
			f.Why = "those that stopped join again"
		}
		f.In = max(0, f.at-f.early)
		f.Slack = f.at + f.late + f.slack - f.In
		out = append(out, f)
	}
	costs := s.prices(out, st, b.pace, b.paceAssumed)
	for i := range out {
		out[i].Cost = costs[i]
	}
	return out, total(costs)
}

// warnings tell of units that will run twice.
func warnings(rounds []Foreseen) []string {
	var out []string
	for _, f := range rounds {
		if n := f.Twice; n > 0 {
			out = append(out, fmt.Sprintf("duplicates: %s will run twice. The first eager round gives work out anew and stops none of it: workers start "+
				"what others still run (KAFKA-13816), until the round after it stops everything", words.Count(n, "unit")))
		}
	}
	return out
}

// apart takes the ways that are told beforehand and the rare ones apart.
func apart(ways []branch) (common, rare []branch) {
	for _, w := range ways {
		if w.rare {
			rare = append(rare, w)
		} else {
			common = append(common, w)
		}
	}
	return common, rare
}

// tryAll are the outcomes of ways, also where the workers' delay is none if that is not known. A way that cannot be gone is left out.
func (b *before) tryAll(ways []branch) []Outcome {
	var out []Outcome
	without := *b
	without.noDelay = true
	for _, w := range ways {
		if o, err := b.try(w); err == nil {
			out = append(out, o)
		}
		if b.delaySeen {
			continue
		}
		if o, err := without.try(w); err == nil {
			out = append(out, o)
		}
	}
	return out
}

func (b *before) try(w branch) (Outcome, error) {
	first, err := b.play(w, false, 0)
	if err != nil {
		return Outcome{}, err
	}
	eager, err := b.play(w, true, 0)
	if err != nil {
		return Outcome{}, err
	}
	grain := b.tryIDs(w, first)
	b.doubtDelay(first)
	o := Outcome{Name: w.name, Caveats: first.caveats, Precision: grain, Parts: first.marks, State: b.replay(first)}
	o.Rounds, o.Cost = b.foreseen(first, o.State)
	o.Eager, o.EagerCost = b.foreseen(eager, b.replay(eager))
	o.Warnings = append(warnings(o.Rounds), first.warned...)
	return o, nil
}

func (b *before) play(w branch, eager bool, variant int) (*simulation, error) {
	s := b.simulation(eager, variant)
	if err := w.play(s); err != nil {
		return nil, err
	}
	s.settle()
	return s, nil
}

// tryIDs tries other ids where the play needed new ones: the leader's ties are decided by them.
func (b *before) tryIDs(w branch, first *simulation) Precision {
	if !first.newIDs {
		return InUnits
	}
	units, counts := first.result()
	sameCounts, sameUnits := true, true
	for v := 1; v < uuids; v++ {
		other, err := b.play(w, false, v)
		if err != nil {
			return InUnits
		}
		u, c := other.result()
		sameUnits, sameCounts = sameUnits && u == units, sameCounts && c == counts
	}
	switch {
	case !sameCounts:
		first.caveat("a member id that nobody knows yet decides ties: units, and how many a worker gets, may differ")
		return InRounds
	case !sameUnits:
		first.caveat("a member id that nobody knows yet decides ties: the counts are exact, which units may differ")
		return InCounts
	}
	return InUnits
}

// result is what a play came to, by workers and not by member ids: in units, and in counts.
func (s *simulation) result() (units, counts string) {
	var u, c strings.Builder
	for _, a := range s.played {
		var lines, sums []string
		for i, m := range a.req.Members {
			told := a.decision.Assignments[i]
			who := s.identities[m.ID].client + " " + m.URL
			lines = append(lines, who+" + "+list(told.Assigned)+" - "+list(told.Revoked))
			sums = append(sums, who+tally(told.Assigned)+tally(told.Revoked))
		}
		slices.Sort(lines)
		slices.Sort(sums)
		u.WriteString(strings.Join(lines, "\n") + "\n\n")
		c.WriteString(strings.Join(sums, "\n") + "\n\n")
	}
	return u.String(), c.String()
}

// doubtDelay: where a delay is foreseen and none was ever seen, Connect's own default stands for it.
func (b *before) doubtDelay(s *simulation) {
	if !b.delaySeen && slices.ContainsFunc(s.played, func(a act) bool {
		return slices.ContainsFunc(a.decision.Assignments, assignmentDelayed)
	}) {
		s.caveat("no delay of this group was seen yet: Connect's default of 5 minutes is assumed, so times may differ")
	}
}

// Sequence is several changes one after the other, each going the likeliest way.
type Sequence []Then

// Then is one change of a Sequence.
type Then struct {
	Change Change
	After  time.Duration // passes before it
	Hasty  bool          // the next one does not wait until the group is settled
}

func (c Sequence) branches(b *before) ([]branch, error) {
	var plays []func(*simulation) error
	for _, then := range c {
		ways, err := then.Change.branches(b)
		if err != nil {
			return nil, err
		}
		plays = append(plays, ways[0].play)
	}
	return only(func(s *simulation) error {
		for i, play := range plays {
			if s.wait(c[i].After); i > 0 { // what comes meanwhile is counted with the change before
				s.marks[i-1] = len(s.played)
			}
			if err := play(s); err != nil {
				return err
			}
			if !c[i].Hasty {
				s.settle()
			}
			s.marks = append(s.marks, len(s.played))
		}
		return nil
	})
}

// Visit is a worker's coming, and its leaving once the group has settled.
type Visit struct {
	Client string
	Eager  bool
	For    time.Duration // it stays so long; 0: until it is told to leave
	Idle   bool          // what it holds it does not run
}

func (c Visit) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
		was := s.req.Protocol
		id := s.join(identity{client: c.Client, session: DefaultSession}, assign.Member{Offset: s.req.Config.Offset})
		if c.Eager {
			s.req.Protocol = decode.ProtocolEager
		}
		begun := s.now
		s.round(s.now, c.Client+" joins")
		s.settle()
		if c.For > 0 {
			s.wait(c.For - time.Duration(s.now-begun)*time.Millisecond)
		} else {
			s.caveat("%s leaves when it is told to: what comes then counts from then", decode.Printable(c.Client))
		}
		if c.Idle {
			s.warn("what %s holds stands still until it has left: that is not in the cost", decode.Printable(c.Client))
			s.idle[id] = true
		}
		if _, err := s.leave(id); err != nil {
			return err
		}
		if !s.eager {
			s.req.Protocol = was
		}
		s.round(s.now, c.Client+" leaves")
		return nil
	})
}
