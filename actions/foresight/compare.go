package foresight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// Difference is one thing that happened otherwise than foreseen.
type Difference struct {
	Round      int    // counts the foreseen rounds from 0
	Generation int32  // of the round that happened; -1 when none did
	Worker     string // by name; "" when it is about the whole group
	What       string // "start", "stop", "hold", "delayed", "released", "unassigned", "delay", "worker", "round"
	Unit       *group.Unit
	Foreseen   bool // it was foreseen and did not happen; else it happened unforeseen
	// Want and Have are how many were foreseen and came, where it is held against counts; both 0 elsewhere.
	Want, Have int
}

func (d Difference) String() string {
	text := d.What
	if d.Worker != "" {
		text = d.Worker + ": " + text
	}
	if d.Unit != nil {
		text += " " + d.Unit.String()
	}
	switch {
	case d.Want != d.Have:
		text += fmt.Sprintf(": %s, and %d foreseen", words.Count(d.Have, "unit"), d.Want)
	case d.Foreseen:
		text += ": foreseen, and it did not happen"
	default:
		text += ": not foreseen"
	}
	if d.Generation >= 0 {
		return fmt.Sprintf("round %d: %s", d.Generation, decode.Printable(text))
	}
	return decode.Printable(text)
}

// Compare holds what happened against the ways in which it could go, and gives the one that fits best with what differs from
// it. Rounds that do not count (a worker that was behind has caught up) are passed over.
func (p *Preview) Compare(actual []*group.Detail) (*Outcome, []Difference) {
	if p.repeated != nil {
		return p.repeated.compare(p.Times, actual)
	}
	best, least := nearest(p.Outcomes, actual)
	if len(least) == 0 || p.rare == nil {
		return best, least
	}
	if rare, less := nearest(p.rare(), actual); rare != nil && len(less) < len(least) {
		return rare, less
	}
	return best, least
}

// nearest is the outcome that differs least from what happened; nil without any.
func nearest(outcomes []Outcome, actual []*group.Detail) (best *Outcome, least []Difference) {
	for i := range outcomes {
		if diff := compare(outcomes[i].Rounds, actual, outcomes[i].Precision); best == nil || len(diff) < len(least) {
			best, least = &outcomes[i], diff
		}
	}
	return best, least
}

// Compare lists what differs between foreseen rounds and those that happened, unit by unit.
func Compare(foreseen []Foreseen, actual []*group.Detail) []Difference {
	return compare(foreseen, actual, InUnits)
}

func compare(foreseen []Foreseen, actual []*group.Detail, grain Precision) []Difference {
	happened := slices.DeleteFunc(slices.Clone(actual), idle)
	var out []Difference
	for i := range max(len(foreseen), len(happened)) {
		switch {
		case i >= len(happened):
			out = append(out, Difference{Round: i, Generation: -1, What: "round because " + foreseen[i].Why, Foreseen: true})
		case i >= len(foreseen):
			out = append(out, Difference{Round: i, Generation: happened[i].Generation, What: "round because " + because(happened[i])})
		default:
			c := comparison{round: i, generation: happened[i].Generation, precision: grain}
			c.rounds(foreseen[i].Detail, happened[i])
			out = append(out, c.out...)
		}
	}
	return out
}

// idle says whether a round moved nothing and nobody.
func idle(d *group.Detail) bool {
	if d.Started+d.Stopped+d.Round.Restarted+d.Round.Dropped > 0 || d.Round.Delayed > 0 {
		return false
	}
	return !slices.ContainsFunc(d.Causes, func(c group.Cause) bool {
		return c.Kind != group.CauseOffsetCaughtUp && c.Kind != group.CauseUnknown && c.Kind != group.CauseConfigMismatch
	})
}

func because(d *group.Detail) string {
	if len(d.Causes) == 0 {
		return "of nothing that is known"
	}
	return string(d.Causes[0].Kind) + ", " + d.Causes[0].Detail
}

type comparison struct {
	round      int
	generation int32
	precision  Precision
	out        []Difference
}

func (c *comparison) rounds(want, have *group.Detail) {
	pairs, missing, more := pair(want.Members, have.Members)
	for _, m := range missing {
		c.note(m.Name, "worker", nil, true)
	}
	for _, m := range more {
		c.note(m.Name, "worker", nil, false)
	}
	for _, p := range pairs {
		name := p[1].Name
		n := len(c.out)
		c.units(name, "start", p[0].Assigned, p[1].Assigned)
		c.units(name, "stop", p[0].Revoked, p[1].Revoked)
		if len(c.out) == n { // else it follows
			c.units(name, "hold", p[0].Held, p[1].Held)
		}
	}
	c.units("", "delayed", want.Delayed, have.Delayed)
	c.units("", "released", want.Released, have.Released)
	c.units("", "unassigned", want.Unassigned, have.Unassigned)
	if (want.DelayMs > 0) != (have.DelayMs > 0) { // how much of one is left depends on when
		c.note("", "delay", nil, want.DelayMs > 0)
	}
}

func (c *comparison) note(worker, what string, unit *group.Unit, foreseen bool) {
	c.out = append(c.out, Difference{Round: c.round, Generation: c.generation, Worker: worker, What: what, Unit: unit, Foreseen: foreseen})
}

