package doctor

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
)

// workerBlocked: / answers, and what needs the herder does not. A connector that hangs in taskConfigs holds up the thread that
// does all else. Seen on 3.5.1, 3.9.1 and 4.3.1: that one alone does. start and stop run on the connector's own thread (before
// 2.6 on the herder's; it waits 5 s for a stop), validation and the version on a pool's, a task's start and stop on the task's.
// Heartbeats go on for rebalance.timeout.ms (60 s); then the worker leaves by itself, its REST still up: see worker-expelled.
// A status and the list of connectors are answered without the herder.
var workerBlocked = rule{"worker-blocked", Warning, 30 * time.Second, ofWorkers, func(v *view) []Finding {
	var out []Finding
	for _, w := range v.members {
		r, asked := v.rest[w.URL]
		if asked && r.NotAsWorker(v.MirrorFlow() != "") {
			out = append(out, v.refuses(w, &r))
			continue
		}
		if !asked || !r.Stuck() || v.joining(w) && slices.ContainsFunc(v.members, v.stuckElsewhere) {
			continue
		}
		since := v.RESTSince(r.URL)
		if at, ok := stageBegan(r.Herder); ok && at.Before(since) {
			since = at
		}
		f := Finding{
			Title: fmt.Sprintf("%s answers, but its herder does not", name(w)),
			Why:   "One thread joins the group, starts and stops units and answers most requests. A connector that hangs while it makes its task configs (before 2.6 in its start, too) holds it up, and with it the whole worker: past rebalance.timeout.ms it leaves the group, and the next worker gets that connector.",
			Since: since, Workers: []string{w.ID},
			Evidence: []Evidence{
				{r.At, group.SourceREST, fmt.Sprintf("%s: / is ok", decode.Printable(r.URL))},
				{r.At, group.SourceREST, fmt.Sprintf("%s: herder: %s", decode.Printable(r.URL), decode.Printable(r.Herder))},
			},
			Next: []string{
				"Read that answer: from 3.7 on it names what the herder is doing, and since when.",
				"Take a thread dump there (jstack): DistributedHerder stands in the connector that blocks.",
				"Mend, pause or stop that connector by another worker: as it is, it hangs the next worker that gets it. Then restart this one, for nothing else frees its thread.",
			},
		}
		for _, i := range w.Holds {
			if s := v.Units[i].State; s == group.UnitStarting || s == group.UnitStopping {
				f.Units = append(f.Units, v.Units[i].Unit)
			}
		}
		if len(f.Units) > 0 {
			f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, "given to it, and neither started nor stopped: " + some(f.Units)})
		}
		if u, ok := v.busyWith(r.Herder); ok && !slices.Contains(f.Units, u) {
			f.Units = append(f.Units, u)
			slices.SortFunc(f.Units, group.Unit.Compare)
		}
		out = append(out, f)
	}
	return out
}}

// refuses is the finding about a worker that answers GET / with an error.
func (v *view) refuses(w *group.Worker, r *group.RESTReport) Finding {
	f := Finding{
		Title: fmt.Sprintf("%s can be reached, and answers GET / with %d", name(w), r.Answered()),
		Why:   "A worker that is well answers GET / with its version. This one is a member of the group, so it runs its units; what is asked of it or changed through it may fail.",
		Since: v.RESTSince(r.URL), Workers: []string{w.ID},
		Evidence: []Evidence{{r.At, group.SourceREST, fmt.Sprintf("%s: %s", decode.Printable(r.URL), decode.Printable(r.Refusal()))}},
	}
	if w.Leader {
		f.Why += " It leads: every other worker forwards changes to it."
	}
	if r.Answered() < 500 {
		f.Next = []string{"Look what listens there: a proxy that wants a longer path, or another program."}
	} else {
		f.Next = []string{"Look at that worker's log of now: it has the error. A proxy in front of it may be what answers, too."}
	}
	return f
}

// joining says whether a worker's herder is at joining, as it says from 3.7 on: while a blocked member does not join, the others
// wait for it there, and are well (seen on 4.3.1).
func (v *view) joining(w *group.Worker) bool {
	return strings.Contains(v.rest[w.URL].Herder, "ensuring membership in the cluster")
}

// stuckElsewhere says whether a worker's herder is held up by something else than the others' joining.
func (v *view) stuckElsewhere(w *group.Worker) bool {
	r, asked := v.rest[w.URL]
	return asked && r.Stuck() && !v.joining(w)
}

// stage is how Connect says, from 3.7 on, what its herder is at and since when, by that machine's clock.
var stage = regexp.MustCompile(`(?:connector (.+))?, which began at (\d{4}-\d\d-\d\dT[\d:.]+Z)`)

func stageBegan(answer string) (time.Time, bool) {
	m := stage.FindStringSubmatch(answer)
	if m == nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, m[2])
	return at, err == nil
}

// busyWith is the connector that the herder is at, where it says so.
func (v *view) busyWith(answer string) (group.Unit, bool) {
	m := stage.FindStringSubmatch(answer)
	if m == nil || m[1] == "" {
		return group.Unit{}, false
	}
	u := group.Unit{Connector: m[1], Task: decode.Instance}
	_, known := v.find(u)
	return u, known
}
