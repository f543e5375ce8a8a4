package group_test

import (
	"reflect"
	"slices"
	"testing"

	"regroup/group"
)

// checkState checks what holds of every State, whatever was folded.
func checkState(t testing.TB, s *group.State) {
	t.Helper()
	for i := range s.Rounds {
		checkDetail(t, s.Detail(i))
	}
	if s.At >= 0 && !s.Past {
		checkSame(t, "standing on the last round", s.Stand(s.At), s)
	}
	for i := range s.Units {
		u := &s.Units[i]
		if i > 0 && s.Units[i-1].Unit.Compare(u.Unit) >= 0 {
			t.Errorf("units are not sorted: %v, then %v", s.Units[i-1].Unit, u.Unit)
		}
		if u.Worker >= 0 && !slices.Contains(s.Workers[u.Worker].Holds, i) {
			t.Errorf("%v is on %s, which does not hold it", u.Unit, s.Workers[u.Worker].Name)
		}
	}
	last := map[group.Unit]group.Gap{} // by when it stopped
	for _, g := range s.Outages() {
		if was := last[g.Unit]; g.From.Before(was.Began) || g.Latest.Before(was.To) {
			t.Errorf("%v is down from %v to %v, and was down until %v to %v already", g.Unit, g.From, g.Latest, was.Began, was.To)
		}
		last[g.Unit] = g
	}
}

// checkDetail checks a round against itself: held = reported - revoked + assigned, and that its counts are sums over workers.
func checkDetail(t testing.TB, d *group.Detail) {
	t.Helper()
	var sum group.Member
	for _, m := range d.Members {
		want := m.Reported
		if d.Error == 0 && m.Err == "" {
			if d.Mode == group.ModeEager {
				want = m.Assigned
				if len(m.Member.Err) == 0 && len(m.Reported) > 0 {
					t.Errorf("round %d: %s reports %s under eager", d.Generation, m.Name, unitsText(m.Reported))
				}
			} else {
				want = plus(minus(m.Reported, m.Revoked), m.Assigned)
			}
		}
		if !slices.Equal(m.Held, want) {
			t.Errorf("round %d: %s holds %s, not %s", d.Generation, m.Name, unitsText(m.Held), unitsText(want))
		}
		if m.Member.Held != len(m.Held) || m.Member.Reported != len(m.Reported) || m.Member.Assigned != len(m.Assigned) ||
			m.Member.Revoked != len(m.Revoked) {
			t.Errorf("round %d: %s's counts are not the lengths of its lists: %+v", d.Generation, m.Name, m.Member)
		}
		sum.Kept += m.Kept
		sum.Started += m.Started
		sum.Stopped += m.Stopped
		sum.Restarted += m.Restarted
		sum.Dropped += m.Member.Dropped
	}
	got := []int{
		sum.Kept, sum.Started, sum.Stopped, sum.Restarted, sum.Dropped, len(d.Released), len(d.Delayed), len(d.Unassigned),
		len(d.Duplicated), len(d.Moves), len(d.Restarted), len(d.Dropped), len(d.Members),
	}
	want := []int{
		d.Kept, d.Started, d.Stopped, d.Round.Restarted, d.Round.Dropped, d.Round.Released, d.Round.Delayed, d.Round.Unassigned,
		d.Round.Duplicated, d.Moved, d.Round.Restarted, d.Round.Dropped, d.Workers,
	}
	if !slices.Equal(got, want) {
		t.Errorf("round %d: kept, started, stopped, restarted, dropped, released, delayed, unassigned, duplicated, moves, restarted, "+
			"dropped, members are %v in the detail and %v in the round", d.Generation, got, want)
	}
	if d.Settled && (d.Error != 0 || d.DelayMs > 0 || sumRevoked(d) > 0) {
		t.Errorf("round %d is settled with error %d, delay %d ms, %d revoked", d.Generation, d.Error, d.DelayMs, sumRevoked(d))
	}
}

func sumRevoked(d *group.Detail) int {
	n := 0
	for _, m := range d.Members {
		n += len(m.Revoked)
	}
	return n
}

func minus(a, b []group.Unit) []group.Unit {
	var out []group.Unit
	for _, u := range a {
		if !slices.Contains(b, u) {
			out = append(out, u)
		}
	}
	return out
}

func plus(a, b []group.Unit) []group.Unit {
	out := slices.Clone(a)
	for _, u := range b {
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, group.Unit.Compare)
	return out
}

// checkSame compares what two States show: everything but the way in which they keep it.
func checkSame(t testing.TB, what string, got, want *group.State) {
	t.Helper()
	g, w := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range g.NumField() {
		f := g.Type().Field(i)
		if !f.IsExported() || f.Name == "Rounds" {
			continue
		}
		if a, b := g.Field(i).Interface(), w.Field(i).Interface(); !same(a, b) {
			t.Errorf("%s: %s differs:\n got %+v\nwant %+v", what, f.Name, a, b)
		}
	}
	for i := range min(len(got.Units), len(want.Units)) {
		if a, b := got.Evidence(i), want.Evidence(i); !same(a, b) {
			t.Errorf("%s: evidence for %v differs:\n got %+v\nwant %+v", what, got.Units[i].Unit, a, b)
		}
	}
}

// same is DeepEqual that takes an empty list for a missing one.
func same(a, b any) bool {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if va.Kind() == reflect.Slice && va.Len() == 0 && vb.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a, b)
}
