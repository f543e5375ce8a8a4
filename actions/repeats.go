package actions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"regroup/group"
)

// repeated is a change that is made several times, each time once what came of it has come to rest. Each time it may go
// another way: what is foreseen are the ways of one time, and what came is held against all that they can make together.
type repeated struct {
	before *before
	ways   []way
	delays []bool // whether to try them with no delay: where it is not known, both ways
}

// course is one way after the other, and how far it is from what came.
type course struct {
	ways    []int
	noDelay bool
	foreign int // differences
}

// kept is how many courses are followed at a time.
const keptCourses = 4

// compare finds the course that fits best: of the common ways, and where none of theirs is what came, of the rare ones too.
func (r *repeated) compare(times int, actual []*group.Detail) (*Outcome, []Difference) {
	common, rare := apart(r.ways)
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
			for i := range r.ways {
				longer := course{ways: append(slices.Clone(c.ways), i), noDelay: c.noDelay}
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
	s, err := b.play(way{play: func(s *stage) error {
		for n, i := range c.ways {
			if n > 0 {
				s.settle()
			}
			if err := r.ways[i].play(s); err != nil {
				return err
			}
		}
		return nil
	}}, false, 0)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Name: r.name(c), Doubts: s.doubts, State: b.replay(s)}
	o.Rounds, o.Cost = b.foreseen(s, o.State)
	return o, nil
}

// name tells a course: how often it went each way.
func (r *repeated) name(c course) string {
	count := make([]int, len(r.ways))
	for _, i := range c.ways {
		count[i]++
	}
	var out []string
	for i, n := range count {
		switch {
		case n == len(c.ways):
			out = append(out, fmt.Sprintf("each time %s", r.ways[i].name))
		case n == 1:
			out = append(out, fmt.Sprintf("once %s", r.ways[i].name))
		case n > 1:
			out = append(out, fmt.Sprintf("%d times %s", n, r.ways[i].name))
		}
	}
	return strings.Join(out, ", ")
}
