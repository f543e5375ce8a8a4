package group_test

import (
	"slices"
	"testing"
	"time"

	"regroup/decode"
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

// A coordinator that died in the middle of a join was last heard to say that one runs. A round that came since then has ended it;
// without one, it is said what is known and when it was.
func TestJoinOfSilentCoordinator(t *testing.T) {
	end := noon.Add(32 * time.Second)
	join := func() *group.Model {
		m := group.New(group.Options{Group: "g"})
		for _, src := range []group.Source{group.SourceLog, group.SourceDescribe} {
			m.Apply(group.SourceReport{At: noon, Source: src, Health: group.HealthOK}, noon)
		}
		m.Apply(group.Description{At: noon, State: "Stable", Coordinator: "a:9092"}, noon)
		at := noon.Add(time.Second)
		m.Apply(group.Description{At: at, State: "PreparingRebalance", Coordinator: "a:9092"}, at)
		at = at.Add(time.Second)
		m.Apply(group.SourceReport{At: at, Source: group.SourceDescribe, Health: group.HealthUnreachable}, at)
		at = end.Add(-time.Second)
		m.Apply(group.Progress{At: at, Source: group.SourceLog, Partition: 3, CaughtUp: true}, at) // the log's broker answers
		return m
	}
	if v := join().State(end).Verdict; v.Word != "REBALANCING" || !v.Likely || v.Sentence != "A join had begun when the coordinator last answered, 0:31 ago." {
		t.Errorf("without a round since: %+v", v)
	}
	m := join()
	at := noon.Add(10 * time.Second)
	m.Apply(group.LogRecord{At: at, Partition: 3, Offset: 0, Record: &decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: 7, StateAt: at}}, at)
	if s := m.State(end); s.Phase != "Empty" || s.Verdict.Word != "EMPTY" {
		t.Errorf("with a round since: %s, %+v", s.Phase, s.Verdict)
	}
	at = at.Add(5 * time.Second)
	m.Apply(group.Description{At: at, State: "PreparingRebalance", Coordinator: "b:9092"}, at)
	s := m.State(end)
	if s.Phase != "PreparingRebalance" || s.Coordinator != "b:9092" {
		t.Errorf("described again: %s by %s", s.Phase, s.Coordinator)
	}
	moved := slices.ContainsFunc(s.Events, func(e group.Event) bool {
		return e.Text == "the coordinator moved from a:9092 to b:9092" && e.At.Equal(at)
	})
	if !moved {
		t.Errorf("the move is no event: %+v", s.Events)
	}
}

// Polls that saw a join before a record and one after it saw two: how long one lasts begins anew, and so it does at another
// coordinator, whatever the one before was last heard to say.
func TestJoinBeginsAnew(t *testing.T) {
	start := func() *group.Model {
		m := group.New(group.Options{Group: "g"})
		m.Apply(group.SourceReport{At: noon, Source: group.SourceLog, Health: group.HealthOK}, noon)
		m.Apply(group.Description{At: noon, State: "Stable", Coordinator: "a:9092"}, noon)
		at := noon.Add(time.Second)
		m.Apply(group.Description{At: at, State: "PreparingRebalance", Coordinator: "a:9092"}, at)
		return m
	}
	again := noon.Add(12 * time.Second)
	for what, c := range map[string]struct {
		record bool
		at     string
		want   time.Time
	}{
		"the same join":       {at: "a:9092", want: noon.Add(time.Second)},
		"a record between":    {record: true, at: "a:9092", want: again},
		"another coordinator": {at: "b:9092", want: again},
	} {
		m := start()
		if c.record {
			at := noon.Add(2 * time.Second)
			m.Apply(group.LogRecord{At: at, Partition: 3, Record: &decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: 7, StateAt: at}}, at)
		}
		m.Apply(group.Description{At: again, State: "PreparingRebalance", Coordinator: c.at}, again)
		s := m.State(again.Add(time.Second))
		if got := s.JoiningSince(); !got.Equal(c.want) || !s.PhaseSince.Equal(c.want) {
			t.Errorf("%s: since %s, %s; want %s", what, got, s.PhaseSince, c.want)
		}
	}
}
