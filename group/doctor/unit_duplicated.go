package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// unitDuplicated: a unit that two workers hold or claim to run.
var unitDuplicated = rule{"unit-duplicated", Critical, 0, ofRounds, func(v *view) []Finding {
	if v.round == nil {
		return nil
	}
	if v.round.Duplicated > 0 {
		return []Finding{v.reportedTwice()}
	}
	at, copies := slices.Clone(v.byState[group.UnitDuplicated]), v.copies()
	for _, c := range copies.all {
		if !slices.Contains(at, c.Unit) {
			at = append(at, c.Unit)
		}
	}
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	f := Finding{
		Title:     fmt.Sprintf("%s may run on two workers at once", words.Count(len(at), "unit")),
		Why:       "A second worker said RUNNING and the first never said that it stopped.",
		Certainty: Likely, // claims, not the threads themselves
		Since:     v.since(at), Units: v.unitsOf(at), Evidence: copies.evidence(v),
		Sure: "A second start on the old worker fails with \"Task already exists in this worker\". Or look there for the thread task-thread-CONNECTOR-TASK.",
		Next: append(copies.cure(v), "Look at the units' own output for doubled records."),
	}
	if r := v.downgrade(); r != nil && copies.before(r) {
		f.Why = fmt.Sprintf("%s turned the group eager and moved %s. Workers that were cooperative stop nothing then (KAFKA-13816), and no status says that these copies stopped.", capital(called(r)), words.Count(r.Twice, "unit"))
		f.Since = r.RecordedAt
		if v.round.Mode == group.ModeEager {
			f.Next = []string{"Do what eager-forced says: end the eager protocol, then restart the workers in the order given there.", f.Next[len(f.Next)-1]}
		}
	}
	return []Finding{f}
}}

// oldCopies are the copies of units that workers run on though others hold the units, and the starts that failed over one.
type oldCopies struct {
	all      []group.Copy
	byWorker map[int][]int // by index of the worker: units
	order    []int         // in which the workers are to be restarted
}

// copies finds the old copies. Workers with most of them are restarted first, the leader last: when the leader leaves, its work is
// given out at once, and what comes to a worker with an old copy fails to start.
func (v *view) copies() oldCopies {
	c := oldCopies{all: v.Copies(), byWorker: map[int][]int{}}
	for _, k := range c.all {
		c.byWorker[k.Worker] = append(c.byWorker[k.Worker], k.Unit)
	}
	for _, i := range v.byState[group.UnitFailed] {
		if u := &v.Units[i]; alreadyExists(u.Trace) && u.Worker >= 0 {
			c.byWorker[u.Worker] = append(c.byWorker[u.Worker], i)
		}
	}
	c.order = slices.SortedFunc(maps.Keys(c.byWorker), func(a, b int) int {
		leads := func(w int) int {
			if v.Workers[w].Leader {
				return 1
			}
			return 0
		}
		return cmp.Or(leads(a)-leads(b), len(c.byWorker[b])-len(c.byWorker[a]), cmp.Compare(v.Workers[a].Name, v.Workers[b].Name))
	})
	return c
}

func alreadyExists(trace string) bool {
	return strings.Contains(trace, "already exists in this worker")
}

// before reports whether all copies are from before a round.
func (c *oldCopies) before(r *group.Round) bool {
	return !slices.ContainsFunc(c.all, func(k group.Copy) bool { return k.Generation >= r.Generation })
}

// cure is the order in which workers are to be restarted, a step a worker.
func (c *oldCopies) cure(v *view) []string {
	var out []string
	for n, w := range c.order {
		step := fmt.Sprintf("Restart %s: that ends %s.", v.worker(w), words.Count(1, "old copy"))
		if len(c.byWorker[w]) > 1 {
			step = fmt.Sprintf("Restart %s: that ends %d old copies.", v.worker(w), len(c.byWorker[w]))
		}
		switch {
		case n == len(c.order)-1:
		case v.Workers[c.order[n+1]].Leader:
			step += " Wait until the group is settled (regroup wait), and restart the leader last."
		default:
			step += " Wait until the group is settled (regroup wait) before the next one."
		}
		out = append(out, step)
	}
	return out
}

// evidence is a line a worker, and of a few units who holds them.
func (c *oldCopies) evidence(v *view) []Evidence {
	const most = 4
	var out []Evidence
	for _, w := range c.order {
		var units []group.Unit
		var first time.Time
		low, high := int32(0), int32(0)
		for _, k := range c.all {
			if k.Worker != w {
				continue
			}
			if len(units) == 0 {
				low, high = k.Generation, k.Generation
			}
			low, high = min(low, k.Generation), max(high, k.Generation)
			units, first = append(units, v.Units[k.Unit].Unit), earliest(first, k.At)
		}
		if len(units) == 0 {
			continue
		}
		generations := fmt.Sprintf("in generation %d", low)
		if high > low {
			generations = fmt.Sprintf("in generations %d to %d", low, high)
		}
		out = append(out, Evidence{first, group.SourceStatus, fmt.Sprintf("%s said RUNNING of %s %s, and never that %s stopped", v.worker(w), some(units), generations, is(len(units), "it", "they"))})
	}
	if len(c.all) > most {
		return out
	}
	for _, k := range c.all {
		u := &v.Units[k.Unit]
		if said, ok := v.LatestStatus(k.Unit); ok && u.Worker >= 0 {
			out = append(out, Evidence{said.At, group.SourceStatus, fmt.Sprintf("%s: %s on %s, generation %d", decode.Printable(u.Unit.String()), decode.Printable(said.State), decode.Printable(said.Worker), said.Generation)})
		}
	}
	return out
}

// downgrade is the newest round in which the group turned eager and moved work that nobody stopped, nil for none.
func (v *view) downgrade() *group.Round {
	const most = 5000
	for i := v.At; i > 0 && i > v.At-most; i-- {
		if r := v.Rounds[i]; r.Mode == group.ModeEager && v.Rounds[i-1].Mode == group.ModeCooperative && r.Twice > 0 {
			return r
		}
	}
	return nil
}

func (v *view) reportedTwice() Finding {
	r := v.round
	d := v.Detail(v.At)
	f := Finding{
		Title: words.Count(len(d.Duplicated), "unit") + is(len(d.Duplicated), " was", " were") + " reported by two workers",
		Why:   "A worker that was away kept its work, and others got it meanwhile. The leader revokes such units from both, and the next round gives each to one.",
		Since: r.RecordedAt, Units: d.Duplicated,
		Next: []string{"Wait for the next round: it comes by itself within seconds.", "If it comes again, find out why that worker lost the group: long pauses, or its network."},
	}
	for _, u := range d.Duplicated[:min(6, len(d.Duplicated))] {
		var by []string
		for _, m := range d.Members {
			if slices.Contains(m.Reported, u) {
				by = append(by, decode.Printable(m.Name))
			}
		}
		f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s: reported by %s in %s", decode.Printable(u.String()), words.Few(by), called(r))})
	}
	return f
}