func (c *comparison) units(worker, what string, want, have []group.Unit) {
	switch {
	case c.precision == InRounds:
		return
	case c.precision == InCounts && len(want) != len(have):
		c.out = append(c.out, Difference{Round: c.round, Generation: c.generation, Worker: worker, What: what, Want: len(want), Have: len(have)})
		return
	case c.precision == InCounts:
		return
	}
	in := func(units []group.Unit) map[group.Unit]bool {
		out := make(map[group.Unit]bool, len(units))
		for _, u := range units {
			out[u] = true
		}
		return out
	}
	wanted, had := in(want), in(have)
	for _, u := range want {
		if !had[u] {
			c.note(worker, what, &u, true)
		}
	}
	for _, u := range have {
		if !wanted[u] {
			c.note(worker, what, &u, false)
		}
	}
}

// pair finds the same workers: by member id, by client id and URL, and at last whoever is left over on both sides, for a new
// worker is foreseen without its name.
func pair(want, have []group.WorkerDetail) (pairs [][2]group.WorkerDetail, missing, more []group.WorkerDetail) {
	rest := slices.Clone(have)
	same := []func(a, b group.WorkerDetail) bool{
		func(a, b group.WorkerDetail) bool { return a.ID == b.ID },
		func(a, b group.WorkerDetail) bool { return a.Client == b.Client && a.URL == b.URL },
		func(a, b group.WorkerDetail) bool { return a.Client == b.Client },
		func(a, b group.WorkerDetail) bool { return true },
	}
	missing = slices.Clone(want)
	for _, fits := range same {
		missing = slices.DeleteFunc(missing, func(a group.WorkerDetail) bool {
			i := slices.IndexFunc(rest, func(b group.WorkerDetail) bool { return fits(a, b) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, [2]group.WorkerDetail{a, rest[i]})
			rest = slices.Delete(rest, i, i+1)
			return true
		})
	}
	return pairs, missing, rest
}

// repeated is a change that is made several times, each time once what came of it has come to rest. Each time it may go
// another way: what is foreseen are the ways of one time, and what came is held against all that they can make together.
type repeated struct {
	before   *before
	branches []branch
	delays   []bool // whether to try them with no delay: where it is not known, both ways
}

// course is one way after the other, and how far it is from what came.
type course struct {
	branches []int
	noDelay  bool
	foreign  int // differences
}

// kept is how many courses are followed at a time.
const keptCourses = 4

// compare finds the course that fits best: of the common ways, and where none of theirs is what came, of the rare ones too.
func (r *repeated) compare(times int, actual []*group.Detail) (*Outcome, []Difference) {
	common, rare := apart(r.branches)
	best, least := (&repeated{r.before, common, r.delays}).nearest(times, actual)
	if len(least) == 0 || len(rare) == 0 {
		return best, least
	}
	if other, less := r.nearest(times, actual); len(less) < len(least) {
		return other, less
	}
	return best, least
}

// nearest finds the course that fits best, time by time.
func (r *repeated) nearest(times int, actual []*group.Detail) (*Outcome, []Difference) {
	happened := slices.DeleteFunc(slices.Clone(actual), idle)
	var courses []course
	for _, none := range r.delays {
		courses = append(courses, course{noDelay: none})
	}
	for range times {
		var next []course
		for _, c := range courses {
			for i := range r.branches {
				longer := course{branches: append(slices.Clone(c.branches), i), noDelay: c.noDelay}
				o, err := r.play(longer)
				if err != nil {
					continue
				}
				longer.foreign = len(Compare(o.Rounds, happened[:min(len(happened), len(o.Rounds))]))
				next = append(next, longer)
			}
		}
		slices.SortStableFunc(next, func(a, b course) int { return cmp.Compare(a.foreign, b.foreign) })
		courses = next[:min(len(next), keptCourses)]
	}
	var best *Outcome
	var least []Difference
	for _, c := range courses {
		o, err := r.play(c)
		if err != nil {
			continue
		}
		if diff := Compare(o.Rounds, actual); best == nil || len(diff) < len(least) {
			best, least = &o, diff
		}
	}
	return best, least
}

// play is a course's rounds.
func (r *repeated) play(c course) (Outcome, error) {
	b := *r.before
	b.noDelay = c.noDelay
	s, err := b.play(branch{play: func(s *simulation) error {
		for n, i := range c.branches {
			if n > 0 {
				s.settle()
			}
			if err := r.branches[i].play(s); err != nil {
				return err
			}
		}
		return nil
	}}, false, 0)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Name: r.name(c), Caveats: s.caveats, State: b.replay(s)}
	o.Rounds, o.Cost = b.foreseen(s, o.State)
	return o, nil
}

// name tells a course: how often it went each way.
func (r *repeated) name(c course) string {
	count := make([]int, len(r.branches))
	for _, i := range c.branches {
		count[i]++
	}
	var out []string
	for i, n := range count {
		switch {
		case n == len(c.branches):
			out = append(out, fmt.Sprintf("each time %s", r.branches[i].name))
		case n == 1:
			out = append(out, fmt.Sprintf("once %s", r.branches[i].name))
		case n > 1:
			out = append(out, fmt.Sprintf("%d times %s", n, r.branches[i].name))
		}
	}
	return strings.Join(out, ", ")
}
