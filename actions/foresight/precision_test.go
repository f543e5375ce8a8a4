package foresight

import (
	"strings"
	"testing"

	"regroup/group"
)

// Where a member id that nobody knows decides ties, what came is held against the counts, or the rounds alone, and no finer.
func TestHeldAgainstAsFinelyAsForeseen(t *testing.T) {
	unit := func(task int32) group.Unit { return group.Unit{Connector: "sink-a", Task: task} }
	round := func(given ...[]group.Unit) *group.Detail {
		d := &group.Detail{Round: &group.Round{Generation: 7, Started: 1}}
		for i, units := range given {
			m := group.WorkerDetail{Assigned: units, Held: units}
			m.ID, m.Client, m.Name = []string{"a", "b"}[i], []string{"a", "b"}[i], []string{"worker-a", "worker-b"}[i]
			d.Members = append(d.Members, m)
		}
		return d
	}
	foreseen := []Foreseen{{Detail: round([]group.Unit{unit(0), unit(1)}, []group.Unit{unit(2)})}}
	swapped := round([]group.Unit{unit(0), unit(2)}, []group.Unit{unit(1)})
	uneven := round([]group.Unit{unit(0)}, []group.Unit{unit(1), unit(2)})
	alone := round([]group.Unit{unit(0), unit(1), unit(2)})
	for _, c := range []struct {
		name   string
		grain  Precision
		came   *group.Detail
		differ int
		first  string
	}{
		{"other units", InUnits, swapped, 4, "round 7: worker-a: start sink-a 1: foreseen, and it did not happen"},
		{"other units, in counts", InCounts, swapped, 0, ""},
		{"other counts, in counts", InCounts, uneven, 2, "round 7: worker-a: start: 1 unit, and 2 foreseen"},
		{"other counts, in rounds", InRounds, uneven, 0, ""},
		{"somebody missing, in rounds", InRounds, alone, 1, "round 7: worker-b: worker: foreseen, and it did not happen"},
	} {
		p := &Preview{Outcomes: []Outcome{{Rounds: foreseen, Precision: c.grain}}}
		_, diff := p.Compare([]*group.Detail{c.came})
		if len(diff) != c.differ || len(diff) > 0 && !strings.HasPrefix(diff[0].String(), c.first) {
			t.Errorf("%s: %d differences: %v", c.name, len(diff), diff)
		}
	}
}
