package tui

import (
	"strconv"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/doctor"
)

// sheet is a table as it is saved: heads and rows of plain values.
type sheet struct {
	name string
	head []string
	rows [][]string
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func fleetSheet(groups []*GroupSummary) *sheet {
	out := &sheet{name: "fleet", head: []string{"group", "verdict", "state", "mode", "generation", "workers", "connectors", "tasks", "delayed"}}
	for _, g := range groups {
		generation := ""
		if g.Generation >= 0 {
			generation = strconv.Itoa(int(g.Generation))
		}
		out.rows = append(out.rows, []string{
			g.Group, g.Verdict.Word, g.Phase, string(g.Mode), generation, strconv.Itoa(g.Workers), strconv.Itoa(g.Connectors),
			strconv.Itoa(g.Tasks), strconv.Itoa(g.States[group.UnitDelayed]),
		})
	}
	return out
}

func workerSheet(s *group.State) *sheet {
	out := &sheet{name: "workers", head: []string{
		"worker", "member", "url", "leader", "change", "connectors", "held", "kept", "started", "stopped", "restarted", "wait", "config_offset",
	}}
	for i := range s.Workers {
		w := &s.Workers[i]
		out.rows = append(out.rows, []string{
			w.Name, w.ID, w.URL, strconv.FormatBool(w.Leader), w.Change, strconv.Itoa(w.HeldConns), strconv.Itoa(w.Held), strconv.Itoa(w.Kept),
			strconv.Itoa(w.Started), strconv.Itoa(w.Stopped), strconv.Itoa(w.Restarted), strconv.Itoa(w.Wait), strconv.FormatInt(w.ConfigOffset, 10),
		})
	}
	return out
}

func roundSheet(s *group.State) *sheet {
	out := &sheet{name: "rounds", head: []string{
		"generation", "at", "why", "workers", "kept", "started", "stopped", "restarted", "dropped", "delayed", "unassigned", "moved", "eager_would_stop", "unit_s_low", "unit_s_high", "settled",
	}}
	for i, r := range s.Rounds {
		low, high := "", ""
		if c, ok := s.Cost(r); ok {
			low, high = strconv.FormatFloat(c.Low.Seconds(), 'f', 3, 64), strconv.FormatFloat(c.High.Seconds(), 'f', 3, 64)
		}
		row := []string{strings.ReplaceAll(generation(r), ",", ""), when(r.At), longWhy(r, before(s.Rounds, i))}
		for _, n := range []int{r.Workers, r.Kept, r.Started, r.Stopped, r.Restarted, r.Dropped, r.Delayed, r.Unassigned, r.Moved, r.EagerWouldStop} {
			row = append(row, strconv.Itoa(n))
		}
		out.rows = append(out.rows, append(row, low, high, strconv.FormatBool(r.Settled)))
	}
	return out
}

func unitSheet(sc *scene, filter string, by int) *sheet {
	s := sc.state
	out := &sheet{name: "units", head: []string{"connector", "task", "state", "worker", "since", "status", "orphaned", "stale"}}
	var order unitOrder
	for _, i := range order.of(s, filter, by) {
		u := &s.Units[i]
		task := ""
		if !u.Unit.IsInstance() {
			task = strconv.Itoa(int(u.Unit.Task))
		}
		out.rows = append(out.rows, []string{
			u.Unit.Connector, task, u.State.String(), holder(s, u), when(u.Since), u.Reported, strconv.FormatBool(u.Orphaned), strconv.FormatBool(u.Stale),
		})
	}
	return out
}

func eventSheet(s *group.State, source, filter string) *sheet {
	out := &sheet{name: "events", head: []string{"at", "source", "text"}}
	for _, i := range eventRows(s, source, filter) {
		e := &s.Events[i]
		out.rows = append(out.rows, []string{when(e.At), eventSource(e), e.Text})
	}
	return out
}

func findingSheet(r *doctor.Report) *sheet {
	out := &sheet{name: "findings", head: []string{"id", "severity", "certainty", "title", "why", "since", "next"}}
	if r != nil {
		for i := range r.Findings {
			f := &r.Findings[i]
			out.rows = append(out.rows, []string{f.ID, string(f.Severity), string(f.Certainty), f.Title, f.Why, when(f.Since), strings.Join(f.Next, " ")})
		}
	}
	return out
}
