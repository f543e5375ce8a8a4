package group_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
)

// stateAfter is the lifecycle capture up to the record after a generation; -1: all of it.
func stateAfter(t testing.TB, generation int) *group.State {
	t.Helper()
	records := capture(t, "lifecycle")
	for i, r := range records {
		if l, ok := r.fact().(group.LogRecord); ok && generation >= 0 && l.Record != nil && int(l.Record.Generation) > generation {
			return fold(records[:i])
		}
	}
	return fold(records)
}

func unitNamed(t testing.TB, name string) group.Unit {
	t.Helper()
	i := strings.LastIndexByte(name, '-')
	u := group.Unit{Connector: name[:i], Task: -1}
	if task := name[i+1:]; task != "c" {
		n, err := strconv.Atoi(task)
		if err != nil {
			t.Fatal(err)
		}
		u.Task = int32(n)
	}
	return u
}

// TestLife reviews the stories of single units, and rounds unit by unit.
func TestLife(t *testing.T) {
	datadriven.RunTest(t, "testdata/life/lifecycle", func(t *testing.T, d *datadriven.TestData) string {
		at, name := -1, ""
		d.MaybeScanArgs(t, "at", &at)
		d.MaybeScanArgs(t, "unit", &name)
		s := stateAfter(t, at)
		if d.Cmd == "flow" {
			return flowText(s)
		}
		i, ok := s.Find(unitNamed(t, name))
		if !ok {
			d.Fatalf(t, "no such unit")
		}
		var b strings.Builder
		for _, h := range s.UnitHistory(i) {
			fmt.Fprintf(&b, "%s %-9s", h.At.Format("15:04:05.000"), h.Kind)
			if h.Round != nil {
				fmt.Fprintf(&b, " round %d", h.Round.Generation)
			}
			for _, part := range []struct {
				on   bool
				text string
			}{
				{h.Worker != "", h.Worker},
				{h.State != "", h.State},
				{h.Waits, "then " + h.Then.String()},
				{h.Twice, "twice"},
				{h.Eager, "eager"},
				{h.Rounds > 1, fmt.Sprint(h.Rounds, " rounds")},
				{h.After > 0, "after " + h.After.String()},
				{!h.Runs.IsZero(), "runs " + h.Runs.Format("15:04:05.000")},
				{h.GapHigh > 0, fmt.Sprint("down ", h.GapLow, " to ", h.GapHigh)},
			} {
				if part.on {
					b.WriteString(", " + part.text)
				}
			}
			b.WriteString("\n")
		}
		sum := s.UnitSum(i)
		fmt.Fprintf(&b, "%d gaps, %s to %s; %d moves, %d stops, eager %d; since %s\n", sum.Gaps, sum.Cost.Low, sum.Cost.High, sum.Moves, sum.Stops, sum.Eager, sum.Since.Format("15:04:05"))
		return b.String()
	})
}

func flowText(s *group.State) string {
	names := map[int32]string{-1: "nobody"}
	for _, w := range s.Workers {
		names[w.Worker] = w.Name
	}
	marks := []string{"before", "reported", "revoked", "assigned", "held", "restarted", "dropped"}
	var b strings.Builder
	for _, row := range s.Flow(s.At) {
		b.WriteString(row.Unit.String())
		for _, c := range row.Cells {
			b.WriteString("  " + names[c.Worker] + ":")
			for k, word := range marks {
				if c.Marks.Has(1 << k) {
					b.WriteString(" " + word)
				}
			}
		}
		if row.Nobody {
			fmt.Fprintf(&b, "  %s, last on %s", row.Kind, names[row.Last])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestFlowIsTheDetail holds that a round unit by unit says what its lists say, in every round of the capture.
func TestFlowIsTheDetail(t *testing.T) {
	s := stateAfter(t, -1)
	for i := range s.Rounds {
		want := map[string]group.FlowMark{}
		d := s.Detail(i)
		for _, m := range d.Members {
			for mark, units := range map[group.FlowMark][]group.Unit{group.FlowReported: m.Reported, group.FlowRevoked: m.Revoked, group.FlowAssigned: m.Assigned, group.FlowHeld: m.Held} {
				for _, u := range units {
					want[fmt.Sprint(m.Worker, " ", u)] |= mark
				}
			}
		}
		listed := group.FlowReported | group.FlowRevoked | group.FlowAssigned | group.FlowHeld
		rows := s.Flow(i)
		if !slices.IsSortedFunc(rows, func(a, b group.FlowRow) int { return a.Unit.Compare(b.Unit) }) {
			t.Errorf("round %d: not sorted", d.Generation)
		}
		for _, row := range rows {
			for _, c := range row.Cells {
				key := fmt.Sprint(c.Worker, " ", row.Unit)
				if got := c.Marks & listed; got != want[key] {
					t.Errorf("round %d, %s: %b, and the lists say %b", d.Generation, key, got, want[key])
				}
				delete(want, key)
			}
		}
		if len(want) > 0 {
			t.Errorf("round %d: the flow lacks %v", d.Generation, want)
		}
	}
}
