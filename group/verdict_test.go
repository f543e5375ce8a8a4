package group_test

import (
	"testing"
	"time"

	"regroup/group"
)

// A join is short as a rule, so one that was seen to begin is told after a second. One that ran already at the first look may be
// of any age, and "settled" would be wrong.
func TestJoinAtFirstLook(t *testing.T) {
	for _, c := range []struct {
		before string // the phase that was seen before; "" for none
		after  time.Duration
		want   string
	}{
		{"", 0, "A join runs; nobody knows yet who gets what."},
		{"", time.Minute, "A join runs; nobody knows yet who gets what."},
		{"Stable", time.Second, ""},
		{"Stable", 3 * time.Second, "A join runs for 3 s; nobody knows yet who gets what."},
	} {
		m := group.New(group.Options{Group: "g"})
		now := noon
		if c.before != "" {
			m.Apply(group.Description{At: now, State: c.before}, now)
		}
		m.Apply(group.Description{At: now, State: "PreparingRebalance"}, now)
		now = now.Add(c.after)
		v := m.State(now).Verdict
		if got := v.Word == "REBALANCING"; got != (c.want != "") || got && v.Sentence != c.want {
			t.Errorf("%+v: %s: %s", c, v.Word, v.Sentence)
		}
	}
}

// A name that was mistyped is told from a group that is still to be heard of.
func TestNoSuchGroup(t *testing.T) {
	m := group.New(group.Options{Group: "g"})
	if got := m.State(noon).Verdict.Sentence; got != "No round of this group was seen yet." {
		t.Errorf("%q", got)
	}
	m.Apply(group.Description{At: noon, State: "Dead"}, noon)
	if got := m.State(noon).Verdict.Short; got != "There is no group of this name." {
		t.Errorf("%q", got)
	}
}
